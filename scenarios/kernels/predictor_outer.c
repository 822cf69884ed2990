/*
 * The predictor with the outer loop of transformer unrolled: one process per row.
 * With latency 3 and ii 1: 50 cycles.
 *
 * Source: van Teijlingen 2014, appendix C.2.
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

void predictor_outer(int data_in[X][Y], int data_out[X][Y])
{
    int a[X][Y];

    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            source(&a[i][j], data_in[i][j]);
    for (int j = 1; j < Y; j++)
        transformer(&a[1][j], a[0][j], a[1][j - 1]);
    for (int j = 1; j < Y; j++)
        transformer(&a[2][j], a[1][j], a[2][j - 1]);
    for (int j = 1; j < Y; j++)
        transformer(&a[3][j], a[2][j], a[3][j - 1]);
    for (int j = 1; j < Y; j++)
        transformer(&a[4][j], a[3][j], a[4][j - 1]);
    for (int i = 1; i < X; i++)
        for (int j = 1; j < Y; j++)
            sink(a[i][j], &data_out[i][j]);
}
