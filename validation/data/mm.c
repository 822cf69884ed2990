/* C = A B: the plain matrix product of the exploration's Table 1. */
#ifndef N
#define N 32
#endif
void kernel_mm(float A[N][N], float B[N][N], float C[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            C[i][j] = 0.0f;
            for (int k = 0; k < N; k++) {
                C[i][j] = C[i][j] + A[i][k] * B[k][j];
            }
        }
    }
#pragma endscop
}
