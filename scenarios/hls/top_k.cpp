/* The eight largest of a line of samples, sorted as they come: each is inserted into registers in one cycle.
 *
 *     ppnsim schedule scenarios/hls/top_k.cpp
 */
#include "hls_stream.h"

#define SAMPLES 256
#define K 8

struct ranked_t {
    int value;
    int place;
};

static void rank(const int samples[SAMPLES], hls::stream<ranked_t> &line)
{
    for (int i = 0; i < SAMPLES; i++) {
        ranked_t next = {samples[i], i};
        line.write(next);
    }
}

static void keep(hls::stream<ranked_t> &line, hls::stream<ranked_t> &best)
{
    ranked_t sorted[K];
#pragma HLS array_partition variable=sorted complete
    for (int k = 0; k < K; k++) {
#pragma HLS unroll
        sorted[k].value = -2147483647;
        sorted[k].place = -1;
    }
    for (int i = 0; i < SAMPLES; i++) {
#pragma HLS pipeline II=1
        ranked_t next = line.read();
        for (int k = K - 1; k > 0; k--) {
            if (next.value > sorted[k - 1].value) {
                sorted[k] = sorted[k - 1];
            } else if (next.value > sorted[k].value) {
                sorted[k] = next;
            }
        }
        if (next.value > sorted[0].value) {
            sorted[0] = next;
        }
    }
    for (int k = 0; k < K; k++) {
        best.write(sorted[k]);
    }
}

static void store(hls::stream<ranked_t> &best, int values[K], int places[K])
{
    for (int k = 0; k < K; k++) {
        ranked_t next = best.read();
        values[k] = next.value;
        places[k] = next.place;
    }
}

void top_k(const int samples[SAMPLES], int values[K], int places[K])
{
#pragma HLS dataflow
    hls::stream<ranked_t> line, best;
    rank(samples, line);
    keep(line, best);
    store(best, values, places);
}
