#ifndef PPNSIM_MALLOC_H
#define PPNSIM_MALLOC_H
#include <stdlib.h>
void *memalign(size_t, size_t);
#endif
