#ifndef PPNSIM_ALLOCA_H
#define PPNSIM_ALLOCA_H
#include <stdlib.h>
#endif
