// A product by tiles in local memory, as vendors' guides advise it: attributes, a complete inner loop, two barriers.
#ifndef SIDE
#define SIDE 16
#endif
#ifndef LANES
#define LANES 4
#endif

__attribute__((num_simd_work_items(LANES)))
__attribute((reqd_work_group_size(SIDE, SIDE, 1)))
__kernel void tiles(__global const volatile float *restrict left, __global const volatile float *restrict right,
                    __global float *restrict result, const int inner, const uint columns)
{
    __local float l[SIDE][SIDE], r[SIDE][SIDE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_group_id(0) * SIDE + x, row = get_group_id(1) * SIDE + y;
    float total = 0.0f;
    for (int from = row * inner, to = from + inner, below = y * columns + column; from < to;
         from += SIDE, below += SIDE * columns) {
        l[y][x] = left[from + x];
        r[y][x] = right[below];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < SIDE; ++i)
            total = mad(l[y][i], r[i][x], total);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    result[row * get_global_size(0) + column] = total;
}
