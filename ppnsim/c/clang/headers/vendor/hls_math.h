/* Declarations of the functions of the vendor's hls_math.h, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_MATH_H
#define PPNSIM_HLS_MATH_H
#include <math.h>
#ifdef __cplusplus
#include <cmath>
#include "ap_fixed.h"
#include "ap_utils.h"
#include "hls_half.h"
#include "ppnsim_bit_width.h"

/* The bits of a floating-point number; undocumented, written from their use in public sources. */
union single_cast {
    float f;
    unsigned i;
};
union double_cast {
    double d;
    unsigned long long i;
};

namespace hls {
#define PPNSIM_FIXED template <PPNSIM_FORMAT> PPNSIM_FIX
#define PPNSIM_ONE(name_)                                                        \
    double name_(double);                                                        \
    float name_(float);                                                          \
    half name_(half);                                                            \
    inline float name_##f(float x_) { return name_(x_); }                        \
    inline half half_##name_(half x_) { return name_(x_); }                      \
    PPNSIM_FIXED name_(PPNSIM_FIX);
#define PPNSIM_PAIR(name_)                                                       \
    double name_(double, double);                                                \
    float name_(float, float);                                                   \
    half name_(half, half);                                                      \
    inline float name_##f(float x_, float y_) { return name_(x_, y_); }          \
    PPNSIM_FIXED name_(PPNSIM_FIX, PPNSIM_FIX);
#define PPNSIM_TEST(name_)                                                       \
    bool name_(double);                                                          \
    bool name_(float);                                                           \
    bool name_(half);                                                            \
    template <PPNSIM_FORMAT> bool name_(PPNSIM_FIX);
#define PPNSIM_WHOLE(name_, t_)                                                  \
    t_ name_(double);                                                            \
    t_ name_(float);                                                             \
    t_ name_(half);                                                              \
    inline t_ name_##f(float x_) { return name_(x_); }
/* The root of a number with I integer bits has half as many. */
double sqrt(double);
float sqrt(float);
half sqrt(half);
/* Integers of up to 32 bits have integer roots (R2.17). */
signed char sqrt(signed char);
unsigned char sqrt(unsigned char);
short sqrt(short);
unsigned short sqrt(unsigned short);
int sqrt(int);
unsigned sqrt(unsigned);
inline float sqrtf(float x_) { return sqrt(x_); }
inline half half_sqrt(half x_) { return sqrt(x_); }
template <PPNSIM_FORMAT> ap_fixed_base<w_ - i_ + (i_ + 1) / 2, (i_ + 1) / 2, false> sqrt(PPNSIM_FIX);
template <int w_, bool s_> ap_int_base<(w_ + 1) / 2, false> sqrt(ap_int_base<w_, s_>);
PPNSIM_ONE(exp) PPNSIM_ONE(exp2) PPNSIM_ONE(exp10) PPNSIM_ONE(expm1) PPNSIM_ONE(log) PPNSIM_ONE(log2) PPNSIM_ONE(log10)
PPNSIM_ONE(log1p) PPNSIM_ONE(logb) PPNSIM_ONE(sin) PPNSIM_ONE(cos) PPNSIM_ONE(tan) PPNSIM_ONE(asin) PPNSIM_ONE(acos)
PPNSIM_ONE(atan) PPNSIM_ONE(sinh) PPNSIM_ONE(cosh) PPNSIM_ONE(tanh) PPNSIM_ONE(asinh) PPNSIM_ONE(acosh) PPNSIM_ONE(atanh)
PPNSIM_ONE(sinpi) PPNSIM_ONE(cospi) PPNSIM_ONE(tanpi) PPNSIM_ONE(asinpi) PPNSIM_ONE(acospi) PPNSIM_ONE(atanpi)
PPNSIM_ONE(abs) PPNSIM_ONE(fabs) PPNSIM_ONE(floor) PPNSIM_ONE(ceil) PPNSIM_ONE(round) PPNSIM_ONE(trunc) PPNSIM_ONE(rint)
PPNSIM_ONE(nearbyint) PPNSIM_ONE(recip) PPNSIM_ONE(rsqrt) PPNSIM_ONE(cbrt) PPNSIM_ONE(erf) PPNSIM_ONE(erfc)
PPNSIM_ONE(tgamma) PPNSIM_ONE(lgamma)
/* A part of tgamma, which Vitis_Libraries calls. */
double tgamma_p_reduce(double);
float tgamma_p_reduce(float);
/* An integer is converted to double. */
#define PPNSIM_OF_WHOLE(name_) template <typename t_, typename = typename ppnsim_whole<t_>::test> double name_(t_);
PPNSIM_OF_WHOLE(sqrt) PPNSIM_OF_WHOLE(exp) PPNSIM_OF_WHOLE(exp2) PPNSIM_OF_WHOLE(log) PPNSIM_OF_WHOLE(log2)
PPNSIM_OF_WHOLE(log10) PPNSIM_OF_WHOLE(sin) PPNSIM_OF_WHOLE(cos) PPNSIM_OF_WHOLE(tan) PPNSIM_OF_WHOLE(atan)
PPNSIM_OF_WHOLE(sinh) PPNSIM_OF_WHOLE(cosh) PPNSIM_OF_WHOLE(tanh) PPNSIM_OF_WHOLE(floor) PPNSIM_OF_WHOLE(ceil)
PPNSIM_OF_WHOLE(round) PPNSIM_OF_WHOLE(trunc) PPNSIM_OF_WHOLE(recip) PPNSIM_OF_WHOLE(rsqrt)
template <typename t_, typename = typename ppnsim_whole<t_>::test> double pow(t_, t_);
int abs(int);
long abs(long);
template <int w_, bool s_> ap_int_base<w_, s_> abs(ap_int_base<w_, s_>);
/* Functions of integers of any width, as in the vendor's headers: the result is as wide as the argument. */
#define PPNSIM_OF_INT(name_) template <int w_, bool s_> ap_int_base<w_, s_> name_(ap_int_base<w_, s_>);
PPNSIM_OF_INT(log) PPNSIM_OF_INT(log2) PPNSIM_OF_INT(log10) PPNSIM_OF_INT(logb) PPNSIM_OF_INT(exp)
PPNSIM_PAIR(pow) PPNSIM_PAIR(powr) PPNSIM_PAIR(fmin) PPNSIM_PAIR(fmax) PPNSIM_PAIR(atan2) PPNSIM_PAIR(atan2pi)
PPNSIM_PAIR(fmod) PPNSIM_PAIR(fdim) PPNSIM_PAIR(hypot) PPNSIM_PAIR(copysign) PPNSIM_PAIR(remainder)
PPNSIM_PAIR(nextafter) PPNSIM_PAIR(nexttoward) PPNSIM_PAIR(maxmag) PPNSIM_PAIR(minmag) PPNSIM_PAIR(divide)
PPNSIM_TEST(signbit) PPNSIM_TEST(isnan) PPNSIM_TEST(isinf) PPNSIM_TEST(isfinite) PPNSIM_TEST(isnormal)
PPNSIM_WHOLE(lrint, long) PPNSIM_WHOLE(lround, long) PPNSIM_WHOLE(llrint, long long) PPNSIM_WHOLE(llround, long long)
PPNSIM_WHOLE(ilogb, int)
template <PPNSIM_FORMAT> int ilogb(PPNSIM_FIX);
template <PPNSIM_FORMAT> long lrint(PPNSIM_FIX);
template <PPNSIM_FORMAT> long lround(PPNSIM_FIX);
template <PPNSIM_FORMAT> long long llrint(PPNSIM_FIX);
template <PPNSIM_FORMAT> long long llround(PPNSIM_FIX);
/* Functions with an integer argument, and functions that return two numbers. */
#define PPNSIM_WITH_WHOLE(name_)                                                 \
    double name_(double, int);                                                   \
    float name_(float, int);                                                     \
    half name_(half, int);                                                       \
    inline float name_##f(float x_, int y_) { return name_(x_, y_); }
PPNSIM_WITH_WHOLE(pow) PPNSIM_WITH_WHOLE(pown) PPNSIM_WITH_WHOLE(rootn) PPNSIM_WITH_WHOLE(ldexp)
PPNSIM_WITH_WHOLE(scalbn) PPNSIM_WITH_WHOLE(scalbln)
#define PPNSIM_THREE(name_)                                                      \
    double name_(double, double, double);                                        \
    float name_(float, float, float);                                            \
    half name_(half, half, half);                                                \
    inline float name_##f(float x_, float y_, float z_) { return name_(x_, y_, z_); }
PPNSIM_THREE(fma) PPNSIM_THREE(mad)
PPNSIM_ONE(ppnsim_fraction) PPNSIM_ONE(ppnsim_significand)
PPNSIM_WHOLE(ppnsim_exponent, int)
template <PPNSIM_FORMAT> int ppnsim_exponent(PPNSIM_FIX);
template <typename t_, typename s_> void sincos(t_ x_, s_ *sine_, s_ *cosine_) {
#pragma HLS inline
    *sine_ = hls::sin(x_);
    *cosine_ = hls::cos(x_);
}
template <typename t_, typename s_> void sincospi(t_ x_, s_ *sine_, s_ *cosine_) {
#pragma HLS inline
    *sine_ = hls::sinpi(x_);
    *cosine_ = hls::cospi(x_);
}
inline void sincosf(float x_, float *sine_, float *cosine_) { hls::sincos(x_, sine_, cosine_); }
template <typename t_> t_ modf(t_ x_, t_ *whole_) {
#pragma HLS inline
    *whole_ = hls::trunc(x_);
    return hls::ppnsim_fraction(x_);
}
template <typename t_> t_ fract(t_ x_, t_ *whole_) {
#pragma HLS inline
    *whole_ = hls::floor(x_);
    return hls::ppnsim_fraction(x_);
}
template <typename t_> t_ frexp(t_ x_, int *exponent_) {
#pragma HLS inline
    *exponent_ = hls::ppnsim_exponent(x_);
    return hls::ppnsim_significand(x_);
}
template <typename t_> t_ remquo(t_ x_, t_ y_, int *quotient_) {
#pragma HLS inline
    *quotient_ = hls::lrint(divide(x_, y_));
    return hls::remainder(x_, y_);
}
inline float remquof(float x_, float y_, int *quotient_) { return hls::remquo(x_, y_, quotient_); }
inline float frexpf(float x_, int *exponent_) { return hls::frexp(x_, exponent_); }
inline float modff(float x_, float *whole_) { return hls::modf(x_, whole_); }
double nan(const char *);
float nanf(const char *);
template <typename t_> int fpclassify(t_ x_) {
#pragma HLS inline
    return hls::isnan(x_) ? FP_NAN : hls::isinf(x_) ? FP_INFINITE : x_ == 0 ? FP_ZERO : hls::isnormal(x_) ? FP_NORMAL : FP_SUBNORMAL;
}
#define PPNSIM_COMPARED(name_, test_) template <typename t_> bool name_(t_ x_, t_ y_) { return test_; }
PPNSIM_COMPARED(isgreater, x_ > y_) PPNSIM_COMPARED(isgreaterequal, x_ >= y_) PPNSIM_COMPARED(isless, x_ < y_)
PPNSIM_COMPARED(islessequal, x_ <= y_) PPNSIM_COMPARED(isequal, x_ == y_) PPNSIM_COMPARED(isnotequal, x_ != y_)
PPNSIM_COMPARED(islessgreater, x_ < y_ || x_ > y_) PPNSIM_COMPARED(isunordered, hls::isnan(x_) || hls::isnan(y_))
template <typename t_> t_ max(t_ x_, t_ y_) { return x_ > y_ ? x_ : y_; }
template <typename t_> t_ min(t_ x_, t_ y_) { return x_ < y_ ? x_ : y_; }
}
/* The same functions without the namespace, in addition to those of C. */
#define PPNSIM_BARE(name_) PPNSIM_FIXED name_(PPNSIM_FIX);
PPNSIM_BARE(exp) PPNSIM_BARE(log) PPNSIM_BARE(sin) PPNSIM_BARE(cos) PPNSIM_BARE(tan) PPNSIM_BARE(atan) PPNSIM_BARE(tanh)
PPNSIM_BARE(sinh) PPNSIM_BARE(cosh) PPNSIM_BARE(abs) PPNSIM_BARE(fabs) PPNSIM_BARE(floor) PPNSIM_BARE(ceil)
#endif
#endif
