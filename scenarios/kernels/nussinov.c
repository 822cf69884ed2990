/*
 * Most base pairs in an RNA without crossings, after Nussinov: table[i][j] = max(table[i][j-1], table[i+1][j],
 * table[i+1][j-1] + 1 if i and j pair and are no neighbours, max_k table[i][k] + table[k+1][j]). Bases are 0 to 3; two
 * pair if their sum is 3. The table is 0 at the start.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, medley/nussinov.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef N
#define N 60
#endif

void kernel_nussinov(int seq[N], DATA_TYPE table[N][N])
{
#pragma scop
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++) {
            if (j - 1 >= 0)
                table[i][j] = table[i][j] >= table[i][j - 1] ? table[i][j] : table[i][j - 1];
            if (i + 1 < N)
                table[i][j] = table[i][j] >= table[i + 1][j] ? table[i][j] : table[i + 1][j];
            if (j - 1 >= 0 && i + 1 < N) {
                if (i < j - 1)
                    table[i][j] = table[i][j] >= table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0)
                                      ? table[i][j]
                                      : table[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? 1 : 0);
                else
                    table[i][j] = table[i][j] >= table[i + 1][j - 1] ? table[i][j] : table[i + 1][j - 1];
            }
            for (int k = i + 1; k < j; k++)
                table[i][j] = table[i][j] >= table[i][k] + table[k + 1][j]
                                  ? table[i][j]
                                  : table[i][k] + table[k + 1][j];
        }
    }
#pragma endscop
}
