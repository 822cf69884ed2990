#ifndef PPNSIM_STDLIB_H
#define PPNSIM_STDLIB_H
#include <stddef.h>
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
int posix_memalign(void **, size_t, size_t);
void exit(int);
void abort(void);
int abs(int);
long labs(long);
int rand(void);
void srand(unsigned);
int atoi(const char *);
double atof(const char *);
#endif
