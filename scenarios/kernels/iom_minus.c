/*
 * IOM-: consumer reads what producer writes in the same order, each value once.
 * With latency 3 and ii 1: 19 cycles.
 *
 * Source: van Teijlingen 2014, section 6.2.1.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef X
#define X 5
#endif

int producer(int in);
int consumer(int a);
int sink(int b);

void iom_minus(const int in[X], int out[X])
{
    int a[X];
    int b[X];

    for (int x = 0; x < X; x++)
        a[x] = producer(in[x]);
    for (int x = 0; x < X; x++)
        b[x] = consumer(a[x]);
    for (int x = 0; x < X; x++)
        out[x] = sink(b[x]);
}
