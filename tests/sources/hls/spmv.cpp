// Sparse matrix times vector, compressed rows.
const static int NNZ = 2048;
const static int NUM_ROWS = 256;
typedef float DTYPE;

void spmv(int rowPtr[NUM_ROWS + 1], int columnIndex[NNZ], DTYPE values[NNZ], DTYPE y[NUM_ROWS], DTYPE x[NUM_ROWS])
{
L1:
    for (int i = 0; i < NUM_ROWS; i++) {
        DTYPE y0 = 0;
    L2:
        for (int k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
#pragma HLS LOOP_TRIPCOUNT min=0 max=256 avg=8
#pragma HLS PIPELINE
            y0 += values[k] * x[columnIndex[k]];
        }
        y[i] = y0;
    }
}
