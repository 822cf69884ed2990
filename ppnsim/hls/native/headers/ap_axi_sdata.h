/* Packets of AXI streams that execute: data and side channels (UG1399). */
#ifndef PPNSIM_NATIVE_AXI_H
#define PPNSIM_NATIVE_AXI_H
#include "ap_int.h"
#include "hls_stream.h"
#define PPNSIM_SIDE(w_) ((w_) ? (w_) : 1)
#define PPNSIM_PACKET(name_, data_t_)                                    \
    template <int d_, int u_ = 0, int i_ = 0, int t_ = 0> struct name_ { \
        data_t_ data;                                                    \
        ap_uint<(d_ + 7) / 8> keep, strb;                                \
        ap_uint<PPNSIM_SIDE(u_)> user;                                   \
        ap_uint<1> last;                                                 \
        ap_uint<PPNSIM_SIDE(i_)> id;                                     \
        ap_uint<PPNSIM_SIDE(t_)> dest;                                   \
    };
PPNSIM_PACKET(ap_axiu, ap_uint<d_>)
PPNSIM_PACKET(ap_axis, ap_int<d_>)
namespace hls {
template <typename t_, int u_ = 0, int i_ = 0, int d_ = 0> struct axis {
    t_ data;
    ap_uint<sizeof(t_)> keep, strb;
    ap_uint<PPNSIM_SIDE(u_)> user;
    ap_uint<1> last;
    ap_uint<PPNSIM_SIDE(i_)> id;
    ap_uint<PPNSIM_SIDE(d_)> dest;
};
}
#endif
