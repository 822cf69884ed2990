/*
 * Four processes and a slow producer: source (P1) feeds foo (P2) and bar (P3), sink (P4) needs both. Absolute estimate
 * 14 cycles with at most 3 executions at once; with hardware without end 8 cycles and at most 8.
 *
 * Source: van Teijlingen 2014, chapter 4.3.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef N
#define N 4
#endif

int source(void);
int foo(int a);
int bar(int a);
void sink(int x, int y);

void four_processes(void)
{
    int a[N];
    int x[N];
    int y[N];

    for (int i = 0; i < N; i++) {
#pragma ppnsim latency(1) ii(2)
        a[i] = source();
    }
    for (int i = 0; i < N; i++) {
#pragma ppnsim latency(1) ii(1)
        x[i] = foo(a[i]);
    }
    for (int i = 0; i < N; i++) {
#pragma ppnsim latency(2) ii(1)
        y[i] = bar(a[i]);
    }
    for (int i = 0; i < N; i++) {
#pragma ppnsim latency(1) ii(1)
        sink(x[i], y[i]);
    }
}
