/* Declarations of sys/param.h on Linux, for reading kernels without the system's headers. */
#ifndef PPNSIM_SYS_PARAM_H
#define PPNSIM_SYS_PARAM_H
#ifndef MIN
#define MIN(a_, b_) (((a_) < (b_)) ? (a_) : (b_))
#endif
#ifndef MAX
#define MAX(a_, b_) (((a_) > (b_)) ? (a_) : (b_))
#endif
#endif
