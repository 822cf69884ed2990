/*
 * c[i][j] = W[i][j] + sum over i < k < j of c[i][k] + c[k][j], for i < j; out = the sum of c[0][LENGTH-1] over TSTEPS
 * repetitions. sum_c keeps all partial sums. Rows go upwards, as published, so that c[k][j] is still 0 when it is read.
 * The first and the last statement, which the benchmark has outside its scop, are inside here.
 *
 * Loop structure and MINI sizes: PolyBench/C 3.1, medley/dynprog.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 10
#endif
#ifndef LENGTH
#define LENGTH 32
#endif

void kernel_dynprog(DATA_TYPE c[LENGTH][LENGTH], DATA_TYPE W[LENGTH][LENGTH], DATA_TYPE sum_c[LENGTH][LENGTH][LENGTH],
                    DATA_TYPE out[1])
{
    DATA_TYPE out_l;

#pragma scop
    out_l = 0;
    for (int iter = 0; iter < TSTEPS; iter++) {
        for (int i = 0; i <= LENGTH - 1; i++)
            for (int j = 0; j <= LENGTH - 1; j++)
                c[i][j] = 0;
        for (int i = 0; i <= LENGTH - 2; i++) {
            for (int j = i + 1; j <= LENGTH - 1; j++) {
                sum_c[i][j][i] = 0;
                for (int k = i + 1; k <= j - 1; k++)
                    sum_c[i][j][k] = sum_c[i][j][k - 1] + c[i][k] + c[k][j];
                c[i][j] = sum_c[i][j][j - 1] + W[i][j];
            }
        }
        out_l += c[0][LENGTH - 1];
    }
    out[0] = out_l;
#pragma endscop
}
