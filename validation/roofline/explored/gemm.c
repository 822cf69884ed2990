/* C = 3 A B + 2 C.
 *
 * Four loops, as in PolyBench/C 4: a row of C is scaled, then the rows of B are added to it.
 */
#ifndef ALPHA
#define ALPHA 3 *
#endif
#ifndef N
#define N 16
#endif
void kernel_gemm(int C[N][N], int A[N][N], int B[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            C[i][j] = C[i][j] * 2;
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                C[i][j] = C[i][j] + ALPHA A[i][k] * B[k][j];
    }
#pragma endscop
}
