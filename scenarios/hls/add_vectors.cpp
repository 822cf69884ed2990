/* Two vectors in a memory are added: three m_axi ports, one of which allows too few outstanding bursts.
 *
 * A read takes 64 cycles on the bus and 8 in its adapter. The port of `b` has two bursts of 8 beats under way in that
 * time, so that `add` gets one element in five cycles. See which port sets the pace:
 *     ppnsim explain scenarios/hls/add_vectors.cpp
 * Take the two numbers out of its pragma (16 bursts of 16 beats are the default), and run it again. With a DRAM behind
 * all three ports, in place of the 64 cycles:
 *     ppnsim run scenarios/hls/add_vectors.cpp --memory DDR4-2400
 */
#include "hls_stream.h"

#define SIZE 512

static void load(const int memory[SIZE], hls::stream<int> &elements)
{
    for (int i = 0; i < SIZE; i++) {
        elements.write(memory[i]);
    }
}

static void add(hls::stream<int> &left, hls::stream<int> &right, hls::stream<int> &sums)
{
    for (int i = 0; i < SIZE; i++) {
        sums.write(left.read() + right.read());
    }
}

static void store(hls::stream<int> &sums, int memory[SIZE])
{
    for (int i = 0; i < SIZE; i++) {
        memory[i] = sums.read();
    }
}

void add_vectors(const int a[SIZE], const int b[SIZE], int sum[SIZE])
{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1 num_read_outstanding=2 max_read_burst_length=8
#pragma HLS interface m_axi port=sum bundle=gmem2
#pragma HLS dataflow
    hls::stream<int> left;
    hls::stream<int> right;
    hls::stream<int> sums;
    load(a, left);
    load(b, right);
    add(left, right, sums);
    store(sums, sum);
}
