/*
 * Paths through a triangular grid: mean[j][i] = LENGTH sum_tang[j][i], summed one by one, and
 * path[j][i] = path[j-1][i-1] + mean[j][i], path[0][i] = mean[0][i], for i >= j; NITER times the same.
 *
 * Loop structure and MINI sizes: PolyBench/C 3.1, medley/reg_detect.
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

void kernel_reg_detect(DATA_TYPE sum_tang[MAXGRID][MAXGRID], DATA_TYPE mean[MAXGRID][MAXGRID],
                       DATA_TYPE path[MAXGRID][MAXGRID], DATA_TYPE diff[MAXGRID][MAXGRID][LENGTH],
                       DATA_TYPE sum_diff[MAXGRID][MAXGRID][LENGTH])
{
#pragma scop
    for (int t = 0; t < NITER; t++) {
        for (int j = 0; j <= MAXGRID - 1; j++)
            for (int i = j; i <= MAXGRID - 1; i++)
                for (int cnt = 0; cnt <= LENGTH - 1; cnt++)
                    diff[j][i][cnt] = sum_tang[j][i];
        for (int j = 0; j <= MAXGRID - 1; j++) {
            for (int i = j; i <= MAXGRID - 1; i++) {
                sum_diff[j][i][0] = diff[j][i][0];
                for (int cnt = 1; cnt <= LENGTH - 1; cnt++)
                    sum_diff[j][i][cnt] = sum_diff[j][i][cnt - 1] + diff[j][i][cnt];
                mean[j][i] = sum_diff[j][i][LENGTH - 1];
            }
        }
        for (int i = 0; i <= MAXGRID - 1; i++)
            path[0][i] = mean[0][i];
        for (int j = 1; j <= MAXGRID - 1; j++)
            for (int i = j; i <= MAXGRID - 1; i++)
                path[j][i] = path[j - 1][i - 1] + mean[j][i];
    }
#pragma endscop
}
