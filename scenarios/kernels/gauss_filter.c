/*
 * 3 x 3 blur of an N x M image in two passes of three weights: down the columns into half, then along the rows, each
 * sum divided by that of the weights. Every partial sum has its own place.
 * As published, the weights are summed up twice, and the row pass reads row N - 2 of half, which nobody writes.
 *
 * Loops: gauss-filter of PolyBench/C 2 (where the three weights are counted differently). Its MINI sizes are not in our
 * sources: 32 x 32, like those of its contemporaries.
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

void kernel_gauss_filter(DATA_TYPE image[N][M], DATA_TYPE weight[3], DATA_TYPE sum[4], DATA_TYPE down[N][M][4],
                         DATA_TYPE along[N][M][4], DATA_TYPE half[N][M], DATA_TYPE blurred[N][M])
{
#pragma scop
    sum[0] = 0.0;
    for (int w = 0; w < 3; w++)
        sum[w + 1] = weight[w] + sum[w];
    for (int w = 0; w < 3; w++)
        sum[w + 1] = weight[w] + sum[w];
    for (int row = 1; row < N - 2; row++) {
        for (int column = 0; column < M; column++) {
            down[row][column][0] = 0.0;
            for (int w = 0; w < 3; w++)
                down[row][column][w + 1] = weight[w] * image[row - 1 + w][column] + down[row][column][w];
            half[row][column] = down[row][column][3] / sum[3];
        }
    }
    for (int row = 1; row < N - 1; row++) {
        for (int column = 1; column < M - 1; column++) {
            along[row][column][0] = 0.0;
            for (int w = 0; w < 3; w++)
                along[row][column][w + 1] = weight[w] * half[row][column - 1 + w] + along[row][column][w];
            blurred[row][column] = along[row][column][3] / sum[3];
        }
    }
#pragma endscop
}
