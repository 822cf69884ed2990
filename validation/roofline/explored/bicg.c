/* s = s + A^T r and q = q + A p.
 *
 * Two loops: s and q are not cleared here.
 */
#ifndef N
#define N 32
#endif
void kernel_bicg(int A[N][N], int s[N], int q[N], int p[N], int r[N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
#ifdef CLEARED
        q[i] = 0;
#endif
        for (int j = 0; j < N; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}
