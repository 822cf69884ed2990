/*
 * The predictor with the inner loop of transformer unrolled: one process per column.
 * With latency 3 and ii 1: 50 cycles.
 *
 * Source: van Teijlingen 2014, appendix C.1.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define X 5
#define Y 5

#pragma ppnsim access(out)
void source(int *a, int in);
#pragma ppnsim access(out)
void transformer(int *a, int above, int before);
#pragma ppnsim access(out)
void sink(int a, int *out);

void predictor_inner(int data_in[X][Y], int data_out[X][Y])
{
    int a[X][Y];

    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            source(&a[i][j], data_in[i][j]);
    for (int i = 1; i < X; i++) {
        transformer(&a[i][1], a[i - 1][1], a[i][0]);
        transformer(&a[i][2], a[i - 1][2], a[i][1]);
        transformer(&a[i][3], a[i - 1][3], a[i][2]);
        transformer(&a[i][4], a[i - 1][4], a[i][3]);
    }
    for (int i = 1; i < X; i++)
        for (int j = 1; j < Y; j++)
            sink(a[i][j], &data_out[i][j]);
}
