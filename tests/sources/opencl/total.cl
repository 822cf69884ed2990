// A sum in two steps: each work item takes every n-th element, a group adds what its items have, pair by pair.
__kernel void total(__global const float *values, __global float *sums, __local float *pad, const uint count)
{
    const size_t me = get_local_id(0);
    float own = 0;
    uint at = get_global_id(0);
    while (at < count) {
        own += values[at];
        at += get_global_size(0);
    }
    pad[me] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t gap = get_local_size(0) / 2; gap > 0; gap >>= 1) {
        if (me < gap)
            pad[me] += pad[me + gap];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        sums[get_group_id(0)] = pad[0];
}
