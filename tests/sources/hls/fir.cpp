// An 11-tap FIR filter: every call takes a sample, shifts it in and gives the next output.
#include "ap_int.h"

#define TAPS 11

typedef ap_int<16> data_t;
typedef ap_int<16> coef_t;
typedef ap_int<38> acc_t;

void fir(data_t *y, data_t x)
{
#pragma HLS PIPELINE II=1
#pragma HLS INTERFACE ap_vld port=y
    static const coef_t c[TAPS] = {53, 0, -91, 0, 313, 500, 313, 0, -91, 0, 53};
    static data_t shift_reg[TAPS];
#pragma HLS ARRAY_PARTITION variable=shift_reg complete dim=1
    acc_t acc = 0;
Shift_Accum_Loop:
    for (int i = TAPS - 1; i >= 0; i--) {
#pragma HLS UNROLL
        if (i == 0) {
            shift_reg[0] = x;
            acc += x * c[0];
        } else {
            shift_reg[i] = shift_reg[i - 1];
            acc += shift_reg[i] * c[i];
        }
    }
    *y = acc >> 15;
}
