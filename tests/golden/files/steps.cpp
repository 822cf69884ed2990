// Loops around FIFOs of every kind: flattened, downwards, with bounds that wait for others, with conditions (tests/hls/test_steps.py).
#include "hls_stream.h"
typedef hls::stream<int> fifo;
void flat(fifo &in, fifo &out) { for (int i = 2; i < 5; i++) for (int j = 0; j < 4; j++) { int v = in.read(); if (i == 3 || j < 2) out.write(v); } }
void down(fifo &in, fifo &out) { for (int i = 7; i >= 2; i -= 2) for (int j = 3; j > 0; j--) { int v = in.read(); if (i - 2 * j > 0) out.write(v); } }
void three(fifo &in, fifo &out) { for (int i = 0; i < 3; i++) for (int j = 1; j < 6; j += 2) for (int k = 0; k < 2; k++) { int v = in.read(); if (i + j == 4 && k != 1) out.write(v); } }
void triangle(fifo &in, fifo &out) { for (int i = 0; i < 5; i++) for (int j = i; j < 5; j++) { int v = in.read(); if (j == i + 1) out.write(v); } }
void window(fifo &in, fifo &out) { for (int i = 0; i < 6; i++) { out.write(i); for (int j = (i - 2 > 1 ? i - 2 : 1); j < i + 2 && j < 5; j++) for (int k = 0; k < 2; k++) { int v = in.read(); if (j > 1 && k == 0) out.write(v); } } }
void lower(fifo &in, fifo &out) { for (int i = 5; i >= 0; i--) { out.write(in.read()); for (int j = (i + 1 < 4 ? i + 1 : 4); j >= i - 2 && j >= 0; j--) { int v = in.read(); if (j % 2 == 0) out.write(v); } } }
void around(fifo &in, fifo &out) { for (int i = 0; i < 4; i++) { for (int j = 0; j < 3; j++) out.write(in.read()); for (int j = 0; j < 2; j++) { int v = in.read(); if (i > 1) out.write(v + j); } } }
void same(fifo &in, fifo &out) { for (int i = 0; i < 4; i++) { int s = 0; for (int j = 0; j < 5; j++) s += in.read(); out.write(s); } }
void some(fifo &in, fifo &out, int a[8]) { for (int i = 0; i < 8; i++) { if (i % 3 == 1) { for (int j = 0; j < i; j++) a[j] += in.read(); } else out.write(a[i]); } out.write(a[0]); }
void many(fifo &in, fifo out[3]) { for (int i = 0; i < 9; i++) out[i % 3].write(in.read()); for (int i = 0; i < 4; i++) out[2 - i / 2].write(i); }
void slow(fifo &in, fifo &out) { for (int i = 0; i < 6; i++) {
#pragma HLS pipeline II=3
  int v = in.read(); out.write(v / 7); if (i == 4) out.write(v); } in.read(); }
void nested(fifo &in, fifo &out) { for (int h = 0; h < 2; h++) { for (int i = 0; i < 3; i++) { out.write(in.read()); for (int j = h; j < 3; j++) out.write(j); } for (int k = 0; k < 2; k++) out.write(in.read()); } }
void single(fifo &in, fifo &out) { out.write(in.read()); out.write(in.read() / 3); for (int i = 0; i < 1; i++) out.write(i); }
void never(fifo &in, fifo &out) { for (int i = 4; i < 4; i++) out.write(in.read()); for (int i = 0; i < 3; i++) for (int j = 2; j < i; j++) out.write(in.read()); out.write(1); }
