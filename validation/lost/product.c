// The matrix product of the lost-cycles paper, its loops L0 to L2 of N0, N1 and N2 iterations.
#ifndef N0
#define N0 4
#define N1 4
#define N2 4
#endif
void mm(float A[N0][N2], float B[N2][N1], float C[N0][N1]) {
L0: for (int i = 0; i < N0; i++)
L1:   for (int j = 0; j < N1; j++) {
        C[i][j] = 0;
L2:     for (int k = 0; k < N2; k++)
          C[i][j] += A[i][k] * B[k][j];
      }
}
