#ifndef PPNSIM_SIGNAL_H
#define PPNSIM_SIGNAL_H
#define SIGINT 2
#define SIGSEGV 11
#define SIGALRM 14
void (*signal(int, void (*)(int)))(int);
int raise(int);
#endif
