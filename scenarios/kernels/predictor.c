/*
 * The predictor: transformer computes a[i][j] from a[i-1][j] and a[i][j-1], so that it waits for itself.
 * With latency 3 and ii 1: 83 cycles, at most 5 executions at once; 45 and 25 with hardware without end.
 *
 * Source: van Teijlingen 2014, section 6.3.1.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef X
#define X 5
#endif
#ifndef Y
#define Y 5
#endif

#pragma ppnsim access(out)
void source(int *a, int in);
#pragma ppnsim access(out)
void transformer(int *a, int above, int before);
#pragma ppnsim access(out)
void sink(int a, int *out);

void predictor(int data_in[X][Y], int data_out[X][Y])
{
    int a[X][Y];

    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            source(&a[i][j], data_in[i][j]);
    for (int i = 1; i < X; i++)
        for (int j = 1; j < Y; j++)
            transformer(&a[i][j], a[i - 1][j], a[i][j - 1]);
    for (int i = 1; i < X; i++)
        for (int j = 1; j < Y; j++)
            sink(a[i][j], &data_out[i][j]);
}
