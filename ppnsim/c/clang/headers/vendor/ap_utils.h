/* Declarations of the vendor's waits and of helpers for bits, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_UTILS_H
#define PPNSIM_AP_UTILS_H
#include "ap_int.h"
/* They keep the order of statements, which a schedule keeps anyway; a wait of N cycles is not counted. */
inline void ap_wait() {}
inline void ap_wait_until(bool) {}
inline void ap_wait_n(int) {}
#endif
