// A systolic array for C = A B: all cells of the array work in every cycle.
#define DIM 12

void systolic(int a[DIM * DIM], int b[DIM * DIM], int c[DIM * DIM])
{
#pragma HLS INTERFACE ap_memory port=a
    int localA[DIM][DIM];
#pragma HLS ARRAY_PARTITION variable=localA dim=1 complete
    int localB[DIM][DIM];
#pragma HLS ARRAY_PARTITION variable=localB dim=2 complete
    int localC[DIM][DIM];
#pragma HLS ARRAY_PARTITION variable=localC dim=0 complete

readA:
    for (int loc = 0; loc < DIM * DIM; loc++) {
#pragma HLS LOOP_TRIPCOUNT min=144 max=144
        localA[loc / DIM][loc % DIM] = a[loc];
    }
readB:
    for (int loc = 0; loc < DIM * DIM; loc++) {
        localB[loc / DIM][loc % DIM] = b[loc];
    }

systolic1:
    for (int k = 0; k < DIM; k++) {
#pragma HLS PIPELINE II=1
    systolic2:
        for (int i = 0; i < DIM; i++) {
        systolic3:
            for (int j = 0; j < DIM; j++) {
                int last = (k == 0) ? 0 : localC[i][j];
                int a_val = (i < DIM && k < DIM) ? localA[i][k] : 0;
                int b_val = (k < DIM && j < DIM) ? localB[k][j] : 0;
                localC[i][j] = last + a_val * b_val;
            }
        }
    }

writeC:
    for (int loc = 0; loc < DIM * DIM; loc++) {
        c[loc] = localC[loc / DIM][loc % DIM];
    }
}
