/*
 * C = alpha A B + beta C with A: M x M symmetric, of which only the lower triangle is read; B and C: M x N.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/blas/symm.
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

void kernel_symm(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[M][N], DATA_TYPE A[M][M], DATA_TYPE B[M][N])
{
    DATA_TYPE temp2;

#pragma scop
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            temp2 = 0.0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
    }
#pragma endscop
}
