/* The exponential of numbers with a fixed point by the name that it has inside of Vivado HLS, exp_reduce::exp. Written
   from how public sources use it; the vendor describes hls::exp alone, which this is. */
#ifndef PPNSIM_HLS_EXP_APFIXED_H
#define PPNSIM_HLS_EXP_APFIXED_H
#ifdef __cplusplus
#include "ap_fixed.h"
#include "hls_math.h"
namespace exp_reduce {
using hls::exp;
}
#endif
#endif
