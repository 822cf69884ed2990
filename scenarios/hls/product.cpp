/* A matrix product whose inner loop is unrolled: 16 products a cycle, because both arrays are cut into registers.
 *
 * The three tasks hand whole matrices on, so that the next product is loaded while this one is computed:
 *     ppnsim schedule scenarios/hls/product.cpp
 * Without the partition of `b`, its two ports allow two products a cycle:
 *     sed /variable=b/d scenarios/hls/product.cpp > slow.cpp && ppnsim schedule slow.cpp
 */
#include "hls_stream.h"

#define N 16

static void load(const int a_in[N][N], const int b_in[N][N], hls::stream<int> &a_rows, int b[N][N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a_rows.write(a_in[i][j]);
            b[i][j] = b_in[i][j];
        }
    }
}

static void multiply(hls::stream<int> &a_rows, int b[N][N], hls::stream<int> &c_rows)
{
    int row[N];
#pragma HLS array_partition variable=row complete
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            row[k] = a_rows.read();
        }
        for (int j = 0; j < N; j++) {
#pragma HLS pipeline II=1
            int sum = 0;
            for (int k = 0; k < N; k++) {
#pragma HLS unroll
                sum += row[k] * b[k][j];
            }
            c_rows.write(sum);
        }
    }
}

static void store(hls::stream<int> &c_rows, int c[N][N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            c[i][j] = c_rows.read();
        }
    }
}

void product(const int a_in[N][N], const int b_in[N][N], int c[N][N])
{
#pragma HLS dataflow
    hls::stream<int> a_rows;
    hls::stream<int> c_rows;
#pragma HLS stream variable=a_rows depth=256
    int b[N][N];
#pragma HLS array_partition variable=b dim=1 complete
    load(a_in, b_in, a_rows, b);
    multiply(a_rows, b, c_rows);
    store(c_rows, c);
}
