/*
 * B[i] = (A[i-1] + A[i] + A[i+1]) / 3 (as 0.33333) inside, then A from B, TSTEPS times.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, stencils/jacobi-1d.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 20
#endif
#ifndef N
#define N 30
#endif

void kernel_jacobi_1d(DATA_TYPE A[N], DATA_TYPE B[N])
{
#pragma scop
    for (int t = 0; t < TSTEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < N - 1; i++)
            A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
#pragma endscop
}
