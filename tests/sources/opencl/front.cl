// A front that moves through rows: loop variables of the function, a break that the numbers decide, resets.
#define INSIDE(x, low, high) ((x) >= (low) && (x) <= (high))
__kernel void front(__global const int *cost, __global int *best, __local int *now, int steps, int width)
{
    int i, w = get_local_id(0);
    const int me = get_local_id(0), side = get_local_size(0);
    const int x = (int)get_group_id(0) * (side - 2 * steps) - steps + me;
    for (; w < 48; w += 32)
        now[w] = cost[w];
    w = me;
    for (i = 0; ; i++) {
        if (INSIDE(me, i + 1, side - i - 2) && INSIDE(x, 0, width - 1)) {
            int least = min(now[me - 1], now[me + 1]);
            now[me] = min(least, now[me]) + cost[(i + 1) * width + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        while (w < 48) {
            now[w] += 1;
            w += 32;
        }
        w = me;
        if (i == steps - 1)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    best[x + steps] = now[me];
}
