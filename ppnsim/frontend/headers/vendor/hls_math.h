/* Declarations of the functions of the vendor's hls_math.h, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_MATH_H
#define PPNSIM_HLS_MATH_H
#include "ap_fixed.h"

namespace hls {
#define PPNSIM_ONE(NAME)                                                        \
    double NAME(double);                                                        \
    float NAME(float);                                                          \
    template <int W, int I, bool S> ap_fixed_base<W, I, S> NAME(ap_fixed_base<W, I, S>);
#define PPNSIM_PAIR(NAME)                                                       \
    double NAME(double, double);                                                \
    float NAME(float, float);                                                   \
    template <int W, int I, bool S> ap_fixed_base<W, I, S> NAME(ap_fixed_base<W, I, S>, ap_fixed_base<W, I, S>);
/* The root of a number of I bits before the point has half of them. */
double sqrt(double);
float sqrt(float);
template <int W, int I, bool S> ap_fixed_base<W - I + (I + 1) / 2, (I + 1) / 2, false> sqrt(ap_fixed_base<W, I, S>);
PPNSIM_ONE(exp) PPNSIM_ONE(log) PPNSIM_ONE(sin) PPNSIM_ONE(cos) PPNSIM_ONE(tan) PPNSIM_ONE(abs) PPNSIM_ONE(fabs)
PPNSIM_ONE(floor) PPNSIM_ONE(ceil) PPNSIM_ONE(round) PPNSIM_ONE(recip) PPNSIM_ONE(rsqrt)
PPNSIM_PAIR(pow) PPNSIM_PAIR(fmin) PPNSIM_PAIR(fmax) PPNSIM_PAIR(atan2)
}
#endif
