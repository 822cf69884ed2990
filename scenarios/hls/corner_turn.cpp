/* Columns of an image in blocks of 16 rows: no FIFO turns a corner, and a block is read while the next one is written.
 *
 *     ppnsim schedule scenarios/hls/corner_turn.cpp
 *     ppnsim size scenarios/hls/corner_turn.cpp
 *     ppnsim run scenarios/hls/corner_turn.cpp -D BLOCKS=1
 */
#include "hls_stream.h"
#include "hls_streamofblocks.h"

#ifndef BLOCKS
#define BLOCKS 2
#endif
#define ROWS 128
#define SIDE 16

typedef short tile[SIDE][SIDE];

void by_rows(hls::stream<short> &pixels, hls::stream_of_blocks<tile, BLOCKS> &tiles) {
    for (int at = 0; at < ROWS; at += SIDE) {
        hls::write_lock<tile> block(tiles);
        for (int row = 0; row < SIDE; row++)
            for (int column = 0; column < SIDE; column++) {
#pragma HLS pipeline II=1
                block[row][column] = pixels.read();
            }
    }
}

void by_columns(hls::stream_of_blocks<tile, BLOCKS> &tiles, hls::stream<short> &turned) {
    for (int at = 0; at < ROWS; at += SIDE) {
        hls::read_lock<tile> block(tiles);
        for (int column = 0; column < SIDE; column++)
            for (int row = 0; row < SIDE; row++) {
#pragma HLS pipeline II=1
                turned.write(block[row][column]);
            }
    }
}

void corner_turn(hls::stream<short> &pixels, hls::stream<short> &turned) {
#pragma HLS dataflow
    hls::stream_of_blocks<tile, BLOCKS> tiles;
    by_rows(pixels, tiles);
    by_columns(tiles, turned);
}
