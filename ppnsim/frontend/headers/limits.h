#ifndef PPNSIM_LIMITS_H
#define PPNSIM_LIMITS_H
#define CHAR_BIT 8
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define LONG_MAX __LONG_MAX__
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#endif
