#ifndef PPNSIM_MEMORY_H
#define PPNSIM_MEMORY_H
#include <string.h>
#endif
