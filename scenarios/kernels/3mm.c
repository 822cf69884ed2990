/*
 * G = (A B) (C D), A: NI x NK, B: NK x NJ, C: NJ x NM, D: NM x NL; E = A B, F = C D.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/kernels/3mm.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NI
#define NI 16
#endif
#ifndef NJ
#define NJ 18
#endif
#ifndef NK
#define NK 20
#endif
#ifndef NL
#define NL 22
#endif
#ifndef NM
#define NM 24
#endif

void kernel_3mm(DATA_TYPE E[NI][NJ], DATA_TYPE A[NI][NK], DATA_TYPE B[NK][NJ], DATA_TYPE F[NJ][NL], DATA_TYPE C[NJ][NM],
                DATA_TYPE D[NM][NL], DATA_TYPE G[NI][NL])
{
#pragma scop
    for (int i = 0; i < NI; i++) {
        for (int j = 0; j < NJ; j++) {
            E[i][j] = 0.0;
            for (int k = 0; k < NK; k++)
                E[i][j] += A[i][k] * B[k][j];
        }
    }
    for (int i = 0; i < NJ; i++) {
        for (int j = 0; j < NL; j++) {
            F[i][j] = 0.0;
            for (int k = 0; k < NM; k++)
                F[i][j] += C[i][k] * D[k][j];
        }
    }
    for (int i = 0; i < NI; i++) {
        for (int j = 0; j < NL; j++) {
            G[i][j] = 0.0;
            for (int k = 0; k < NJ; k++)
                G[i][j] += E[i][k] * F[k][j];
        }
    }
#pragma endscop
}
