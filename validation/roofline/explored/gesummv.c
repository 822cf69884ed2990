/* y = alpha A x + beta B x.
 *
 * Two loops.
 */
#ifndef N
#define N 16
#endif
void kernel_gesummv(int alpha, int beta, int A[N][N], int B[N][N], int tmp[N], int x[N], int y[N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < N; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
#pragma endscop
}
