#ifndef PPNSIM_STRINGS_H
#define PPNSIM_STRINGS_H
#include <string.h>
void bzero(void *, size_t);
#endif
