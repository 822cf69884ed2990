/* A histogram with forwarding: a run of equal values is counted in a register, so that no load waits for its store.
 *
 * What is loaded was stored at least two iterations before, which the dependence pragma says:
 *     ppnsim schedule scenarios/hls/histogram.cpp
 * Without it, an iteration waits for the store of the one before:
 *     sed /dependence/d scenarios/hls/histogram.cpp > slow.cpp && ppnsim schedule slow.cpp
 */
#include "ap_int.h"
#include "hls_stream.h"

#define SAMPLES 512
#define BINS 64

typedef ap_uint<6> bin_t;

static void quantise(const short samples[SAMPLES], hls::stream<bin_t> &bins)
{
    for (int i = 0; i < SAMPLES; i++) {
        bins.write(bin_t(samples[i] >> 4));
    }
}

static void count(hls::stream<bin_t> &bins, int counts[BINS])
{
    for (int i = 0; i < BINS; i++) {
        counts[i] = 0;
    }
    bin_t last = bins.read();
    int held = 1;
    for (int i = 1; i < SAMPLES; i++) {
#pragma HLS pipeline II=1
#pragma HLS dependence variable=counts type=intra direction=RAW dependent=false
        bin_t bin = bins.read();
        if (bin == last) {
            held++;
        } else {
            counts[last] = held;
            held = counts[bin] + 1;
        }
        last = bin;
    }
    counts[last] = held;
}

static void total(const int counts[BINS], int cumulated[BINS])
{
    int sum = 0;
    for (int i = 0; i < BINS; i++) {
        sum += counts[i];
        cumulated[i] = sum;
    }
}

void histogram(const short samples[SAMPLES], int cumulated[BINS])
{
#pragma HLS dataflow
    hls::stream<bin_t> bins;
    int counts[BINS];
    quantise(samples, bins);
    count(bins, counts);
    total(counts, cumulated);
}
