/* Dependences of each kind: in order and not, read again, guarded, random, with cycles of their own (tests/derive/test_recorded.py). */
#define N 6
int f(int x); int g(int x, int y); void both(int *x, int *y); void fill(int x[N]);
void chain(int a[N], int b[N], int c[N]) { for (int i = 0; i < N; i++) b[i] = f(a[i]); for (int i = 0; i < N; i++) c[i] = g(b[i], a[i]); }
void back(int a[N], int b[N]) { for (int i = N - 1; i >= 0; i--) b[i] = f(a[i]); for (int i = 0; i < N; i += 2) a[i] = g(b[i], b[N - 1 - i]); }
void sum(int a[N], int *s) { int t = 0; for (int i = 0; i < N; i++) t = g(t, a[i]); *s = t; }
void triangle(int a[N][N], int b[N]) { for (int i = 0; i < N; i++) for (int j = i; j < N; j++) b[j] = g(a[i][j], b[i]); }
void stencil(int a[N][N]) { for (int i = 1; i < N; i++) for (int j = 1; j < N - 1; j++) a[i][j] = a[i - 1][j] + a[i][j - 1] + a[i - 1][j + 1]; }
void scalar(int a[N], int b[N]) { int t; for (int i = 0; i < N; i++) { t = f(a[i]); b[i] = g(t, t); } }
void twice(int a[N], int b[N]) { for (int k = 0; k < 3; k++) for (int i = 0; i < N; i++) { b[i] = f(a[i]); a[i] = g(b[i], k); } }
void guarded(int a[N], int b[N]) { for (int i = 0; i < N; i++) { if (i % 2 == 0 && i > 1) a[i] = f(b[i]); else if (i != 3) b[i] = f(a[i]); } }
void last(int a[N], int b[N]) { for (int i = 0; i < N; i++) b[0] = f(a[i]); a[0] = b[0]; }
void constant(int a[N][2], int b[N]) { int t[N]; for (int i = 0; i < N; i++) { t[i] = 0; for (int j = 0; j < 2; j++) t[i] = t[i] + a[i][j]; b[i] = t[i]; } }
void randomly(int h[8], const int b[N]) { for (int i = 0; i < N; i++) {
#pragma ppnsim access(random)
  h[b[i]] += 1; } for (int i = 0; i < 8; i++) h[i] = f(h[i]); }
void looked(const int t[8], const int b[N], int a[N]) { for (int i = 0; i < N; i++)
#pragma ppnsim access(random)
  a[i] = g(t[b[i]], a[i]); }
void slow(int a[N], int b[N]) { for (int i = 0; i < N; i++)
#pragma ppnsim latency(7) ii(3)
  b[i] = f(a[i]);
  for (int i = 0; i < N; i++) {
#pragma ppnsim latency(1) ii(2)
    a[i] = f(b[i]); b[i] = a[i]; } }
void counted(int a[N], int *n) {
#pragma ppnsim tripcount(5)
  for (int i = 0; i < *n; i++)
#pragma ppnsim access(random)
    a[i] = f(a[i]); }
void many(int a[N][N], int b[N][N], int c[N][N]) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { c[i][j] = 0; for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j]; } }
void one(int *a, int *b) { *b = f(*a); }
void apart(int a[N], int b[N]) { a[1] = f(a[0]); b[2] = f(b[1]); a[2] = g(a[1], b[2]); }
void deep(int a[2][3][2]) { for (int i = 0; i < 2; i++) for (int j = 2; j >= 0; j--) for (int k = 0; k < 2; k++) a[i][j][k] = f(a[1 - i][j][k]); }
void read_back(int a[N], int b[N]) { for (int i = 0; i < N; i++) a[i] = f(i); for (int i = 0; i < N; i++) b[i] = g(a[N - 1 - i], a[i / 2]); }
static void inner(int a[N], int by) { for (int i = 0; i < N; i++) a[i] = g(a[i], by); }
void outer(int a[N], int b[N]) { inner(a, 1); inner(b, 2); for (int i = 0; i < N; i++) a[i] = a[i] + b[i]; inner(a, 3); }
