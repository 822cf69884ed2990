/* Bit widths of unsigned integers, as sources of Vivado HLS use them. */
#ifndef PPNSIM_BIT_WIDTH_H
#define PPNSIM_BIT_WIDTH_H
#ifdef __cplusplus
#include "ap_int.h"
template <unsigned n_> struct BitWidth {
    static const unsigned Value = 1 + BitWidth<n_ / 2>::Value;
};
template <> struct BitWidth<0> {
    static const unsigned Value = 0;
};
template <unsigned n_> struct UnsignedBitWidth : BitWidth<n_> {};
template <class t_> struct Type_BitWidth {
    static const unsigned Value = 8 * sizeof(t_);
};
template <int w_, bool s_> struct Type_BitWidth<ap_int_base<w_, s_>> {
    static const unsigned Value = w_;
};
#endif
#endif
