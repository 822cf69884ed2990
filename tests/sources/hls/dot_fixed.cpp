// Dot product in fixed point, four products in a cycle.
#include "ap_fixed.h"

const int LENGTH = 1024;
const int LANES = 4;
using value = ap_fixed<16, 6>;
using total = ap_fixed<40, 20>;

total dot(value a[LENGTH], value b[LENGTH])
{
#pragma HLS ARRAY_PARTITION variable=a type=cyclic factor=LANES
#pragma HLS ARRAY_PARTITION variable=b type=cyclic factor=LANES
    total lanes[LANES];
#pragma HLS ARRAY_PARTITION variable=lanes type=complete
    for (int l = 0; l < LANES; l++) {
#pragma HLS UNROLL
        lanes[l] = 0;
    }
chunks:
    for (int i = 0; i < LENGTH; i += LANES) {
#pragma HLS PIPELINE II=1
        for (int l = 0; l < LANES; l++)
            lanes[l] += a[i + l] * b[i + l];
    }
    total sum = 0;
    for (int l = 0; l < LANES; l++) {
#pragma HLS UNROLL
        sum += lanes[l];
    }
    return sum;
}
