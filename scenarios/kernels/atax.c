/*
 * y = A^T (A x), A: M x N; tmp = A x.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/kernels/atax.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 38
#endif
#ifndef N
#define N 42
#endif

void kernel_atax(DATA_TYPE A[M][N], DATA_TYPE x[N], DATA_TYPE y[N], DATA_TYPE tmp[M])
{
#pragma scop
    for (int i = 0; i < N; i++)
        y[i] = 0.0;
    for (int i = 0; i < M; i++) {
        tmp[i] = 0.0;
        for (int j = 0; j < N; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < N; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}
