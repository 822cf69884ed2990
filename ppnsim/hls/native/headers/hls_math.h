/* Functions of hls_math.h by those of the C library; of half and fixed point by those of double, rounded (UG1399). */
#ifndef PPNSIM_NATIVE_MATH_H
#define PPNSIM_NATIVE_MATH_H
#include "ap_fixed.h"
#include "hls_half.h"
#include <cmath>
#include <cstdlib>
namespace hls {
using namespace std;
#define PPNSIM_FIXED_OF template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_> ap_fixed_base<w_, i_, s_, q_, o_, n_>
#define PPNSIM_OF ap_fixed_base<w_, i_, s_, q_, o_, n_>
/* Those of one number that C has: of half and fixed point, beside those of C, which they would hide otherwise. */
#define PPNSIM_ONE(name_)                                                 \
    using std::name_;                                                     \
    inline float name_##f(float x) { return std::name_(x); }              \
    inline half name_(half x) { return half(std::name_(double(float(x)))); } \
    inline half half_##name_(half x) { return name_(x); }                 \
    PPNSIM_FIXED_OF name_(const PPNSIM_OF &x) { return PPNSIM_OF(std::name_(x.to_double())); }
PPNSIM_ONE(sqrt) PPNSIM_ONE(exp) PPNSIM_ONE(exp2) PPNSIM_ONE(expm1) PPNSIM_ONE(log) PPNSIM_ONE(log2)
PPNSIM_ONE(log10) PPNSIM_ONE(log1p) PPNSIM_ONE(logb) PPNSIM_ONE(sin) PPNSIM_ONE(cos) PPNSIM_ONE(tan)
PPNSIM_ONE(asin) PPNSIM_ONE(acos) PPNSIM_ONE(atan) PPNSIM_ONE(sinh) PPNSIM_ONE(cosh) PPNSIM_ONE(tanh)
PPNSIM_ONE(asinh) PPNSIM_ONE(acosh) PPNSIM_ONE(atanh) PPNSIM_ONE(fabs) PPNSIM_ONE(floor) PPNSIM_ONE(ceil)
PPNSIM_ONE(round) PPNSIM_ONE(trunc) PPNSIM_ONE(rint) PPNSIM_ONE(nearbyint) PPNSIM_ONE(cbrt) PPNSIM_ONE(erf)
PPNSIM_ONE(erfc) PPNSIM_ONE(tgamma) PPNSIM_ONE(lgamma)
/* Roots of whole numbers of up to 32 bits are whole, beside those of C. */
using std::sqrt;
#define PPNSIM_ROOT(t_) inline t_ sqrt(t_ x) { return static_cast<t_>(std::sqrt(double(x))); }
PPNSIM_ROOT(signed char) PPNSIM_ROOT(unsigned char) PPNSIM_ROOT(short) PPNSIM_ROOT(unsigned short)
PPNSIM_ROOT(int) PPNSIM_ROOT(unsigned)
template <int w_, bool s_> ap_int_base<w_, s_> sqrt(const ap_int_base<w_, s_> &x) { return std::sqrt(x.to_double()); }
using std::abs;
inline half abs(half x) { return half(std::fabs(float(x))); }
PPNSIM_FIXED_OF abs(const PPNSIM_OF &x) { return x < 0 ? PPNSIM_OF(-x) : x; }
template <int w_, bool s_> ap_int_base<w_, s_> abs(const ap_int_base<w_, s_> &x) {
    return x < 0 ? ap_int_base<w_, s_>(-x) : x;
}
/* Those of two numbers. */
#define PPNSIM_PAIR(name_)                                                                         \
    using std::name_;                                                                              \
    inline float name_##f(float x, float y) { return std::name_(x, y); }                           \
    inline half name_(half x, half y) { return half(std::name_(double(float(x)), double(float(y)))); } \
    PPNSIM_FIXED_OF name_(const PPNSIM_OF &x, const PPNSIM_OF &y) {                                \
        return PPNSIM_OF(std::name_(x.to_double(), y.to_double()));                                \
    }
PPNSIM_PAIR(pow) PPNSIM_PAIR(fmin) PPNSIM_PAIR(fmax) PPNSIM_PAIR(atan2) PPNSIM_PAIR(fmod) PPNSIM_PAIR(fdim)
PPNSIM_PAIR(hypot) PPNSIM_PAIR(copysign) PPNSIM_PAIR(remainder)
/* Those that C does not have. */
#define PPNSIM_MORE(name_, of_)                                                   \
    inline double name_(double x) { return of_; }                                 \
    inline float name_(float y) { double x = y; return float(of_); }              \
    inline half name_(half y) { double x = float(y); return half(of_); }          \
    inline float name_##f(float x) { return name_(x); }                           \
    PPNSIM_FIXED_OF name_(const PPNSIM_OF &y) { double x = y.to_double(); return PPNSIM_OF(of_); }
#define PPNSIM_TURN 3.14159265358979323846
PPNSIM_MORE(recip, 1 / x) PPNSIM_MORE(rsqrt, 1 / std::sqrt(x)) PPNSIM_MORE(exp10, std::pow(10.0, x))
PPNSIM_MORE(sinpi, std::sin(PPNSIM_TURN * x)) PPNSIM_MORE(cospi, std::cos(PPNSIM_TURN * x))
PPNSIM_MORE(tanpi, std::tan(PPNSIM_TURN * x)) PPNSIM_MORE(asinpi, std::asin(x) / PPNSIM_TURN)
PPNSIM_MORE(acospi, std::acos(x) / PPNSIM_TURN) PPNSIM_MORE(atanpi, std::atan(x) / PPNSIM_TURN)
template <typename t_> t_ powr(t_ x, t_ y) { return pow(x, y); }
template <typename t_> t_ divide(t_ x, t_ y) { return x / y; }
template <typename t_> t_ pown(t_ x, int y) { return t_(std::pow(double(x), y)); }
template <typename t_> t_ rootn(t_ x, int y) { return t_(std::pow(double(x), 1.0 / y)); }
template <typename t_> t_ mad(t_ x, t_ y, t_ z) { return t_(x * y + z); }
template <typename t_> t_ atan2pi(t_ x, t_ y) { return t_(std::atan2(double(x), double(y)) / PPNSIM_TURN); }
template <typename t_> t_ maxmag(t_ x, t_ y) { return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y); }
template <typename t_> t_ minmag(t_ x, t_ y) { return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y); }
template <typename t_, typename s_> void sincos(t_ x, s_ *sine, s_ *cosine) { *sine = sin(x), *cosine = cos(x); }
template <typename t_, typename s_> void sincospi(t_ x, s_ *sine, s_ *cosine) { *sine = sinpi(x), *cosine = cospi(x); }
template <typename t_> t_ fract(t_ x, t_ *whole) { *whole = floor(x); return x - *whole; }
template <typename t_> bool isequal(t_ x, t_ y) { return x == y; }
template <typename t_> bool isnotequal(t_ x, t_ y) { return x != y; }
template <typename t_> t_ max(t_ x, t_ y) { return x > y ? x : y; }
template <typename t_> t_ min(t_ x, t_ y) { return x < y ? x : y; }
/* Tests of one number: C has those of its types, fixed point has no special numbers. */
using std::isnan;
using std::isinf;
using std::isfinite;
using std::isnormal;
using std::signbit;
#define PPNSIM_TEST(name_, of_)                                              \
    inline bool name_(half x) { return std::name_(float(x)); }               \
    template <int w_, int i_, bool s_, ap_q_mode q_, ap_o_mode o_, int n_>   \
    bool name_(const PPNSIM_OF &x) { return of_; }
PPNSIM_TEST(isnan, false) PPNSIM_TEST(isinf, false) PPNSIM_TEST(isfinite, true) PPNSIM_TEST(isnormal, x != 0)
PPNSIM_TEST(signbit, x < 0)
}
#undef PPNSIM_ONE
#undef PPNSIM_PAIR
#undef PPNSIM_MORE
#undef PPNSIM_TEST
#undef PPNSIM_FIXED_OF
#undef PPNSIM_OF
#endif
