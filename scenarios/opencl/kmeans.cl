/* The nearest of K centres of every point, point after point in memory: SM keeps the centres: try --tune */
#ifndef P
#define P 33554432 /* points (32M) */
#endif
#ifndef K
#define K 128 /* centres */
#endif
#ifndef F
#define F 8 /* features of a point */
#endif

#pragma ppnsim global_size(P) local_size(256)
__kernel void kmeans(__global const float *restrict points, __global const float *restrict centres,
                     __global int *restrict clusters)
{
    const int point = get_global_id(0);
    if (point < P) {
        float least = FLT_MAX;
        int nearest = 0;
        for (int centre = 0; centre < K; centre++) {
            float distance = 0.0f;
            for (int feature = 0; feature < F; feature++) {
                const float less = points[point * F + feature] - centres[centre * F + feature];
                distance += less * less;
            }
            if (distance < least) {
                least = distance;
                nearest = centre;
            }
        }
        clusters[point] = nearest;
    }
}
