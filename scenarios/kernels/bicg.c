/*
 * s = A^T r and q = A p, A: N x M.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/kernels/bicg.
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

void kernel_bicg(DATA_TYPE A[N][M], DATA_TYPE s[M], DATA_TYPE q[N], DATA_TYPE p[M], DATA_TYPE r[N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        s[i] = 0.0;
    for (int i = 0; i < N; i++) {
        q[i] = 0.0;
        for (int j = 0; j < M; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}
