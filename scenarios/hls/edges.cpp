/* Edges of an image: a 3 x 3 window over two line buffers, one pixel a cycle.
 *
 * Both line buffers are memories of their own (dim=1), and the window is registers, shifted in two nested loops:
 *     ppnsim schedule scenarios/hls/edges.cpp
 */
#include "ap_int.h"
#include "hls_stream.h"

#define ROWS 32
#define COLUMNS 64

typedef ap_uint<8> pixel_t;

static void read(const pixel_t image[ROWS][COLUMNS], hls::stream<pixel_t> &pixels)
{
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            pixels.write(image[y][x]);
        }
    }
}

static void gradient(hls::stream<pixel_t> &pixels, hls::stream<pixel_t> &edges)
{
    static const int weight[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    pixel_t lines[2][COLUMNS];
    pixel_t window[3][3];
#pragma HLS array_partition variable=lines dim=1 complete
#pragma HLS array_partition variable=window dim=0 complete
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
#pragma HLS pipeline II=1
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 2; j++) {
                    window[i][j] = window[i][j + 1];
                }
            }
            pixel_t next = pixels.read();
            window[0][2] = lines[0][x];
            window[1][2] = lines[1][x];
            window[2][2] = next;
            lines[0][x] = window[1][2];
            lines[1][x] = next;
            int sum = 0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    sum += weight[i][j] * window[i][j];
                }
            }
            int size = sum < 0 ? -sum : sum;
            edges.write(y < 2 || x < 2 ? 0 : size > 255 ? 255 : size);
        }
    }
}

static void write(hls::stream<pixel_t> &edges, pixel_t result[ROWS][COLUMNS])
{
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            result[y][x] = edges.read();
        }
    }
}

void edges(const pixel_t image[ROWS][COLUMNS], pixel_t result[ROWS][COLUMNS])
{
#pragma HLS dataflow
    hls::stream<pixel_t> pixels, found;
    read(image, pixels);
    gradient(pixels, found);
    write(found, result);
}
