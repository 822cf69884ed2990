/* Declarations of the vendor's packets of AXI streams, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_AXI_SDATA_H
#define PPNSIM_AP_AXI_SDATA_H
#include "ap_int.h"
#include "hls_stream.h"

/* A side channel of 0 bits is kept as a single bit, which nothing uses. */
#define PPNSIM_SIDE(w_) ((w_) ? (w_) : 1)
#define PPNSIM_CHANNEL(type_, name_)             \
    type_ name_;                                 \
    type_ get_##name_() const { return name_; }  \
    void set_##name_(type_ of_) { name_ = of_; }
#define PPNSIM_PARTS(bytes_, u_, i_, t_)           \
    PPNSIM_CHANNEL(ap_uint<bytes_>, keep)          \
    PPNSIM_CHANNEL(ap_uint<bytes_>, strb)          \
    PPNSIM_CHANNEL(ap_uint<PPNSIM_SIDE(u_)>, user) \
    PPNSIM_CHANNEL(ap_uint<1>, last)               \
    PPNSIM_CHANNEL(ap_uint<PPNSIM_SIDE(i_)>, id)   \
    PPNSIM_CHANNEL(ap_uint<PPNSIM_SIDE(t_)>, dest) \
    void keep_all() { keep = -1; }                 \
    void strb_all() { strb = -1; }
#define PPNSIM_PACKET(name_, data_t_)                                    \
    template <int d_, int u_ = 0, int i_ = 0, int t_ = 0> struct name_ { \
        PPNSIM_CHANNEL(data_t_, data)                                    \
        PPNSIM_PARTS((d_ + 7) / 8, u_, i_, t_)                           \
    };
PPNSIM_PACKET(ap_axiu, ap_uint<d_>)
PPNSIM_PACKET(ap_axis, ap_int<d_>)

template <int d_, int u_ = 0, int i_ = 0, int t_ = 0> struct qdma_axis {
    PPNSIM_CHANNEL(ap_uint<d_>, data)
    PPNSIM_CHANNEL(ap_uint<(d_ + 7) / 8>, keep)
    PPNSIM_CHANNEL(ap_uint<1>, last)
    void keep_all() { keep = -1; }
};

/* The side channels of a packet. */
enum : unsigned char {
    AXIS_DISABLE_DATA = 0, AXIS_ENABLE_DATA = 1, AXIS_ENABLE_DEST = 2, AXIS_ENABLE_ID = 4, AXIS_ENABLE_KEEP = 8,
    AXIS_ENABLE_LAST = 16, AXIS_ENABLE_STRB = 32, AXIS_ENABLE_USER = 64, AXIS_ENABLE_ALL = 127,
};

namespace hls {
template <typename t_, int u_ = 0, int i_ = 0, int d_ = 0, unsigned char enabled_ = 127, bool strict_ = true> struct axis {
    PPNSIM_CHANNEL(t_, data)
    PPNSIM_PARTS(sizeof(t_), u_, i_, d_)
};
template <int u_, unsigned char enabled_ = 127, int i_ = 0, int d_ = 0, bool strict_ = true> struct axis_user {
    PPNSIM_PARTS(1, u_, i_, d_)
};
template <typename t_, unsigned char enabled_ = 25, bool strict_ = true> using axis_data = axis<t_, 0, 0, 0, enabled_, strict_>;
}
#endif
