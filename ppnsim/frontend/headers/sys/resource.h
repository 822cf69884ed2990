#ifndef PPNSIM_SYS_RESOURCE_H
#define PPNSIM_SYS_RESOURCE_H
#include <stddef.h>
#endif
