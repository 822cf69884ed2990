/* Forms of C++ that hardware takes: what data decides, structs, small integers, tables, calls, arrays in parts. */
#include <ap_int.h>
#include <hls_stream.h>
#include <cmath>
#define N 16
typedef ap_uint<12> pixel;
typedef ap_int<7> small_t;
struct sample { short left, right; unsigned char gain; };
struct block { float w[4]; int count; };
enum mode { ADD, SUB = 4, MIX };
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int calls;

template <int K> static int scaled(int x) { return x * K + table[K % 8]; }
static int clipped(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static void blended(sample &to, const sample &from, int by) {
  to.left += (from.left * by) >> 4;
  to.right = (to.right * 3 + from.right) / 4;
  if (from.gain > 200) return;
  to.gain = from.gain ^ 0x55;
}
static float norm(const float v[4]) {
  float sum = 0;
  for (int k = 0; k < 4; k++) sum += v[k] * v[k];
  return std::sqrt(sum) + std::fabs(v[0]);
}

void decided(int a[N], const int b[N], mode what, int limit, bool flags[N], int *found) {
  int best = -1, state = 0;
search:
  for (int i = 0; i < N; i++) {
#pragma HLS pipeline II=2
    int x = a[i] - b[N - 1 - i];
    switch (what) {
    case ADD: x = a[i] + b[i]; break;
    case SUB: state ^= x;
    case MIX: x = scaled<3>(x) - (x & 7); break;
    default: x = ~x;
    }
    if (x > limit && !flags[i] || i == 3) { best = i; state += x % 5; }
    else if (x < -limit) state -= x << 2;
    a[i] = clipped(x, -100, limit);
    flags[i] = (state & 1) != 0;
    calls++;
  }
  while (state > 3) {
#pragma HLS loop_tripcount min=2 max=10 avg=5
    state -= table[state & 7];
    a[state & 15] += state;
  }
  *found = best >= 0 ? best : state;
}

void mixed(sample line[N], const sample more[N], pixel out[N], small_t t[N], unsigned long long wide[N], double d[N]) {
#pragma HLS array_partition variable=out cyclic factor=4
  for (int i = 0; i < N; i++) {
#pragma HLS unroll factor=4
    blended(line[i], more[i], i);
    out[i] = line[i].left * line[i].gain + (pixel)more[i].right;
    t[i] = t[i] * t[i] - 3;
    wide[i] = (wide[i] << 5) | (wide[i] >> 59);
    wide[i] += (unsigned long long)out[i] * 1000003ULL;
    d[i] = d[i] * 0.5 + (double)(int)out[i] / (i + 1) - std::exp(d[i]);
  }
}

float blocks(block in[N], float a[N][4], float b[4][N], float c[N]) {
#pragma HLS array_partition variable=a complete dim=2
#pragma HLS array_reshape variable=b block factor=2 dim=1
  float local[2][N] = {{0}}, total = 0;
#pragma HLS array_partition variable=local complete dim=1
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < 4; k++) {
#pragma HLS unroll
      sum += a[i][k] * b[k][i] + in[i].w[k];
    }
    local[i % 2][i] = sum;
    in[i].count = (int)sum;
    c[i] = norm(a[i]);
  }
  for (int i = N - 1; i > 0; i -= 3)
    for (int j = i; j < N; j++) {
      if (j > i + 4) break;
      total += local[0][i] * local[1][j];
      c[j] = c[j - 1] + total;
    }
  int n = 0;
  do {
#pragma HLS loop_tripcount max=4
    total = total / 2;
    n++;
  } while (total > 1.5f && n < 4);
  return total;
}

void pairs(hls::stream<int> &in, hls::stream<int> &out, int n) {
  int last = 0;
  for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=8 max=64
#pragma HLS pipeline
    int x = in.read();
    if (i % 2) out.write(x - last);
    last = x;
  }
}

void ports(const int *from, int *to, int gain, int k[4]) {
#pragma HLS interface m_axi port=from offset=slave bundle=g0 latency=20
#pragma HLS interface m_axi port=to offset=slave bundle=g1 max_write_burst_length=8
#pragma HLS interface s_axilite port=gain
  int held[32];
#pragma HLS bind_storage variable=held type=RAM_1P
load:
  for (int i = 0; i < 32; i++) held[i] = from[i];
work:
  for (int i = 2; i < 32; i++) {
#pragma HLS pipeline II=1
    held[i] = held[i] * gain + held[i - 2];
  }
store:
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < 8; i++) to[r * 8 + i] = held[(i * 4 + r) & 31] + k[r];
}
