#ifndef PPNSIM_FLOAT_H
#define PPNSIM_FLOAT_H
#define FLT_MAX __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#endif
