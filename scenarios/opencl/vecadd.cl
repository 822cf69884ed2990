/* C = A + B, dealt out to the work items: try --vary W=1,2,4,8,16,32,64,128,256,512,1024 */
#ifndef W
#define W 128 /* work items, each of which adds n / W elements */
#endif

#pragma ppnsim global_size(W) argument(n = 33554432)
__kernel void vecadd(__global const int *restrict a, __global const int *restrict b, __global int *restrict c,
                     const int n)
{
    const int items = get_global_size(0);
    for (int k = 0; k < n / items; k++) {
        const int i = k * items + get_global_id(0);
        c[i] = a[i] + b[i];
    }
}
