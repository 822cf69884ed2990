/* The functions of hls::x_complex for std::complex, which hls_x_complex.h has beside its own. */
#ifndef PPNSIM_STD_COMPLEX_UTILS_H
#define PPNSIM_STD_COMPLEX_UTILS_H
#include "../hls_x_complex.h"
#include "x_hls_traits.h"
#endif
