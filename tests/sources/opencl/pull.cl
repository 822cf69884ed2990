// Bodies that attract each other: vectors, a helper with a pointer, a local tile.
void pull(float4 me, float4 other, float3 *sum, float soft)
{
    const float3 way = other.xyz - me.xyz;
    const float close = rsqrt(dot(way, way) + soft);
    *sum += way * (other.w * close * close * close);
    sum->x += 0.0f * close;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((num_compute_units(2)))
void bodies(__global const float4 *restrict at, __global float4 *restrict speed, int n, float step, float soft)
{
    __local float4 tile[64];
    const float4 me = at[get_global_id(0)];
    float3 sum = (float3)(0.0f);
    for (int t = 0; t < n; t += 64) {
        tile[get_local_id(0)] = at[t + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++)
            pull(me, tile[k], &sum, soft);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = speed[get_global_id(0)];
    v.xyz = mad(sum, step, v.xyz);
    speed[get_global_id(0)] = v;
}
