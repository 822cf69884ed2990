/* A systolic array of 2 x 2 elements: each hands operands on to its neighbours and keeps its own sum.
 *
 *     ppnsim run scenarios/hls/systolic.cpp
 *     ppnsim draw scenarios/hls/systolic.cpp -o systolic.svg
 */
#include "hls_stream.h"

#define DEPTH 32

typedef hls::stream<int> wire_t;

static void feed(const int a[2][DEPTH], const int b[DEPTH][2], wire_t rows[2], wire_t columns[2])
{
    for (int k = 0; k < DEPTH; k++) {
#pragma HLS pipeline II=1
        for (int i = 0; i < 2; i++) {
#pragma HLS unroll
            rows[i].write(a[i][k]);
            columns[i].write(b[k][i]);
        }
    }
}

static void element(wire_t &left, wire_t &up, wire_t &right, wire_t &down, wire_t &result)
{
    int sum = 0;
    for (int k = 0; k < DEPTH; k++) {
        int a = left.read();
        int b = up.read();
        sum += a * b;
        right.write(a);
        down.write(b);
    }
    result.write(sum);
}

static void drain(wire_t rows[2], wire_t columns[2])
{
    for (int k = 0; k < DEPTH; k++) {
        for (int i = 0; i < 2; i++) {
#pragma HLS unroll
            rows[i].read();
            columns[i].read();
        }
    }
}

static void collect(wire_t results[4], int c[2][2])
{
    for (int i = 0; i < 4; i++) {
#pragma HLS unroll
        c[i / 2][i % 2] = results[i].read();
    }
}

void systolic(const int a[2][DEPTH], const int b[DEPTH][2], int c[2][2])
{
#pragma HLS dataflow
    wire_t rows[2], columns[2], across[2], along[2], out_rows[2], out_columns[2], results[4];
    feed(a, b, rows, columns);
    element(rows[0], columns[0], across[0], along[0], results[0]);
    element(across[0], columns[1], out_rows[0], along[1], results[1]);
    element(rows[1], along[0], across[1], out_columns[0], results[2]);
    element(across[1], along[1], out_rows[1], out_columns[1], results[3]);
    drain(out_rows, out_columns);
    collect(results, c);
}
