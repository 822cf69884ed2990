/* Declarations of internal helpers of Vivado HLS that sources use: a register, the bits of a floating-point number,
   the bits that a number needs, the limits of types. Written from their use in public sources; they are undocumented. */
#ifndef PPNSIM_X_HLS_UTILS_H
#define PPNSIM_X_HLS_UTILS_H
#ifdef __cplusplus
#include "../ap_int.h"
#if __has_include(<limits>)
#include <limits>
#endif
#include "../ppnsim_bit_width.h"

/* The largest value, the smallest value (for floating point the smallest positive one) and the step of a type. */
namespace hls {
template <class t_> struct numeric_limits;
#if __has_include(<limits>)
template <class t_> struct numeric_limits {
    static t_ max() { return std::numeric_limits<t_>::max(); }
    static t_ min() { return std::numeric_limits<t_>::min(); }
    static t_ epsilon() { return std::numeric_limits<t_>::epsilon(); }
};
#endif
template <int w_, bool s_> struct numeric_limits<ap_int_base<w_, s_> > {
    static ap_int_base<w_, s_> max() { return ap_int_base<w_, false>(-1) >> (s_ ? 1 : 0); }
    static ap_int_base<w_, s_> min() { return s_ ? ap_int_base<w_, s_>(1) << (w_ - 1) : ap_int_base<w_, s_>(0); }
    static ap_int_base<w_, s_> epsilon() { return 1; }
};
template <PPNSIM_FORMAT> struct numeric_limits<PPNSIM_FIX > {
    typedef numeric_limits<ap_int_base<w_, s_> > bits_;
    static PPNSIM_FIX of_(ap_int_base<w_, s_> held_) {
        PPNSIM_FIX x_;
        x_(w_ - 1, 0) = held_;
        return x_;
    }
    static PPNSIM_FIX max() { return of_(bits_::max()); }
    static PPNSIM_FIX min() { return of_(bits_::min()); }
    static PPNSIM_FIX epsilon() { return of_(1); }
};
}

/* A register for a value: one state, which a schedule does not count, and the report tells so (latency). */
template <class t_> t_ reg(t_ x_) {
#pragma HLS inline off
#pragma HLS latency min = 1 max = 1
    return x_;
}

template <class t_> struct ppnsim_float_;
template <> struct ppnsim_float_<float> {
    static const int bits = 32, fraction = 23, exponent = 8;
    union bits_of { float value; ap_uint<32> bits; };
};
template <> struct ppnsim_float_<double> {
    static const int bits = 64, fraction = 52, exponent = 11;
    union bits_of { double value; ap_uint<64> bits; };
};

template <class t_> class fp_struct {
    typedef ppnsim_float_<t_> of_;
  public:
    static const int BITS = of_::bits, SIG_BITS = of_::fraction, EXP_BITS = of_::exponent;
    static const int EXP_BIAS = (1 << (EXP_BITS - 1)) - 1, EXP_INFNAN = (1 << EXP_BITS) - 1;
    typedef ap_uint<BITS> data_type;
    ap_uint<SIG_BITS> sig;
    ap_uint<EXP_BITS> exp;
    ap_uint<1> sign;
    fp_struct(t_ x_) {
        typename of_::bits_of u_;
        u_.value = x_;
        put_(u_.bits);
    }
    fp_struct(data_type x_) { put_(x_); }
    data_type data() const {
        data_type x_;
        x_(BITS - 1, BITS - 1) = sign;
        x_(BITS - 2, SIG_BITS) = exp;
        x_(SIG_BITS - 1, 0) = sig;
        return x_;
    }
    t_ to_ieee() const {
        typename of_::bits_of u_;
        u_.bits = data();
        return u_.value;
    }
    float to_float() const { return to_ieee(); }
    double to_double() const { return to_ieee(); }
    ap_uint<SIG_BITS> mantissa() const { return sig; }
    int expv() const { return exp - EXP_BIAS; }
    bool __signbit() const { return sign; }
  private:
    void put_(data_type x_) {
        sign = x_(BITS - 1, BITS - 1);
        exp = x_(BITS - 2, SIG_BITS);
        sig = x_(SIG_BITS - 1, 0);
    }
};
#endif
#endif
