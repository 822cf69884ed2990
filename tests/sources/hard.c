/* Whatever is hard to write again: conversions, structs, pointers, shadowed names, rounding below 0, work around. */
#include <math.h>
#include <stdio.h>
#define N 6
typedef struct { double re, im; } cplx;
struct cell { cplx at; int n; float w[3]; };
typedef unsigned char byte;
const double table[4] = {0.5, 1.25, -3.0, 4.0};
int counter;
double state[N];

static double half(const double *x, double *y) { *y = *x / 2; return *x + 1; }
static void rows(const double row[3], double *out) { *out = row[0] - row[2]; }
static double leaf(int a, float b) { return a / 2 + b; }
void opaque(int *out, const int *in, int k);

/* its iterator n has the name of the caller's data */
static void inner(double a[N], int lo, double n)
{
    double t[N] = {1, 2, 3};
    double s = 0.0;
    for (int i = lo; i < N; i++) {
        double n2 = n * t[i];
        s += n2;
        a[i] = s - a[i];
    }
}
static void shadow(double a[N], double b[N])
{
    for (int n = 0; n < N; n++)
        a[n] += b[n];
}

/* its iterator would hide the caller's n, which is what it multiplies by */
static void scaled(double a[N], double by)
{
    for (int n = 0; n < N; n++)
        a[n] *= by;
}

double hard(double a[N], double b[N][3], int v[N], byte bytes[N], unsigned int u[N], float f[N],
            struct cell cells[N], int *single, cplx *pair, double n, long big[N], short sh[N])
{
    double before = 1.0;
    int i, j;

    for (i = 0; i < N; i++) {
        v[i] = (v[i] - 2) / 2 + (v[i] - 3) % 2 + (i - 3);
        v[i] = i & 1 ? -v[i] : ~v[i] << 1;
        v[i] |= 5;
        v[i] ^= v[i] >> 1 & 3 | (i == 2 && v[i] > 0 || !v[i]);
        bytes[i] += 250;
        bytes[i] = bytes[i] * 3;
        u[i] -= 7u;
        u[i] = u[i] / 3 + v[i];
        u[i] = u[i] > -1 ? 1 : 4000000000u;
        f[i] *= 0.1f;
        f[i] = f[i] * 0.1 + 1.0e-5f;
        f[i] = (int)f[i] + (float)v[i] / 3 - -f[i];
        big[i] = v[i] * 100000L + i * 7;
        big[i] = big[i] - (3 - i) - (big[i] - i);
        sh[i] = sh[i] * 1000 * v[i];
        a[i] = v[i] / 2 * 2.0 + 1 / 2 + (double)v[i] / 2;
        a[i] = a[i] - (before - (a[i] - 1.0)) / (3.0 / n);
        cells[i].at.re = a[i];
        cells[i].n += 2;
        cells[i].w[i % 3] = cells[i].n;
        cells[i].at.im = cells[i].at.re * cells[i].w[(i + 1) % 3];
    }
    for (i = N - 1; i >= 1; i -= 2)
        for (j = (i > 3 ? i : 3); j < (i + 3 < N ? i + 3 : N); j++)
            a[j] = a[j] + a[(i - j + 6) / 4];
    for (i = 0; i < N; i++) {
        int back = N - 1 - i;
        if ((i - 2) / 2 == 0)
            a[back] += back;
        if (i - 3 < 0 || i % 3 == 1)
            a[i] *= table[i % 4];
        else if (i != 4) {
            state[i] = a[i] + counter;
            counter++;
        } else
            rows(b[i], &b[i][1]);
        b[i][0] = half(&a[i], &b[i][2]);
        b[i][1] = leaf(v[i], f[i]) + fabs(a[i]) + sqrt(v[i] * v[i]);
        opaque(&v[i], &v[back], i * 2 - 1);
        rows(b[back], &cells[i].at.im);
        half(&cells[i].at.re, &pair->im);
    }
    inner(a, 1, n);
    shadow(a, state);
    scaled(a, n);
    inner(a, 0, a[2]);
    *single = *single + v[0];
    pair->re = *single;
    cplx mid = {a[0], pair->im};
    *pair = mid;
    double sum = 0;
    for (int k = 0; k < N; ++k) {
        float scale[2] = {f[k], 2};
        sum += a[k] * scale[k % 2];
    }
    printf("%s", "");
    return sum;
}
