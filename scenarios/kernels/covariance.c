/*
 * Covariance of the M columns of data (N rows of observations):
 * cov[i][j] = sum_k (data[k][i] - mean_i) (data[k][j] - mean_j) / (N - 1).
 * float_n is N. data becomes the centred data.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, datamining/covariance.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef M
#define M 28
#endif
#ifndef N
#define N 32
#endif

void kernel_covariance(DATA_TYPE float_n, DATA_TYPE data[N][M], DATA_TYPE cov[M][M], DATA_TYPE mean[M])
{
#pragma scop
    for (int j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] -= mean[j];
    for (int i = 0; i < M; i++) {
        for (int j = i; j < M; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < N; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= float_n - 1.0;
            cov[j][i] = cov[i][j];
        }
    }
#pragma endscop
}
