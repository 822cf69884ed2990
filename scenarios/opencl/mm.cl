/* C = A B, a work item per element of C, which is stored column after column; SM keeps tiles of A and B: try --tune */
#ifndef N
#define N 2048 /* rows and columns */
#endif
#ifndef T
#define T 64 /* rows and columns of a work group, and of a tile */
#endif

#pragma ppnsim global_size(N, N)
__attribute__((reqd_work_group_size(T, T, 1)))
__kernel void mm(__global const float *restrict a, __global const float *restrict b, __global float *restrict c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    float sum = 0.0f;
    for (int tile = 0; tile < N; tile += T)
        for (int k = 0; k < T; k++)
            sum += a[row * N + tile + k] * b[(tile + k) * N + column];
    c[column * N + row] = sum;
}
