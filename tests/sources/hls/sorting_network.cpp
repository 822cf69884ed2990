// Odd-even transposition sort of eight numbers: all comparators of a stage at once.
#include "ap_int.h"

#define N 8
typedef ap_int<20> item;

static void exchange(item &a, item &b)
{
#pragma HLS inline
    if (a > b) {
        item t = a;
        a = b;
        b = t;
    }
}

void sort_blocks(item in[512][N], item out[512][N])
{
#pragma HLS array_partition variable=in complete dim=2
#pragma HLS array_partition variable=out complete dim=2
blocks:
    for (int block = 0; block < 512; block++) {
#pragma HLS pipeline II=1
        item v[N];
#pragma HLS array_partition variable=v complete
        for (int i = 0; i < N; i++)
            v[i] = in[block][i];
        for (int stage = 0; stage < N; stage++)
            for (int i = stage % 2; i < N - 1; i += 2)
                exchange(v[i], v[i + 1]);
        for (int i = 0; i < N; i++)
            out[block][i] = v[i];
    }
}
