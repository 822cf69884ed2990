#ifndef PPNSIM_SYS_TYPES_H
#define PPNSIM_SYS_TYPES_H
#include <stddef.h>
#endif
