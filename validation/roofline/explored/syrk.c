/* C = alpha A A^T + beta C over the whole square.
 *
 * Three loops, the sum innermost.
 */
#ifndef N
#define N 16
#endif
void kernel_syrk(int alpha, int beta, int A[N][N], int C[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            C[i][j] = C[i][j] * beta;
            for (int k = 0; k < N; k++)
                C[i][j] = C[i][j] + alpha * A[i][k] * A[j][k];
        }
    }
#pragma endscop
}
