/*
 * B = alpha A^T B with A: M x M unit lower triangular (its diagonal is not read), B: M x N.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/blas/trmm.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 20
#endif
#ifndef N
#define N 30
#endif

void kernel_trmm(DATA_TYPE alpha, DATA_TYPE A[M][M], DATA_TYPE B[M][N])
{
#pragma scop
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            for (int k = i + 1; k < M; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
    }
#pragma endscop
}
