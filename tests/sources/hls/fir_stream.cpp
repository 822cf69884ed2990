// The same filter over a stream of samples, taps by template.
#include <ap_int.h>
#include <hls_stream.h>

constexpr int LENGTH = 1024;

namespace dsp {
template <int TAPS, typename T, typename A> class unused;

template <int TAPS, typename T, typename A>
A filter(T window[TAPS], const T taps[TAPS], const T &sample)
{
#pragma HLS INLINE
    A sum = 0;
    for (int i = TAPS - 1; i > 0; i--) {
#pragma HLS UNROLL
        window[i] = window[i - 1];
    }
    window[0] = sample;
    for (int i = 0; i < TAPS; ++i) {
#pragma HLS UNROLL
        sum += window[i] * taps[i];
    }
    return sum;
}
}

void fir_stream(hls::stream<int> &in, hls::stream<int> &out)
{
#pragma HLS INTERFACE axis port = in
#pragma HLS INTERFACE axis port = out
#pragma HLS INTERFACE s_axilite port = return
    static const int taps[8] = {1, -3, 8, 22, 22, 8, -3, 1};
    int window[8] = {0};
#pragma HLS ARRAY_PARTITION variable = window complete
#pragma HLS ARRAY_PARTITION variable = taps complete
samples:
    for (int n = 0; n < LENGTH; n++) {
#pragma HLS PIPELINE II = 1
        out << dsp::filter<8, int, int>(window, taps, in.read());
    }
}
