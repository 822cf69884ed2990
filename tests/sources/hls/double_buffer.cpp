// Blocks loaded, computed and stored: the tasks of a dataflow region overlap on two buffers each.
#define BLOCK 256
#define BLOCKS 16

static void load(const int *in, int buffer[BLOCK], int block)
{
    for (int i = 0; i < BLOCK; i++) {
#pragma HLS PIPELINE II=1
        buffer[i] = in[block * BLOCK + i];
    }
}

static void compute(int buffer[BLOCK], int result[BLOCK])
{
    for (int i = 0; i < BLOCK; i++) {
#pragma HLS PIPELINE II=2
        result[i] = buffer[i] * buffer[i] + 3;
    }
}

static void store(int result[BLOCK], int *out, int block)
{
    for (int i = 0; i < BLOCK; i++) {
#pragma HLS PIPELINE II=1
        out[block * BLOCK + i] = result[i];
    }
}

void double_buffer(const int in[BLOCKS * BLOCK], int out[BLOCKS * BLOCK])
{
blocks:
    for (int block = 0; block < BLOCKS; block++) {
#pragma HLS DATAFLOW
        int buffer[BLOCK], result[BLOCK];
        load(in, buffer, block);
        compute(buffer, result);
        store(result, out, block);
    }
}
