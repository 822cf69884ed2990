#ifndef PPNSIM_UNISTD_H
#define PPNSIM_UNISTD_H
#include <stddef.h>
#include <sys/types.h>
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
unsigned sleep(unsigned);
int usleep(unsigned);
int getpid(void);
long sysconf(int);
int getopt(int, char *const[], const char *);
extern char *optarg;
extern int optind;
#endif
