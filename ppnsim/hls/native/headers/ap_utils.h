/* Waiting has no effect on values. */
#ifndef PPNSIM_NATIVE_UTILS_H
#define PPNSIM_NATIVE_UTILS_H
inline void ap_wait() {}
inline void ap_wait_n(int) {}
#endif
