/*
 * A[i][j] = mean of A[i][j] and its eight neighbours inside, in place and in row-major order, TSTEPS times.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, stencils/seidel-2d.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 20
#endif
#ifndef N
#define N 40
#endif

void kernel_seidel_2d(DATA_TYPE A[N][N])
{
#pragma scop
    for (int t = 0; t <= TSTEPS - 1; t++)
        for (int i = 1; i <= N - 2; i++)
            for (int j = 1; j <= N - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1])
                          / 9.0;
#pragma endscop
}
