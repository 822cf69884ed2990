/* C += A B, 2 x 4 by 4 x 3: small enough to count every byte by hand. */
void kernel_product(float A[2][4], float B[4][3], float C[2][3])
{
#pragma scop
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) {
                C[i][j] = C[i][j] + A[i][k] * B[k][j];
            }
        }
    }
#pragma endscop
}
