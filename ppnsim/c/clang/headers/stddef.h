/* Declarations that kernels use from the standard headers, for machines without a C compiler. */
#ifndef PPNSIM_STDDEF_H
#define PPNSIM_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#else
#define NULL 0
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
