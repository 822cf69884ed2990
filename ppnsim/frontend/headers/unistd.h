#ifndef PPNSIM_UNISTD_H
#define PPNSIM_UNISTD_H
#include <stddef.h>
#endif
