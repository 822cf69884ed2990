/*
 * Heat equation on an N x N grid by alternating directions (Peaceman and Rachford): each step is implicit along the
 * columns, into half, and then along the rows, back into grid. A line is a tridiagonal system
 * (1 + 2 w) x[k] - w (x[k-1] + x[k+1]) = right[k], where the explicit direction gives the right side. Thomas's
 * algorithm finds x[k] = slope[k] x[k+1] + shift[k] forwards and x backwards. The border is 1.
 *
 * Loops and MINI sizes are those of PolyBench/C 4.2.1, stencils/adi, the weight along columns twice that along rows.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef TSTEPS
#define TSTEPS 20
#endif
#ifndef N
#define N 20
#endif

void kernel_adi(DATA_TYPE grid[N][N], DATA_TYPE half[N][N], DATA_TYPE slope[N][N], DATA_TYPE shift[N][N])
{
    DATA_TYPE wc, wr, middle_c, middle_r, keep_c, keep_r;

#pragma scop
    wc = (DATA_TYPE)N * N / TSTEPS;
    wr = 0.5 * wc;
    middle_c = 1.0 + 2.0 * wc;
    middle_r = 1.0 + 2.0 * wr;
    keep_c = 1.0 - 2.0 * wc;
    keep_r = 1.0 - 2.0 * wr;
    for (int step = 0; step < TSTEPS; step++) {
        for (int line = 1; line <= N - 2; line++) {
            half[0][line] = 1.0;
            slope[line][0] = 0.0;
            shift[line][0] = half[0][line];
            for (int k = 1; k <= N - 2; k++) {
                slope[line][k] = wc / (middle_c - wc * slope[line][k - 1]);
                shift[line][k] = (keep_r * grid[k][line] + wr * (grid[k][line - 1] + grid[k][line + 1])
                                  + wc * shift[line][k - 1]) / (middle_c - wc * slope[line][k - 1]);
            }
            half[N - 1][line] = 1.0;
            for (int k = N - 2; k > 0; k--)
                half[k][line] = shift[line][k] + slope[line][k] * half[k + 1][line];
        }
        for (int line = 1; line <= N - 2; line++) {
            grid[line][0] = 1.0;
            slope[line][0] = 0.0;
            shift[line][0] = grid[line][0];
            for (int k = 1; k <= N - 2; k++) {
                slope[line][k] = wr / (middle_r - wr * slope[line][k - 1]);
                shift[line][k] = (keep_c * half[line][k] + wc * (half[line - 1][k] + half[line + 1][k])
                                  + wr * shift[line][k - 1]) / (middle_r - wr * slope[line][k - 1]);
            }
            grid[line][N - 1] = 1.0;
            for (int k = N - 2; k > 0; k--)
                grid[line][k] = shift[line][k] + slope[line][k] * grid[line][k + 1];
        }
    }
#pragma endscop
}
