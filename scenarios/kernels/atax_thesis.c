/*
 * y = A^T (A x), A: NX x NY, as the thesis profiles it: with --io six processes, the zeroing of y, two recurrences and
 * the streams of A, x and y; 3168 executions. tmp is local and 0 at the start, so that its zeroing is no process. With
 * latency 3 and ii 1: 5042 cycles, and 330 with hardware without end.
 *
 * Source: van Teijlingen 2014, section 7.6. Loop structure and MINI sizes: PolyBench/C 3.1,
 * linear-algebra/kernels/atax.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NX
#define NX 32
#endif
#ifndef NY
#define NY 32
#endif

void kernel_atax_thesis(DATA_TYPE A[NX][NY], DATA_TYPE x[NY], DATA_TYPE y[NY])
{
    DATA_TYPE tmp[NX] = {0};

#pragma scop
    for (int i = 0; i < NY; i++)
        y[i] = 0.0;
    for (int i = 0; i < NX; i++) {
        for (int j = 0; j < NY; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < NY; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}
