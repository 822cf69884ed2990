/* C = alpha (A B^T + B A^T) + beta C over the whole square.
 *
 * Four loops, as in PolyBench/C 4: a row of C is scaled, then products are added to it.
 */
#ifndef N
#define N 16
#endif
void kernel_syr2k(int alpha, int beta, int A[N][N], int B[N][N], int C[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            C[i][j] = C[i][j] * beta;
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                C[i][j] = C[i][j] + A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
#pragma endscop
}
