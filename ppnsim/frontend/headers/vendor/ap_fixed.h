/* Declarations of the fixed-point types of high-level synthesis, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_FIXED_H
#define PPNSIM_AP_FIXED_H
#include "ap_int.h"

enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };

template <int W, int I, bool S> struct ap_fixed_base;

template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0>
using ap_fixed = ap_fixed_base<W, I, true>;
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0>
using ap_ufixed = ap_fixed_base<W, I, false>;

/* W bits, I of them before the point (with the sign). What a value is made of or given: any number. */
template <int W, int I, bool S> struct ap_fixed_base {
    ap_fixed_base() = default;
    ap_fixed_base(int);
    ap_fixed_base(unsigned);
    ap_fixed_base(long);
    ap_fixed_base(double);
    ap_fixed_base(float);
    template <int W2, bool S2> ap_fixed_base(const ap_int_base<W2, S2> &);
    template <int W2, int I2, bool S2> ap_fixed_base(const ap_fixed_base<W2, I2, S2> &);
    explicit operator int() const;
    explicit operator float() const;
    explicit operator double() const;
};

#define PPNSIM_MAX(a, b) ((a) > (b) ? (a) : (b))
/* Integer and fraction bits of a sum, a product and a quotient of two formats, as the vendor's manual gives them. */
#define PPNSIM_SUM(W1, I1, S1, W2, I2, S2) \
    (PPNSIM_MAX(I1 + (S2 && !S1), I2 + (S1 && !S2)) + 1 + PPNSIM_MAX(W1 - I1, W2 - I2))
#define PPNSIM_SUM_I(W1, I1, S1, W2, I2, S2) (PPNSIM_MAX(I1 + (S2 && !S1), I2 + (S1 && !S2)) + 1)
#define PPNSIM_TWO template <int W1, int I1, bool S1, int W2, int I2, bool S2>
#define PPNSIM_BOTH const ap_fixed_base<W1, I1, S1> &, const ap_fixed_base<W2, I2, S2> &

PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(W1, I1, S1, W2, I2, S2), PPNSIM_SUM_I(W1, I1, S1, W2, I2, S2), S1 || S2>
operator+(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<PPNSIM_SUM(W1, I1, S1, W2, I2, S2), PPNSIM_SUM_I(W1, I1, S1, W2, I2, S2), true>
operator-(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<W1 + W2, I1 + I2, S1 || S2> operator*(PPNSIM_BOTH);
PPNSIM_TWO ap_fixed_base<W1 + W2 - I2 + S2, I1 + W2 - I2 + S2, S1 || S2> operator/(PPNSIM_BOTH);
template <int W, int I, bool S> ap_fixed_base<W + 1, I + 1, true> operator-(const ap_fixed_base<W, I, S> &);
template <int W, int I, bool S> ap_fixed_base<W, I, S> operator>>(const ap_fixed_base<W, I, S> &, int);
template <int W, int I, bool S> ap_fixed_base<W, I, S> operator<<(const ap_fixed_base<W, I, S> &, int);

/* A number of C beside a fixed-point one is taken in its format. */
#define PPNSIM_MIXED(OP, T)                                                                                       \
    template <int W, int I, bool S>                                                                               \
    decltype(ap_fixed_base<W, I, S>() OP ap_fixed_base<W, I, S>()) operator OP(const ap_fixed_base<W, I, S> &, T); \
    template <int W, int I, bool S>                                                                               \
    decltype(ap_fixed_base<W, I, S>() OP ap_fixed_base<W, I, S>()) operator OP(T, const ap_fixed_base<W, I, S> &);
#define PPNSIM_COMPARED(OP)                                          \
    PPNSIM_TWO bool operator OP(PPNSIM_BOTH);                        \
    PPNSIM_MIXED(OP, int) PPNSIM_MIXED(OP, double) PPNSIM_MIXED(OP, float)
#define PPNSIM_CHANGED(OP)                                                                                \
    PPNSIM_TWO ap_fixed_base<W1, I1, S1> &operator OP(ap_fixed_base<W1, I1, S1> &, const ap_fixed_base<W2, I2, S2> &); \
    template <int W, int I, bool S> ap_fixed_base<W, I, S> &operator OP(ap_fixed_base<W, I, S> &, int);   \
    template <int W, int I, bool S> ap_fixed_base<W, I, S> &operator OP(ap_fixed_base<W, I, S> &, float); \
    template <int W, int I, bool S> ap_fixed_base<W, I, S> &operator OP(ap_fixed_base<W, I, S> &, double);

PPNSIM_MIXED(+, int) PPNSIM_MIXED(+, double) PPNSIM_MIXED(+, float)
PPNSIM_MIXED(-, int) PPNSIM_MIXED(-, double) PPNSIM_MIXED(-, float)
PPNSIM_MIXED(*, int) PPNSIM_MIXED(*, double) PPNSIM_MIXED(*, float)
PPNSIM_MIXED(/, int) PPNSIM_MIXED(/, double) PPNSIM_MIXED(/, float)
PPNSIM_COMPARED(<) PPNSIM_COMPARED(<=) PPNSIM_COMPARED(>) PPNSIM_COMPARED(>=) PPNSIM_COMPARED(==) PPNSIM_COMPARED(!=)
PPNSIM_CHANGED(+=) PPNSIM_CHANGED(-=) PPNSIM_CHANGED(*=) PPNSIM_CHANGED(/=)

/* A root of I bits before the point has half of them. */
template <int W, int I, bool S> ap_fixed_base<W - I + (I + 1) / 2, (I + 1) / 2, false> sqrt(ap_fixed_base<W, I, S>);
#endif
