// A filter on a stream, one work item: a window of registers that moves on, taps in constant memory.
#define TAPS 8
kernel void window(global const int *restrict in, global int *restrict out, constant int *taps, int n)
{
    int held[TAPS];
#pragma unroll
    for (int i = 0; i < TAPS; i++)
        held[i] = 0;
    for (int t = -TAPS; t != n; t++) {
#pragma unroll
        for (int i = TAPS - 1; i > 0; --i)
            held[i] = held[i - 1];
        held[0] = t >= 0 ? in[t] : 0;
        int sum = 0;
        __attribute__((opencl_unroll_hint(4)))
        for (int i = 0; i < TAPS; ++i)
            sum += held[i] * taps[i];
        if (t >= 0)
            out[t] = abs(sum) > 255 ? 255 : sum;
    }
}
