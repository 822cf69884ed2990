/* What Vivado HLS has beside its integers: the macros of ap_int_base.h, and the bits of numbers. */
#ifndef PPNSIM_BITS_H
#define PPNSIM_BITS_H
#include "ppnsim_builtins.h"
#define AP_MAX(x_, y_) ((x_) > (y_) ? (x_) : (y_))
#define AP_MIN(x_, y_) ((x_) < (y_) ? (x_) : (y_))
#define AP_ABS(x_) ((x_) >= 0 ? (x_) : -(x_))
#endif
