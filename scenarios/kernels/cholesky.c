/*
 * A = L L^T with A: N x N symmetric positive definite; L replaces the lower triangle of A.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/solvers/cholesky.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 40
#endif

double sqrt(double x);

void kernel_cholesky(DATA_TYPE A[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}
