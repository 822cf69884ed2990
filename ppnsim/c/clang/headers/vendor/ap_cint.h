/* The integers of any width in C: a stand-in for the header of Vivado HLS. */
#ifndef PPNSIM_AP_CINT_H
#define PPNSIM_AP_CINT_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifndef __cplusplus
#define PPNSIM_INT_OF(w_)                      \
    typedef unsigned _BitInt(w_) uint##w_;     \
    typedef _BitInt(w_) int##w_;
#define PPNSIM_TEN_INTS(t_)                                                                                      \
    PPNSIM_INT_OF(t_##0) PPNSIM_INT_OF(t_##1) PPNSIM_INT_OF(t_##2) PPNSIM_INT_OF(t_##3) PPNSIM_INT_OF(t_##4)     \
    PPNSIM_INT_OF(t_##5) PPNSIM_INT_OF(t_##6) PPNSIM_INT_OF(t_##7) PPNSIM_INT_OF(t_##8) PPNSIM_INT_OF(t_##9)
typedef unsigned _BitInt(1) uint1; /* a signed _BitInt has at least two bits */
typedef _BitInt(2) int1;
PPNSIM_INT_OF(2) PPNSIM_INT_OF(3) PPNSIM_INT_OF(4) PPNSIM_INT_OF(5) PPNSIM_INT_OF(6) PPNSIM_INT_OF(7) PPNSIM_INT_OF(8)
PPNSIM_INT_OF(9) PPNSIM_TEN_INTS(1) PPNSIM_TEN_INTS(2) PPNSIM_TEN_INTS(3) PPNSIM_TEN_INTS(4) PPNSIM_TEN_INTS(5)
PPNSIM_TEN_INTS(6) PPNSIM_TEN_INTS(7) PPNSIM_TEN_INTS(8) PPNSIM_TEN_INTS(9) PPNSIM_TEN_INTS(10) PPNSIM_TEN_INTS(11)
PPNSIM_TEN_INTS(12) PPNSIM_INT_OF(256) PPNSIM_INT_OF(512) PPNSIM_INT_OF(1024)
#endif
#endif
