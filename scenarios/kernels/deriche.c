/*
 * Recursive smoothing of a W x H image after Deriche: along each row the sum of a causal and an anticausal filter of
 * second order, y1[j] = a1 x[j] + a2 x[j-1] + b1 y1[j-1] + b2 y1[j-2] and y2[j] = a3 x[j+1] + a4 x[j+2] + b1 y2[j+1]
 * + b2 y2[j+2]; then the same along each column.
 * Coefficients as the benchmark computes them; Deriche has exp(-2 alpha) in k and b1 = 2 exp(-alpha). Its chained
 * assignments (a1 = a5 = ...) are two statements here.
 *
 * Loop structure and MINI sizes: PolyBench/C 4.2.1, medley/deriche.
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
double pow(double x, double y);

void kernel_deriche(DATA_TYPE alpha, DATA_TYPE imgIn[W][H], DATA_TYPE imgOut[W][H], DATA_TYPE y1[W][H],
                    DATA_TYPE y2[W][H])
{
    DATA_TYPE k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;
    DATA_TYPE xm1, xp1, xp2, ym1, ym2, yp1, yp2, tm1, tp1, tp2;

#pragma scop
    k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) / (1.0 + 2.0 * alpha * exp(-alpha) - exp(2.0 * alpha));
    a1 = k;
    a5 = k;
    a2 = k * exp(-alpha) * (alpha - 1.0);
    a6 = k * exp(-alpha) * (alpha - 1.0);
    a3 = k * exp(-alpha) * (alpha + 1.0);
    a7 = k * exp(-alpha) * (alpha + 1.0);
    a4 = -k * exp(-2.0 * alpha);
    a8 = -k * exp(-2.0 * alpha);
    b1 = pow(2.0, -alpha);
    b2 = -exp(-2.0 * alpha);
    c1 = 1.0;
    c2 = 1.0;
    for (int i = 0; i < W; i++) {
        ym1 = 0.0;
        ym2 = 0.0;
        xm1 = 0.0;
        for (int j = 0; j < H; j++) {
            y1[i][j] = a1 * imgIn[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = imgIn[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int i = 0; i < W; i++) {
        yp1 = 0.0;
        yp2 = 0.0;
        xp1 = 0.0;
        xp2 = 0.0;
        for (int j = H - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = imgIn[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            imgOut[i][j] = c1 * (y1[i][j] + y2[i][j]);
    for (int j = 0; j < H; j++) {
        tm1 = 0.0;
        ym1 = 0.0;
        ym2 = 0.0;
        for (int i = 0; i < W; i++) {
            y1[i][j] = a5 * imgOut[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = imgOut[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int j = 0; j < H; j++) {
        tp1 = 0.0;
        tp2 = 0.0;
        yp1 = 0.0;
        yp2 = 0.0;
        for (int i = W - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = imgOut[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < W; i++)
        for (int j = 0; j < H; j++)
            imgOut[i][j] = c2 * (y1[i][j] + y2[i][j]);
#pragma endscop
}
