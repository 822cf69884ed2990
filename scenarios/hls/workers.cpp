/* Roots of numbers, computed by four workers in turn: a root takes one 67 cycles, the four give one every 17.
 *
 *     ppnsim run scenarios/hls/workers.cpp
 *     ppnsim run scenarios/hls/workers.cpp -D WORKERS=8
 */
#include "hls_np_channel.h"
#include "hls_stream.h"
#include "hls_task.h"

#ifndef WORKERS
#define WORKERS 4
#endif
#define N 64

void source(const unsigned in[N], hls::stream<unsigned> &numbers) {
    for (int i = 0; i < N; i++) {
#pragma HLS pipeline II=1
        numbers.write(in[i]);
    }
}

// One bit of the root a step, the largest first.
void root_of(hls::stream<unsigned> &numbers, hls::stream<unsigned> &roots) {
    unsigned number = numbers.read(), root = 0;
    for (int bit = 15; bit >= 0; bit--) {
#pragma HLS pipeline II=1
        unsigned next = root | (1u << bit);
        root = next * next <= number ? next : root;
    }
    roots.write(root);
}

void sink(hls::stream<unsigned> &roots, unsigned out[N]) {
    for (int i = 0; i < N; i++) {
#pragma HLS pipeline II=1
        out[i] = roots.read();
    }
}

void workers(const unsigned in[N], unsigned out[N]) {
    hls_thread_local hls::split::round_robin<unsigned, WORKERS> numbers;
    hls_thread_local hls::merge::round_robin<unsigned, WORKERS> roots;
#pragma HLS dataflow
    source(in, numbers.in);
    hls_thread_local hls::task worker[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
#pragma HLS unroll
        worker[i](root_of, numbers.out[i], roots.in[i]);
    }
    sink(roots.out, out);
}
