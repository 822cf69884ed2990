#ifndef PPNSIM_SCHED_H
#define PPNSIM_SCHED_H
#include <stddef.h>
#endif
