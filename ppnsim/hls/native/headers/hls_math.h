/* Functions of hls_math.h by those of the C library. */
#ifndef PPNSIM_NATIVE_MATH_H
#define PPNSIM_NATIVE_MATH_H
#include <cmath>
namespace hls {
using namespace std;
template <typename t_> t_ recip(t_ x) { return t_(1) / x; }
template <typename t_> t_ rsqrt(t_ x) { return t_(1) / std::sqrt(x); }
template <typename t_> t_ max(t_ x, t_ y) { return x > y ? x : y; }
template <typename t_> t_ min(t_ x, t_ y) { return x < y ? x : y; }
}
#endif
