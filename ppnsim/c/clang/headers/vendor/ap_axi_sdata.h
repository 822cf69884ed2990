/* Declarations of the vendor's packets of AXI streams, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_AXI_SDATA_H
#define PPNSIM_AP_AXI_SDATA_H
#include "ap_int.h"
#include "hls_stream.h"

/* A side channel of no bits is kept as one of a single bit, which nothing uses. */
#define PPNSIM_SIDE(w_) ((w_) ? (w_) : 1)
#define PPNSIM_PACKET(name_, data_t_)                                                \
    template <int d_, int u_ = 0, int i_ = 0, int t_ = 0> struct name_ {             \
        data_t_ data;                                                                \
        ap_uint<(d_ + 7) / 8> keep;                                                  \
        ap_uint<(d_ + 7) / 8> strb;                                                  \
        ap_uint<PPNSIM_SIDE(u_)> user;                                               \
        ap_uint<1> last;                                                             \
        ap_uint<PPNSIM_SIDE(i_)> id;                                                 \
        ap_uint<PPNSIM_SIDE(t_)> dest;                                               \
        data_t_ get_data() const { return data; }                                    \
        void set_data(const data_t_ &of_) { data = of_; }                            \
        ap_uint<1> get_last() const { return last; }                                 \
        void set_last(const ap_uint<1> &of_) { last = of_; }                         \
        void keep_all() { keep = -1; }                                               \
    };
PPNSIM_PACKET(ap_axiu, ap_uint<d_>)
PPNSIM_PACKET(ap_axis, ap_int<d_>)

template <int d_, int u_, int i_, int t_> struct qdma_axis {
    ap_uint<d_> data;
    ap_uint<(d_ + 7) / 8> keep;
    ap_uint<1> last;
    ap_uint<d_> get_data() const { return data; }
    void set_data(const ap_uint<d_> &of_) { data = of_; }
    ap_uint<(d_ + 7) / 8> get_keep() const { return keep; }
    void set_keep(const ap_uint<(d_ + 7) / 8> &of_) { keep = of_; }
    void keep_all() { keep = -1; }
    ap_uint<1> get_last() const { return last; }
    void set_last(const ap_uint<1> &of_) { last = of_; }
};

/* Which side channels a packet has. */
enum : unsigned char {
    AXIS_DISABLE_DATA = 0, AXIS_ENABLE_DATA = 1, AXIS_ENABLE_DEST = 2, AXIS_ENABLE_ID = 4, AXIS_ENABLE_KEEP = 8,
    AXIS_ENABLE_LAST = 16, AXIS_ENABLE_STRB = 32, AXIS_ENABLE_USER = 64, AXIS_ENABLE_ALL = 127,
};

namespace hls {
template <typename t_, int u_ = 0, int i_ = 0, int d_ = 0, unsigned char enabled_ = 127, bool strict_ = true> struct axis {
    t_ data;
    ap_uint<(sizeof(t_))> keep;
    ap_uint<(sizeof(t_))> strb;
    ap_uint<PPNSIM_SIDE(u_)> user;
    ap_uint<1> last;
    ap_uint<PPNSIM_SIDE(i_)> id;
    ap_uint<PPNSIM_SIDE(d_)> dest;
    t_ get_data() const { return data; }
    void set_data(t_ of_) { data = of_; }
    ap_uint<1> get_last() const { return last; }
    void set_last(ap_uint<1> of_) { last = of_; }
    void keep_all() { keep = -1; }
};
template <int u_, unsigned char enabled_ = 127, bool strict_ = true> struct axis_user {
    ap_uint<1> last;
    ap_uint<u_> user;
    ap_uint<u_> get_user() const { return user; }
    void set_user(ap_uint<u_> of_) { user = of_; }
    ap_uint<1> get_last() const { return last; }
    void set_last(ap_uint<1> of_) { last = of_; }
};
template <typename t_, unsigned char enabled_ = 25, bool strict_ = true> using axis_data = axis<t_, 0, 0, 0, enabled_, strict_>;
}
#endif
