/* y = y + A^T (A x), tmp = A x.
 *
 * Three loops: y is not cleared here.
 */
#ifndef N
#define N 16
#endif
void kernel_atax(int A[N][N], int x[N], int y[N], int tmp[N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        tmp[i] = 0;
        for (int j = 0; j < N; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < N; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}
