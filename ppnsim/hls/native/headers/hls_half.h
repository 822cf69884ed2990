/* Floating point of 16 bits that executes: every operation rounds to the nearest, ties to even (IEEE 754 binary16). */
#ifndef PPNSIM_NATIVE_HALF_H
#define PPNSIM_NATIVE_HALF_H
#include <cmath>
#include <cstdint>
#include <ostream>
#include <type_traits>

class half {
    float held; /* always a number that binary16 has */

  public:
    /* The distance of neighbours is 2^-10 of the power of two below, and 2^-24 among the smallest numbers. */
    static float rounded(double x) {
        if (x == 0 || !std::isfinite(x)) return float(x);
        int power;
        std::frexp(x, &power);
        int last = power - 11 < -24 ? -24 : power - 11;
        double result = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
        return std::fabs(result) > 65504 ? float(std::copysign(INFINITY, x)) : float(result);
    }
    half() : held(0) {}
    template <typename t_, typename std::enable_if<std::is_arithmetic<t_>::value, int>::type = 0>
    half(t_ of) : held(rounded(double(of))) {}
    operator float() const { return held; }
    half operator-() const { return half(-held); }
    half operator+() const { return *this; }
    half &operator++() { return *this = half(held + 1); }
    half &operator--() { return *this = half(held - 1); }
    half operator++(int) { half old = *this; ++*this; return old; }
    half operator--(int) { half old = *this; --*this; return old; }
    template <typename t_> half &operator+=(const t_ &x) { return *this = half(*this + x); }
    template <typename t_> half &operator-=(const t_ &x) { return *this = half(*this - x); }
    template <typename t_> half &operator*=(const t_ &x) { return *this = half(*this * x); }
    template <typename t_> half &operator/=(const t_ &x) { return *this = half(*this / x); }
};
namespace ppnsim {
/* What half and another number make: half with whole numbers, the wider floating point with the others. */
template <typename t_> using OfHalf = typename std::conditional<std::is_floating_point<t_>::value, t_, half>::type;
template <typename t_> using IfPlain = typename std::enable_if<std::is_arithmetic<t_>::value>::type;
}
#define PPNSIM_HALF(op_)                                                                                         \
    inline half operator op_(half x, half y) { return half(float(x) op_ float(y)); }                             \
    template <typename t_, ppnsim::IfPlain<t_> * = nullptr> ppnsim::OfHalf<t_> operator op_(half x, t_ y) {      \
        return ppnsim::OfHalf<t_>(x) op_ ppnsim::OfHalf<t_>(y);                                                  \
    }                                                                                                            \
    template <typename t_, ppnsim::IfPlain<t_> * = nullptr> ppnsim::OfHalf<t_> operator op_(t_ x, half y) {      \
        return ppnsim::OfHalf<t_>(x) op_ ppnsim::OfHalf<t_>(y);                                                  \
    }
PPNSIM_HALF(+) PPNSIM_HALF(-) PPNSIM_HALF(*) PPNSIM_HALF(/)
#undef PPNSIM_HALF
#endif
