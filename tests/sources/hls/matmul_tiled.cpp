// C = A B in tiles that fit on chip: load, multiply with an unrolled dot product, store.
#define SIZE 64
#define TILE 16

typedef float value_t;

static void load(const value_t from[SIZE][SIZE], value_t to[TILE][TILE], int row, int column)
{
load_rows:
    for (int i = 0; i < TILE; i++)
load_columns:
        for (int j = 0; j < TILE; j++) {
#pragma HLS PIPELINE II=1
            to[i][j] = from[row + i][column + j];
        }
}

void matmul(const value_t A[SIZE][SIZE], const value_t B[SIZE][SIZE], value_t C[SIZE][SIZE])
{
    value_t a[TILE][TILE], b[TILE][TILE], c[TILE][TILE];
#pragma HLS array_partition variable=a cyclic factor=8 dim=2
#pragma HLS array_partition variable=b type=cyclic factor=8 dim=1
    for (int i = 0; i < SIZE; i += TILE)
        for (int j = 0; j < SIZE; j += TILE) {
clear:
            for (int ii = 0; ii < TILE; ii++)
                for (int jj = 0; jj < TILE; jj++)
                    c[ii][jj] = 0;
            for (int k = 0; k < SIZE; k += TILE) {
                load(A, a, i, k);
                load(B, b, k, j);
product:
                for (int ii = 0; ii < TILE; ii++)
                    for (int jj = 0; jj < TILE; jj++) {
#pragma HLS PIPELINE II=1
                        value_t sum = c[ii][jj];
                        for (int kk = 0; kk < TILE; kk++)
                            sum += a[ii][kk] * b[kk][jj];
                        c[ii][jj] = sum;
                    }
            }
store:
            for (int ii = 0; ii < TILE; ii++)
                for (int jj = 0; jj < TILE; jj++)
                    C[i + ii][j + jj] = c[ii][jj];
        }
}
