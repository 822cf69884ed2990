#ifndef PPNSIM_SYS_TIME_H
#define PPNSIM_SYS_TIME_H
#include <sys/types.h>
struct timeval { long tv_sec; long tv_usec; };
struct timezone { int tz_minuteswest; int tz_dsttime; };
int gettimeofday(struct timeval *, struct timezone *);
#endif
