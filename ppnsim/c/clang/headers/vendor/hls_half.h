/* Declaration of the vendor's 16-bit floating point, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_HALF_H
#define PPNSIM_HLS_HALF_H
typedef __fp16 half;
#endif
