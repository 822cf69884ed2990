// The stages of a radix-2 FFT, decimation in time, with a table of twiddle factors.
#include <cmath>

#define SIZE 256
#define SIZE2 128
#define M 8

struct complex_t {
    float re, im;
};

void fft_stages(complex_t X[SIZE], const complex_t W[SIZE2])
{
stages:
    for (int stage = 1; stage <= M; stage++) {
        const int half = 1 << (stage - 1);
    butterflies:
        for (int n = 0; n < SIZE / 2; n++) {
#pragma HLS PIPELINE II=2
#pragma HLS DEPENDENCE variable=X inter false
            int j = n & (half - 1);
            int upper = ((n - j) << 1) + j;
            int lower = upper + half;
            complex_t w = W[j << (M - stage)], u = X[upper], l = X[lower], t;
            t.re = l.re * w.re - l.im * w.im;
            t.im = l.re * w.im + l.im * w.re;
            X[upper].re = u.re + t.re;
            X[upper].im = u.im + t.im;
            X[lower].re = u.re - t.re;
            X[lower].im = u.im - t.im;
        }
    }
}
