/* A filter in fixed point: 16 taps, two filters in series, one sample a cycle.
 *
 * A class keeps the delay line; `ap_fixed` rounds and saturates where a sample leaves a filter:
 *     ppnsim schedule scenarios/hls/fir_fixed.cpp
 */
#include "ap_fixed.h"
#include "hls_stream.h"

#define SAMPLES 256
#define TAPS 16

typedef ap_fixed<16, 2, AP_RND, AP_SAT> sample_t;
typedef ap_fixed<36, 8> sum_t;

static const sample_t smooth[TAPS] = {0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.13,
                                      0.13, 0.12, 0.1,  0.08, 0.06, 0.04, 0.02, 0.01};

template <int N> class Delay {
  public:
    sample_t held[N];
    sum_t next(sample_t sample)
    {
#pragma HLS inline
        sum_t sum = 0;
        for (int k = N - 1; k > 0; k--) {
            held[k] = held[k - 1];
            sum += held[k] * smooth[k];
        }
        held[0] = sample;
        return sum + sample * smooth[0];
    }
};

static void read(const sample_t x[SAMPLES], hls::stream<sample_t> &out)
{
    for (int i = 0; i < SAMPLES; i++) {
        out.write(x[i]);
    }
}

static void filter(hls::stream<sample_t> &in, hls::stream<sample_t> &out)
{
    Delay<TAPS> line;
    for (int i = 0; i < SAMPLES; i++) {
#pragma HLS pipeline II=1
        sample_t sample = line.next(in.read());
        out.write(sample);
    }
}

static void write(hls::stream<sample_t> &in, sample_t y[SAMPLES])
{
    for (int i = 0; i < SAMPLES; i++) {
        y[i] = in.read();
    }
}

void fir_fixed(const sample_t x[SAMPLES], sample_t y[SAMPLES])
{
#pragma HLS dataflow
    hls::stream<sample_t> raw, once, twice;
    read(x, raw);
    filter(raw, once);
    filter(once, twice);
    write(twice, y);
}
