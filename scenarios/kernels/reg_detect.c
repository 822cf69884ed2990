/*
 * Weights of diagonal paths through the upper triangle of a grid: path[r][c] = path[r-1][c-1] + mean[r][c], where
 * mean[r][c] = LENGTH tangent[r][c] is summed up one sample after the other, each partial sum in its own place.
 * NITER times the same.
 *
 * Loops and MINI sizes are those of PolyBench/C 3.1, medley/reg_detect.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NITER
#define NITER 10
#endif
#ifndef LENGTH
#define LENGTH 32
#endif
#ifndef MAXGRID
#define MAXGRID 2
#endif

void kernel_reg_detect(DATA_TYPE tangent[MAXGRID][MAXGRID], DATA_TYPE sample[MAXGRID][MAXGRID][LENGTH],
                       DATA_TYPE sum[MAXGRID][MAXGRID][LENGTH], DATA_TYPE mean[MAXGRID][MAXGRID],
                       DATA_TYPE path[MAXGRID][MAXGRID])
{
#pragma scop
    for (int turn = 0; turn < NITER; turn++) {
        for (int r = 0; r < MAXGRID; r++)
            for (int c = r; c < MAXGRID; c++)
                for (int s = 0; s < LENGTH; s++)
                    sample[r][c][s] = tangent[r][c];
        for (int r = 0; r < MAXGRID; r++) {
            for (int c = r; c < MAXGRID; c++) {
                sum[r][c][0] = sample[r][c][0];
                for (int s = 1; s < LENGTH; s++)
                    sum[r][c][s] = sample[r][c][s] + sum[r][c][s - 1];
                mean[r][c] = sum[r][c][LENGTH - 1];
            }
        }
        for (int c = 0; c < MAXGRID; c++)
            path[0][c] = mean[0][c];
        for (int r = 1; r < MAXGRID; r++)
            for (int c = r; c < MAXGRID; c++)
                path[r][c] = mean[r][c] + path[r - 1][c - 1];
    }
#pragma endscop
}
