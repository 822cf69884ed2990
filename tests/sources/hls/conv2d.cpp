// 3 x 3 convolution of an image that comes pixel by pixel: line buffers and a window of registers.
#include <ap_int.h>
#include <hls_stream.h>

static const int ROWS = 64;
static const int COLS = 96;
static const int K = 3;

typedef ap_uint<8> pixel;

static pixel clip(int value)
{
#pragma HLS INLINE
    if (value < 0)
        return 0;
    if (value > 255)
        return 255;
    return value;
}

void conv2d(hls::stream<pixel> &src, hls::stream<pixel> &dst)
{
    const int kernel[K][K] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    pixel linebuf[K - 1][COLS];
#pragma HLS ARRAY_PARTITION variable=linebuf dim=1 complete
    pixel window[K][K];
#pragma HLS ARRAY_PARTITION variable=window complete dim=0
#pragma HLS ARRAY_PARTITION variable=kernel complete dim=0

rows:
    for (int row = 0; row < ROWS; row++) {
    columns:
        for (int col = 0; col < COLS; col++) {
#pragma HLS LOOP_FLATTEN
#pragma HLS PIPELINE II=1
#pragma HLS DEPENDENCE variable=linebuf inter false
            pixel in = src.read();
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K - 1; j++)
                    window[i][j] = window[i][j + 1];
            for (int i = 0; i < K - 1; i++)
                window[i][K - 1] = linebuf[i][col];
            window[K - 1][K - 1] = in;
            linebuf[0][col] = linebuf[1][col];
            linebuf[1][col] = in;
            int sum = 0;
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++)
                    sum += window[i][j] * kernel[i][j];
            if (row >= K - 1 && col >= K - 1)
                dst.write(clip(sum >> 4));
        }
    }
}
