/* Declarations of the functions of the vendor's hls_math.h, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_MATH_H
#define PPNSIM_HLS_MATH_H
#include "ap_fixed.h"

namespace hls {
#define PPNSIM_ONE(name_)                                                        \
    double name_(double);                                                        \
    float name_(float);                                                          \
    template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> name_(ap_fixed_base<w_, i_, s_>);
#define PPNSIM_PAIR(name_)                                                       \
    double name_(double, double);                                                \
    float name_(float, float);                                                   \
    template <int w_, int i_, bool s_> ap_fixed_base<w_, i_, s_> name_(ap_fixed_base<w_, i_, s_>, ap_fixed_base<w_, i_, s_>);
/* The root of a number of I bits before the point has half of them. */
double sqrt(double);
float sqrt(float);
template <int w_, int i_, bool s_> ap_fixed_base<w_ - i_ + (i_ + 1) / 2, (i_ + 1) / 2, false> sqrt(ap_fixed_base<w_, i_, s_>);
PPNSIM_ONE(exp) PPNSIM_ONE(log) PPNSIM_ONE(sin) PPNSIM_ONE(cos) PPNSIM_ONE(tan) PPNSIM_ONE(abs) PPNSIM_ONE(fabs)
PPNSIM_ONE(floor) PPNSIM_ONE(ceil) PPNSIM_ONE(round) PPNSIM_ONE(recip) PPNSIM_ONE(rsqrt)
PPNSIM_PAIR(pow) PPNSIM_PAIR(fmin) PPNSIM_PAIR(fmax) PPNSIM_PAIR(atan2)
}
#endif
