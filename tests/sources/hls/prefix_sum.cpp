// Prefix sums: through memory, and with the sum in a register.
#define SIZE 128

void prefix_memory(float in[SIZE], float out[SIZE])
{
    out[0] = in[0];
    for (int i = 1; i < SIZE; i++) {
#pragma HLS PIPELINE
        out[i] = out[i - 1] + in[i];
    }
}

void prefix_register(int in[SIZE], int out[SIZE])
{
    int A = 0;
#pragma HLS ARRAY_PARTITION variable=out cyclic factor=4 dim=1
#pragma HLS ARRAY_PARTITION variable=in cyclic factor=4 dim=1
    for (int i = 0; i < SIZE; i++) {
#pragma HLS UNROLL factor=4
#pragma HLS PIPELINE
        A = A + in[i];
        out[i] = A;
    }
}
