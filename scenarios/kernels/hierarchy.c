/*
 * Kernels that call kernels and hand arrays down: hierarchy_main -> hierarchy -> transformer -> foo and bar, each of
 * which works on one half. Each element passes a chain of nine calls (producer, assign, assign, three of foo or bar,
 * assign, assign, sink), each of which reads, executes and writes in 1 + 2 + 1 cycles with latency 2. With that and ii
 * 1: 1035 cycles (999 starts after the first, and 9 x 4), and 36 with hardware without end.
 *
 * Source: van Teijlingen 2014, sections 5.7 and 6.4, whose figure with the code is not in our text: written from its
 * description. What foo and bar compute is ours.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef MAX_O
#define MAX_O 1000
#endif
#ifndef MAX_HALF
#define MAX_HALF 500
#endif

int producer(int in);
int assign(int a);
int offset(int a);
int scale(int a);
int clip(int a);
int sink(int a);

void foo(const int in[MAX_HALF], int out[MAX_HALF])
{
    int s[MAX_HALF];
    int t[MAX_HALF];

    for (int i = 0; i < MAX_HALF; i++)
        s[i] = offset(in[i]);
    for (int i = 0; i < MAX_HALF; i++)
        t[i] = scale(s[i]);
    for (int i = 0; i < MAX_HALF; i++)
        out[i] = clip(t[i]);
}

void bar(const int in[MAX_HALF], int out[MAX_HALF])
{
    int s[MAX_HALF];
    int t[MAX_HALF];

    for (int i = 0; i < MAX_HALF; i++)
        s[i] = scale(in[i]);
    for (int i = 0; i < MAX_HALF; i++)
        t[i] = offset(s[i]);
    for (int i = 0; i < MAX_HALF; i++)
        out[i] = clip(t[i]);
}

void transformer(const int a[MAX_O], int b[MAX_O])
{
    int low[MAX_HALF];
    int high[MAX_HALF];
    int low_out[MAX_HALF];
    int high_out[MAX_HALF];

    for (int i = 0; i < MAX_HALF; i++) {
        low[i] = assign(a[i]);
        high[i] = assign(a[i + MAX_HALF]);
    }
    foo(low, low_out);
    bar(high, high_out);
    for (int i = 0; i < MAX_HALF; i++) {
        b[i] = assign(low_out[i]);
        b[i + MAX_HALF] = assign(high_out[i]);
    }
}

void hierarchy(const int data_a[MAX_O], int data_out[MAX_O])
{
    int a[MAX_O];
    int b[MAX_O];

    for (int i = 0; i < MAX_O; i++)
        a[i] = assign(data_a[i]);
    transformer(a, b);
    for (int i = 0; i < MAX_O; i++)
        data_out[i] = assign(b[i]);
}

#pragma ppnsim kernel
void hierarchy_main(const int data_in[MAX_O], int result[MAX_O])
{
    int data_a[MAX_O];
    int data_out[MAX_O];

    for (int i = 0; i < MAX_O; i++)
        data_a[i] = producer(data_in[i]);
    hierarchy(data_a, data_out);
    for (int i = 0; i < MAX_O; i++)
        result[i] = sink(data_out[i]);
}
