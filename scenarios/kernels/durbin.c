/*
 * Yule-Walker equations by Levinson-Durbin: T y = -(r[0], ..., r[N-1]), T: N x N Toeplitz and symmetric with
 * 1 on its diagonal and r[k-1] on the k-th one beside it.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, linear-algebra/solvers/durbin.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 40
#endif

void kernel_durbin(DATA_TYPE r[N], DATA_TYPE y[N])
{
    DATA_TYPE z[N];
    DATA_TYPE alpha;
    DATA_TYPE beta;
    DATA_TYPE sum;

#pragma scop
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (int k = 1; k < N; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        sum = 0.0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}
