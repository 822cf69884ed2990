/*
 * The predictor with the loops of transformer and sink unrolled.
 * With latency 3 and ii 1: 50 cycles, at most 9 executions at once.
 *
 * Source: van Teijlingen 2014, appendix C.4.
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

void predictor_sink(int data_in[X][Y], int data_out[X][Y])
{
    int a[X][Y];

    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            source(&a[i][j], data_in[i][j]);
    transformer(&a[1][1], a[0][1], a[1][0]);
    transformer(&a[1][2], a[0][2], a[1][1]);
    transformer(&a[1][3], a[0][3], a[1][2]);
    transformer(&a[1][4], a[0][4], a[1][3]);
    transformer(&a[2][1], a[1][1], a[2][0]);
    transformer(&a[2][2], a[1][2], a[2][1]);
    transformer(&a[2][3], a[1][3], a[2][2]);
    transformer(&a[2][4], a[1][4], a[2][3]);
    transformer(&a[3][1], a[2][1], a[3][0]);
    transformer(&a[3][2], a[2][2], a[3][1]);
    transformer(&a[3][3], a[2][3], a[3][2]);
    transformer(&a[3][4], a[2][4], a[3][3]);
    transformer(&a[4][1], a[3][1], a[4][0]);
    transformer(&a[4][2], a[3][2], a[4][1]);
    transformer(&a[4][3], a[3][3], a[4][2]);
    transformer(&a[4][4], a[3][4], a[4][3]);
    sink(a[1][1], &data_out[1][1]);
    sink(a[1][2], &data_out[1][2]);
    sink(a[1][3], &data_out[1][3]);
    sink(a[1][4], &data_out[1][4]);
    sink(a[2][1], &data_out[2][1]);
    sink(a[2][2], &data_out[2][2]);
    sink(a[2][3], &data_out[2][3]);
    sink(a[2][4], &data_out[2][4]);
    sink(a[3][1], &data_out[3][1]);
    sink(a[3][2], &data_out[3][2]);
    sink(a[3][3], &data_out[3][3]);
    sink(a[3][4], &data_out[3][4]);
    sink(a[4][1], &data_out[4][1]);
    sink(a[4][2], &data_out[4][2]);
    sink(a[4][3], &data_out[4][3]);
    sink(a[4][4], &data_out[4][4]);
}
