/* A fork and join in C++ that deadlocks: one branch keeps eight samples, the other one two.
 *
 * `split` feeds both branches. `blur` gives its first sample when it has read eight, but `split` stops at the third one
 * because `direct` holds two. See the circle of waits, and the depth that breaks it:
 *     ppnsim run scenarios/hls/sharpen.cpp
 * Two tokens more, and no cycle is lost; every depth between, as a row each:
 *     ppnsim size scenarios/hls/sharpen.cpp
 *     ppnsim sweep scenarios/hls/sharpen.cpp --vary direct.depth=9:14
 */
#include "hls_stream.h"

#define SAMPLES 256
#define WINDOW 8

static void split(const int line[SAMPLES], hls::stream<int> &direct, hls::stream<int> &to_blur)
{
    for (int i = 0; i < SAMPLES; i++) {
        int sample = line[i];
        direct.write(sample);
        to_blur.write(sample);
    }
}

static void blur(hls::stream<int> &to_blur, hls::stream<int> &blurred)
{
    int window[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        window[i] = to_blur.read();
    }
    for (int i = WINDOW; i < SAMPLES; i++) {
        int oldest = window[i % WINDOW];
        int sample = to_blur.read();
        window[i % WINDOW] = sample;
        blurred.write((oldest + sample) / 2);
    }
    for (int i = 0; i < WINDOW; i++) {
        blurred.write(window[i]);
    }
}

static void join(hls::stream<int> &direct, hls::stream<int> &blurred, int result[SAMPLES])
{
    for (int i = 0; i < SAMPLES; i++) {
        int sample = direct.read();
        result[i] = 2 * sample - blurred.read();
    }
}

void sharpen(const int line[SAMPLES], int result[SAMPLES])
{
#pragma HLS dataflow
    hls::stream<int> direct;
    hls::stream<int> to_blur, blurred;
    split(line, direct, to_blur);
    blur(to_blur, blurred);
    join(direct, blurred, result);
}
