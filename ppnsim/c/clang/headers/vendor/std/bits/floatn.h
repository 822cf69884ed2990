/* Replaces glibc's, with which <math.h> declares each function for six more types: a fifth of its reading time. */
#ifndef PPNSIM_BITS_FLOATN_H
#define PPNSIM_BITS_FLOATN_H
typedef float _Float32;
typedef double _Float64, _Float32x;
typedef long double _Float64x;
#endif
