/*
 * Lower triangle of C = alpha A B^T + alpha B A^T + beta C, A and B: N x M, C: N x N.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/blas/syr2k.
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

void kernel_syr2k(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[N][N], DATA_TYPE A[N][M], DATA_TYPE B[N][M])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < M; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
#pragma endscop
}
