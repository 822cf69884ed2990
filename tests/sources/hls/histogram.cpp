// Histogram of bytes: as it comes to mind, and with the last bin kept in a register.
#include "ap_int.h"

#define PIXELS 4096
#define BINS 256

void histogram_plain(ap_uint<8> in[PIXELS], unsigned hist[BINS])
{
    for (int i = 0; i < PIXELS; i++) {
#pragma HLS PIPELINE II=1
        hist[in[i]]++;
    }
}

void histogram(ap_uint<8> in[PIXELS], unsigned hist[BINS])
{
    unsigned acc = 0;
    ap_uint<8> val, old = in[0];
#pragma HLS DEPENDENCE variable=hist intra RAW false
#pragma HLS dependence variable=hist type=inter direction=RAW dependent=false
    for (int i = 0; i < PIXELS; i++) {
#pragma HLS PIPELINE II=1
        val = in[i];
        if (old == val) {
            acc = acc + 1;
        } else {
            hist[old] = acc;
            acc = hist[val] + 1;
        }
        old = val;
    }
    hist[old] = acc;
}
