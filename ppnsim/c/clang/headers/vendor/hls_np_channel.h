/* The vendor's channels with several readers or writers in turn, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_NP_CHANNEL_H
#define PPNSIM_HLS_NP_CHANNEL_H
#include "hls_stream.h"
#include "hls_task.h"
namespace hls {
/* Ports of load_balance are also served in turn, and the report tells so: which port is first depends on cycles. */
/* The main buffer (`depth_` tokens) is before a split and after a merge; port buffers hold `port_` tokens (UG1399). */
namespace split {
template <typename t_, int depth_, int n_> void split_round_robin(stream<t_> &in, stream<t_, depth_> (&out)[n_]) {
#pragma HLS pipeline
    for (int at_ = 0; at_ < n_; at_++) {
#pragma HLS unroll
        out[at_].write(in.read());
    }
}
template <typename t_, int depth_, int n_> void split_load_balance(stream<t_> &in, stream<t_, depth_> (&out)[n_]) {
#pragma HLS pipeline
    for (int at_ = 0; at_ < n_; at_++) {
#pragma HLS unroll
        out[at_].write(in.read());
    }
}
template <typename t_, int n_, int depth_ = 2, int port_ = 0> class round_robin {
  public:
    stream<t_, depth_> in;
    stream<t_, (port_ > 0 ? port_ : 1)> out[n_];
    round_robin() {
#pragma HLS inline
        hls::task each_(split_round_robin<t_, (port_ > 0 ? port_ : 1), n_>, in, out);
    }
};
template <typename t_, int n_, int depth_ = 2, int port_ = 0> class load_balance {
  public:
    stream<t_, depth_> in;
    stream<t_, (port_ > 0 ? port_ : 1)> out[n_];
    load_balance() {
#pragma HLS inline
        hls::task each_(split_load_balance<t_, (port_ > 0 ? port_ : 1), n_>, in, out);
    }
};
}
namespace merge {
template <typename t_, int depth_, int n_> void merge_round_robin(stream<t_, depth_> (&in)[n_], stream<t_> &out) {
#pragma HLS pipeline
    for (int at_ = 0; at_ < n_; at_++) {
#pragma HLS unroll
        out.write(in[at_].read());
    }
}
template <typename t_, int depth_, int n_> void merge_load_balance(stream<t_, depth_> (&in)[n_], stream<t_> &out) {
#pragma HLS pipeline
    for (int at_ = 0; at_ < n_; at_++) {
#pragma HLS unroll
        out.write(in[at_].read());
    }
}
template <typename t_, int n_, int depth_ = 2, int port_ = 0> class round_robin {
  public:
    stream<t_, (port_ > 0 ? port_ : 1)> in[n_];
    stream<t_, depth_> out;
    round_robin() {
#pragma HLS inline
        hls::task each_(merge_round_robin<t_, (port_ > 0 ? port_ : 1), n_>, in, out);
    }
};
template <typename t_, int n_, int depth_ = 2, int port_ = 0> class load_balance {
  public:
    stream<t_, (port_ > 0 ? port_ : 1)> in[n_];
    stream<t_, depth_> out;
    load_balance() {
#pragma HLS inline
        hls::task each_(merge_load_balance<t_, (port_ > 0 ? port_ : 1), n_>, in, out);
    }
};
}
}
#endif
