/* Declarations of the fixed-point types of high-level synthesis, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_FIXED_H
#define PPNSIM_AP_FIXED_H
#include "ap_int.h"

enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };

template <int w_, int i_, bool s_> struct ap_fixed_base;

template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_fixed = ap_fixed_base<w_, i_, true>;
template <int w_, int i_, ap_q_mode q_ = AP_TRN, ap_o_mode o_ = AP_WRAP, int n_ = 0>
using ap_ufixed = ap_fixed_base<w_, i_, false>;

/* W bits, I of them before the point (with the sign). What a value is made of or given: any number. */
template <int w_, int i_, bool s_> struct ap_fixed_base {
    ap_fixed_base() = default;
    ap_fixed_base(int);
    ap_fixed_base(unsigned);
    ap_fixed_base(long);
    ap_fixed_base(double);
    ap_fixed_base(float);
    template <int w2_, bool s2_> ap_fixed_base(const ap_int_base<w2_, s2_> &);
    template <int w2_, int i2_, bool s2_> ap_fixed_base(const ap_fixed_base<w2_, i2_, s2_> &);
    explicit operator int() const;
    explicit operator float() const;
    explicit operator double() const;
    int to_int() const;
    float to_float() const;
    double to_double() const;
    ap_range_ref<w_> range(int high_, int low_) const;
    ap_range_ref<w_> range() const;
    ap_range_ref<w_> operator()(int high_, int low_) const;
    ap_range_ref<1> operator[](int at_) const;
};

#define PPNSIM_MAX(a_, b_) ((a_) > (b_) ? (a_) : (b_))
/* Integer and fraction bits of a sum, a product and a quotient of two formats, as the vendor's manual gives them. */
#define PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_) \
    (PPNSIM_MAX(i1_ + (s2_ && !s1_), i2_ + (s1_ && !s2_)) + 1 + PPNSIM_MAX(w1_ - i1_, w2_ - i2_))
#define PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_) (PPNSIM_MAX(i1_ + (s2_ && !s1_), i2_ + (s1_ && !s2_)) + 1)
#define PPNSIM_TWO template <int w1_, int i1_, bool s1_, int w2_, int i2_, bool s2_>
#define PPNSIM_BOTH const ap_fixed_base<w1_, i1_, s1_> &, const ap_fixed_base<w2_, i2_, s2_> &

PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_), PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_), s1_ || s2_>
operator+(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(w1_, i1_, s1_, w2_, i2_, s2_), PPNSIM_SUM_I(w1_, i1_, s1_, w2_, i2_, s2_), true>
operator-(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<w1_ + w2_, i1_ + i2_, s1_ || s2_> operator*(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<w1_ + w2_ - i2_ + s2_, i1_ + w2_ - i2_ + s2_, s1_ || s2_> operator/(PPNSIM_BOTH);
template <int w_, int i_, bool s_> ap_fixed_base<w_ + 1, i_ + 1, true> operator-(const ap_fixed_base<w_, i_, s_> &);
template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> operator>>(const ap_fixed_base<w_, i_, s_> &, int);
template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> operator<<(const ap_fixed_base<w_, i_, s_> &, int);

/* A number of C beside a fixed-point one is taken in its format. */
#define PPNSIM_MIXED(op_, t_)                                                                                       \
    template <int w_, int i_, bool s_>                                                                               \
    decltype(ap_fixed_base<w_, i_, s_>() op_ ap_fixed_base<w_, i_, s_>()) operator op_(const ap_fixed_base<w_, i_, s_> &, t_); \
    template <int w_, int i_, bool s_>                                                                               \
    decltype(ap_fixed_base<w_, i_, s_>() op_ ap_fixed_base<w_, i_, s_>()) operator op_(t_, const ap_fixed_base<w_, i_, s_> &);
#define PPNSIM_COMPARED(op_)                                          \
    PPNSIM_TWO bool operator op_(PPNSIM_BOTH);                        \
    PPNSIM_MIXED(op_, int) PPNSIM_MIXED(op_, double) PPNSIM_MIXED(op_, float)
#define PPNSIM_CHANGED(op_)                                                                                \
    PPNSIM_TWO ap_fixed_base<w1_, i1_, s1_> &operator op_(ap_fixed_base<w1_, i1_, s1_> &, const ap_fixed_base<w2_, i2_, s2_> &); \
    template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> &operator op_(ap_fixed_base<w_, i_, s_> &, int);   \
    template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> &operator op_(ap_fixed_base<w_, i_, s_> &, float); \
    template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> &operator op_(ap_fixed_base<w_, i_, s_> &, double);

PPNSIM_MIXED(+, int) PPNSIM_MIXED(+, double) PPNSIM_MIXED(+, float)
PPNSIM_MIXED(-, int) PPNSIM_MIXED(-, double) PPNSIM_MIXED(-, float)
PPNSIM_MIXED(*, int) PPNSIM_MIXED(*, double) PPNSIM_MIXED(*, float)
PPNSIM_MIXED(/, int) PPNSIM_MIXED(/, double) PPNSIM_MIXED(/, float)
PPNSIM_COMPARED(<) PPNSIM_COMPARED(<=) PPNSIM_COMPARED(>) PPNSIM_COMPARED(>=) PPNSIM_COMPARED(==) PPNSIM_COMPARED(!=)
PPNSIM_CHANGED(+=) PPNSIM_CHANGED(-=) PPNSIM_CHANGED(*=) PPNSIM_CHANGED(/=)

/* A root of I bits before the point has half of them. */
template <int w_, int i_, bool s_> ap_fixed_base<w_ - i_ + (i_ + 1) / 2, (i_ + 1) / 2, false> sqrt(ap_fixed_base<w_, i_, s_>);
#endif
