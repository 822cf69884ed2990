/*
 * A[r][q][p] = sum_s A[r][q][s] C4[s][p] for all r < NR, q < NQ, p < NP.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/kernels/doitgen.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NQ
#define NQ 8
#endif
#ifndef NR
#define NR 10
#endif
#ifndef NP
#define NP 12
#endif

void kernel_doitgen(DATA_TYPE A[NR][NQ][NP], DATA_TYPE C4[NP][NP], DATA_TYPE sum[NP])
{
#pragma scop
    for (int r = 0; r < NR; r++) {
        for (int q = 0; q < NQ; q++) {
            for (int p = 0; p < NP; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < NP; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < NP; p++)
                A[r][q][p] = sum[p];
        }
    }
#pragma endscop
}
