#ifndef PPNSIM_COMPLEX_H
#define PPNSIM_COMPLEX_H
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
double creal(double complex);
float crealf(float complex);
double cimag(double complex);
float cimagf(float complex);
double cabs(double complex);
float cabsf(float complex);
double carg(double complex);
float cargf(float complex);
double complex conj(double complex);
float complex conjf(float complex);
double complex cexp(double complex);
float complex cexpf(float complex);
double complex clog(double complex);
float complex clogf(float complex);
double complex csqrt(double complex);
float complex csqrtf(float complex);
double complex csin(double complex);
float complex csinf(float complex);
double complex ccos(double complex);
float complex ccosf(float complex);
#endif
