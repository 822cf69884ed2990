/* Cosine of the angle between the feature vectors of every two files: three long sums, then one root */
#ifndef D
#define D 8000 /* files */
#endif
#ifndef F
#define F 8000 /* features of a file */
#endif

#pragma ppnsim global_size(D, D)
__kernel void similarity(__global const float *restrict features, __global float *restrict score)
{
    const int one = get_global_id(1), other = get_global_id(0);
    float product = 0.0f, norm_one = 0.0f, norm_other = 0.0f;
    for (int feature = 0; feature < F; feature++) {
        const float a = features[one * F + feature], b = features[other * F + feature];
        product += a * b;
        norm_one += a * a;
        norm_other += b * b;
    }
    score[one * D + other] = product / sqrt(norm_one * norm_other);
}
