/*
 * A = L U with L unit lower and U upper triangular, A: N x N; both replace A. No pivoting.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/solvers/lu.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 40
#endif

void kernel_lu(DATA_TYPE A[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < N; j++)
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
#pragma endscop
}
