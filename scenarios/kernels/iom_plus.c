/*
 * IOM+: consumer reads in the same order, a[x] x + 1 times.
 * With latency 3 and ii 1: 29 cycles.
 *
 * Source: van Teijlingen 2014, section 6.2.2.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef X
#define X 5
#endif

int producer(int in);
int consumer(int a);
int sink(int b);

void iom_plus(const int in[X], int out[X][X])
{
    int a[X];
    int b[X][X];

    for (int x = 0; x < X; x++)
        a[x] = producer(in[x]);
    for (int x = 0; x < X; x++)
        for (int y = 0; y <= x; y++)
            b[x][y] = consumer(a[x]);
    for (int x = 0; x < X; x++)
        for (int y = 0; y <= x; y++)
            out[x][y] = sink(b[x][y]);
}
