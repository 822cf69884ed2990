/* A residual block: two filters, and a shortcut around them whose FIFO has to hold what the filters delay.
 *
 * Each filter gives its first sample when it has read three. How deep must the shortcut be, and what does it cost?
 *     ppnsim run scenarios/hls/residual.cpp
 *     ppnsim size scenarios/hls/residual.cpp
 */
#include "hls_stream.h"

#define SAMPLES 128
#define TAPS 3

typedef hls::stream<int> line_t;

static void split(const int x[SAMPLES], line_t &to_filter, line_t &shortcut)
{
    for (int i = 0; i < SAMPLES; i++) {
        int sample = x[i];
        to_filter.write(sample);
        shortcut.write(sample);
    }
}

template <int SHIFT> static void filter(line_t &in, line_t &out)
{
    const int taps[TAPS] = {1, 2, 1};
    int window[TAPS] = {0, 0, 0};
#pragma HLS array_partition variable=window complete
    for (int i = 0; i < SAMPLES + TAPS - 1; i++) {
#pragma HLS pipeline II=1
        for (int k = TAPS - 1; k > 0; k--) {
            window[k] = window[k - 1];
        }
        window[0] = 0;
        if (i < SAMPLES) {
            window[0] = in.read();
        }
        int sum = 0;
        for (int k = 0; k < TAPS; k++) {
            sum += taps[k] * window[k];
        }
        if (i >= TAPS - 1) {
            out.write(sum > 0 ? sum >> SHIFT : 0);
        }
    }
}

static void add(line_t &filtered, line_t &shortcut, int y[SAMPLES])
{
    for (int i = 0; i < SAMPLES; i++) {
        y[i] = filtered.read() + shortcut.read();
    }
}

void residual(const int x[SAMPLES], int y[SAMPLES])
{
#pragma HLS dataflow
    line_t to_first, to_second, filtered, shortcut;
#pragma HLS stream variable=shortcut depth=16
    split(x, to_first, shortcut);
    filter<1>(to_first, to_second);
    filter<2>(to_second, filtered);
    add(filtered, shortcut, y);
}
