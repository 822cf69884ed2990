/* Statements that cost the same: a search that takes them in another order finds another design. */
void ties(int a[6], int b[6], int c[6], int d[6], int e[6][2])
{
    for (int i = 0; i < 6; i++)
        b[i] = a[i] * 3;
    for (int i = 0; i < 6; i++)
        c[i] = b[5 - i] + 1;
    for (int i = 0; i < 6; i++)
        d[i] = b[i] - 1;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 2; j++)
            e[i][j] = c[i] * d[i] + j;
}
