/*
 * Smoothing of a W x H image by Deriche's recursive filter: the sum of a pass forwards,
 * f[k] = f0 x[k] + f1 x[k-1] + r1 f[k-1] + r2 f[k-2], and a pass backwards,
 * b[k] = b1 x[k+1] + b2 x[k+2] + r1 b[k+1] + r2 b[k+2], along every row and then along every column. The pixels and
 * results just passed are kept in scalars: x1 and x2, y1 and y2.
 * Coefficients are Deriche's, with e = exp(-alpha) and the gain that leaves a constant image as it is.
 *
 * Loops and MINI sizes are those of PolyBench/C 4.2.1, medley/deriche.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef W
#define W 64
#endif
#ifndef H
#define H 64
#endif

double exp(double x);

void kernel_deriche(DATA_TYPE alpha, DATA_TYPE image[W][H], DATA_TYPE smooth[W][H], DATA_TYPE ahead[W][H],
                    DATA_TYPE back[W][H])
{
    DATA_TYPE e, gain, f0, f1, b1, b2, r1, r2;
    DATA_TYPE x1, x2, y1, y2;

#pragma scop
    e = exp(-alpha);
    gain = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * alpha * e - e * e);
    f0 = gain;
    f1 = gain * e * (alpha - 1.0);
    b1 = gain * e * (alpha + 1.0);
    b2 = -gain * e * e;
    r1 = 2.0 * e;
    r2 = -e * e;
    for (int row = 0; row < W; row++) {
        x1 = 0.0;
        y1 = 0.0;
        y2 = 0.0;
        for (int k = 0; k < H; k++) {
            ahead[row][k] = f0 * image[row][k] + f1 * x1 + r1 * y1 + r2 * y2;
            y2 = y1;
            y1 = ahead[row][k];
            x1 = image[row][k];
        }
    }
    for (int row = 0; row < W; row++) {
        x1 = 0.0;
        x2 = 0.0;
        y1 = 0.0;
        y2 = 0.0;
        for (int k = H - 1; k >= 0; k--) {
            back[row][k] = b1 * x1 + b2 * x2 + r1 * y1 + r2 * y2;
            y2 = y1;
            y1 = back[row][k];
            x2 = x1;
            x1 = image[row][k];
        }
    }
    for (int row = 0; row < W; row++)
        for (int k = 0; k < H; k++)
            smooth[row][k] = ahead[row][k] + back[row][k];
    for (int column = 0; column < H; column++) {
        x1 = 0.0;
        y1 = 0.0;
        y2 = 0.0;
        for (int k = 0; k < W; k++) {
            ahead[k][column] = f0 * smooth[k][column] + f1 * x1 + r1 * y1 + r2 * y2;
            y2 = y1;
            y1 = ahead[k][column];
            x1 = smooth[k][column];
        }
    }
    for (int column = 0; column < H; column++) {
        x1 = 0.0;
        x2 = 0.0;
        y1 = 0.0;
        y2 = 0.0;
        for (int k = W - 1; k >= 0; k--) {
            back[k][column] = b1 * x1 + b2 * x2 + r1 * y1 + r2 * y2;
            y2 = y1;
            y1 = back[k][column];
            x2 = x1;
            x1 = smooth[k][column];
        }
    }
    for (int row = 0; row < W; row++)
        for (int k = 0; k < H; k++)
            smooth[row][k] = ahead[row][k] + back[row][k];
#pragma endscop
}
