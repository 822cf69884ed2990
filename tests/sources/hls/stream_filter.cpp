// Packets of an AXI stream: threshold the data, pass the side channels on.
#include "ap_axi_sdata.h"
#include "ap_int.h"
#include "hls_stream.h"

typedef ap_axiu<32, 1, 1, 1> packet_t;

void stream_filter(hls::stream<packet_t> &in, hls::stream<packet_t> &out, ap_uint<32> threshold)
{
#pragma HLS INTERFACE axis register_mode=both register port=in
#pragma HLS INTERFACE axis register_mode=both register port=out
#pragma HLS INTERFACE s_axilite port=threshold bundle=control
#pragma HLS INTERFACE s_axilite port=return bundle=control
    for (int i = 0; i < 640; i++) {
#pragma HLS pipeline II=1 rewind
        packet_t p = in.read();
        ap_uint<8> high = p.data.range(31, 24), low = p.data(7, 0);
        ap_uint<9> both = high + low;
        if (p.data > threshold) {
            p.data(15, 8) = 0xff;
            p.data[0] = 1;
        } else {
            p.data = 0;
        }
        p.user = both[8];
        p.last = (i == 639);
        out.write(p);
    }
}
