/*
 * Separable 3 x 3 blur of an N x M image: first down the columns, then along the rows, each time the sum of three
 * pixels weighted with gauss[0..2] and divided by the sum of the weights.
 * The sum of the weights is computed twice, and row N - 2 of tmp_image is read but not written: as published.
 *
 * Loop structure: gauss-filter of PolyBench/C 2 (the iterators of the three weights start at 0 here). Its MINI sizes
 * are not in our sources: 32 x 32, like those of its contemporaries.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 32
#endif
#ifndef M
#define M 32
#endif

void kernel_gauss_filter(DATA_TYPE in_image[N][M], DATA_TYPE gauss[3], DATA_TYPE tot[4], DATA_TYPE acc1[N][M][4],
                         DATA_TYPE acc2[N][M][4], DATA_TYPE tmp_image[N][M], DATA_TYPE gauss_image[N][M])
{
#pragma scop
    tot[0] = 0.0;
    for (int k = 0; k <= 2; k++)
        tot[k + 1] = tot[k] + gauss[k];
    for (int k = 0; k <= 2; k++)
        tot[k + 1] = tot[k] + gauss[k];
    for (int x = 1; x < N - 2; x++) {
        for (int y = 0; y < M; y++) {
            acc1[x][y][0] = 0.0;
            for (int k = 0; k <= 2; k++)
                acc1[x][y][k + 1] = acc1[x][y][k] + in_image[x + k - 1][y] * gauss[k];
            tmp_image[x][y] = acc1[x][y][3] / tot[3];
        }
    }
    for (int x = 1; x < N - 1; x++) {
        for (int y = 1; y < M - 1; y++) {
            acc2[x][y][0] = 0.0;
            for (int k = 0; k <= 2; k++)
                acc2[x][y][k + 1] = acc2[x][y][k] + tmp_image[x][y + k - 1] * gauss[k];
            gauss_image[x][y] = acc2[x][y][3] / tot[3];
        }
    }
#pragma endscop
}
