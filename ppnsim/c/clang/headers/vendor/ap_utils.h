/* Declarations of the vendor's waits and of helpers for bits, for reading kernels without the vendor's headers. */
#ifndef PPNSIM_AP_UTILS_H
#define PPNSIM_AP_UTILS_H
#include "ap_int.h"
/* Those without a body are states of a schedule. */
void ap_wait();
inline void ap_wait_until(bool) {}
void ap_wait_n(int n);
#endif
