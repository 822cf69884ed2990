/* D = alpha A B C + beta D, tmp = alpha A B.
 *
 * Six loops: the two products of PolyBench's 2mm.
 */
#ifndef N
#define N 8
#endif
void kernel_mm(int alpha, int beta, int tmp[N][N], int A[N][N], int B[N][N], int C[N][N], int D[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            tmp[i][j] = 0;
            for (int k = 0; k < N; k++)
                tmp[i][j] = tmp[i][j] + alpha * A[i][k] * B[k][j];
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            D[i][j] = D[i][j] * beta;
            for (int k = 0; k < N; k++)
                D[i][j] = D[i][j] + tmp[i][k] * C[k][j];
        }
    }
#pragma endscop
}
