// Vector addition as four tasks with FIFOs between them.
#include <hls_stream.h>

#define DATA_SIZE 4096

static void read_input(const unsigned *in, hls::stream<unsigned> &to)
{
mem_rd:
    for (int i = 0; i < DATA_SIZE; i++) {
        to << in[i];
    }
}

static void compute_add(hls::stream<unsigned> &in1, hls::stream<unsigned> &in2, hls::stream<unsigned> &out)
{
execute:
    for (int i = 0; i < DATA_SIZE; i++) {
#pragma HLS PIPELINE II=1
        out << (in1.read() + in2.read());
    }
}

static void write_result(unsigned *out, hls::stream<unsigned> &from)
{
mem_wr:
    for (int i = 0; i < DATA_SIZE; i++) {
        out[i] = from.read();
    }
}

extern "C" {
void vadd(const unsigned in1[DATA_SIZE], const unsigned in2[DATA_SIZE], unsigned out[DATA_SIZE])
{
#pragma HLS INTERFACE bram port = in1
    static hls::stream<unsigned> in1_stream("in1"), in2_stream("in2"), out_stream("out");
#pragma HLS STREAM variable = in1_stream depth = 32
#pragma HLS STREAM variable = in2_stream depth = 32
#pragma HLS STREAM variable = out_stream depth = 32
#pragma HLS dataflow
    read_input(in1, in1_stream);
    read_input(in2, in2_stream);
    compute_add(in1_stream, in2_stream, out_stream);
    write_result(out, out_stream);
}
}
