/* The exponential of fixed-point numbers by its internal name in Vivado HLS, exp_reduce::exp. Written from its use in
   public sources; the vendor only documents hls::exp, which is the same function. */
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
