/*
 * All shortest paths of N nodes: path[i][j] = min(path[i][j], path[i][k] + path[k][j]) for each k in order.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, medley/floyd-warshall.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 60
#endif

void kernel_floyd_warshall(DATA_TYPE path[N][N])
{
#pragma scop
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}
