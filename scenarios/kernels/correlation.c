/*
 * Correlation of the M columns of data (N rows of observations):
 * corr[i][j] = sum_k z[k][i] z[k][j], z[k][j] = (data[k][j] - mean_j) / (sqrt(N) stddev_j).
 * A deviation of at most 0.1 counts as 1, and float_n is N. data becomes z.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, datamining/correlation.
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

double sqrt(double x);

void kernel_correlation(DATA_TYPE float_n, DATA_TYPE data[N][M], DATA_TYPE corr[M][M], DATA_TYPE mean[M],
                        DATA_TYPE stddev[M])
{
#pragma scop
    for (int j = 0; j < M; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (int j = 0; j < M; j++) {
        stddev[j] = 0.0;
        for (int i = 0; i < N; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= 0.1 ? (DATA_TYPE)1.0 : stddev[j];
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }
    }
    for (int i = 0; i < M - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < M; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < N; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[M - 1][M - 1] = 1.0;
#pragma endscop
}
