/* The vendor's own complex numbers (UG902, "HLS Linear Algebra Library"): as std::complex, but a class of its own. */
#ifndef PPNSIM_HLS_X_COMPLEX_H
#define PPNSIM_HLS_X_COMPLEX_H
#ifdef __cplusplus
#include "ap_fixed.h"
#include "ap_int.h"
#include "hls_math.h"
#include "std/complex"
#undef PPNSIM_COMPLEX
#define PPNSIM_COMPLEX_OF hls
#define PPNSIM_COMPLEX_PLACES /* x.real() = 1 */
#define complex x_complex
#include "std/complex"
#undef complex

namespace hls {
#define PPNSIM_X_OF(class_)                                                                \
    template <typename t_> class_<t_> x_conj(const class_<t_> &x_) { return conj(x_); }    \
    template <typename t_> t_ x_real(const class_<t_> &x_) { return x_.re_; }              \
    template <typename t_> t_ x_imag(const class_<t_> &x_) { return x_.im_; }              \
    template <typename t_> t_ x_norm(const class_<t_> &x_) { return norm(x_); }            \
    template <typename t_> t_ x_abs(const class_<t_> &x_) { return abs(x_); }
template <typename t_> t_ x_conj(t_ x_) { return x_; }
template <typename t_> t_ x_real(t_ x_) { return x_; }
template <typename t_> t_ x_imag(t_) { return 0; }
template <typename t_> t_ x_norm(t_ x_) { return x_ * x_; }
template <typename t_> t_ x_abs(t_ x_) { return hls::abs(x_); }
PPNSIM_X_OF(x_complex) PPNSIM_X_OF(std::complex)
#undef PPNSIM_X_OF
}
#endif
#endif
