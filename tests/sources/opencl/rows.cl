/* A sparse matrix by rows: how long a row is, only the data know. */
typedef struct { int first, behind; } Span;

__kernel void rows(__global const Span *restrict spans, __global const int *restrict column,
                   __global const float *restrict value, __global const float *restrict x,
                   __global float *restrict y, const int n)
{
    const int row = get_global_id(0);
    if (row >= n)
        return;
    float sum = 0.0f;
#pragma ppnsim tripcount(min=0, avg=12, max=99)
    for (int k = spans[row].first; k < spans[row].behind; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

__kernel void scale(__global float *y, const float by)
{
    y[get_global_id(0)] *= by;
}
