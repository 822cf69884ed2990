/* A bound and a factor that --set gives. */
void scaled(int n, int a[32], int b[32]) {
#pragma scop
  for (int i = 0; i < n; i++)
    b[i] = 3 * a[i];
  for (int i = n - 1; i >= 0; i--)
    a[i] = b[i] + 1;
#pragma endscop
}
