/*
 * The predictor with all loops unrolled: what hardware without end makes of predictor.c.
 * With latency 3 and ii 1: 45 cycles, at most 25 executions at once.
 *
 * Source: van Teijlingen 2014, appendix C.6.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma ppnsim kernel

#define X 5
#define Y 5

#pragma ppnsim access(out)
void source(int *a, int in);
#pragma ppnsim access(out)
void transformer(int *a, int above, int before);
#pragma ppnsim access(out)
void sink(int a, int *out);

void predictor_all(int data_in[X][Y], int data_out[X][Y])
{
    int a[X][Y];

    source(&a[0][0], data_in[0][0]);
    source(&a[0][1], data_in[0][1]);
    source(&a[0][2], data_in[0][2]);
    source(&a[0][3], data_in[0][3]);
    source(&a[0][4], data_in[0][4]);
    source(&a[1][0], data_in[1][0]);
    source(&a[1][1], data_in[1][1]);
    source(&a[1][2], data_in[1][2]);
    source(&a[1][3], data_in[1][3]);
    source(&a[1][4], data_in[1][4]);
    source(&a[2][0], data_in[2][0]);
    source(&a[2][1], data_in[2][1]);
    source(&a[2][2], data_in[2][2]);
    source(&a[2][3], data_in[2][3]);
    source(&a[2][4], data_in[2][4]);
    source(&a[3][0], data_in[3][0]);
    source(&a[3][1], data_in[3][1]);
    source(&a[3][2], data_in[3][2]);
    source(&a[3][3], data_in[3][3]);
    source(&a[3][4], data_in[3][4]);
    source(&a[4][0], data_in[4][0]);
    source(&a[4][1], data_in[4][1]);
    source(&a[4][2], data_in[4][2]);
    source(&a[4][3], data_in[4][3]);
    source(&a[4][4], data_in[4][4]);
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
