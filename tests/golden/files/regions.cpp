// Regions whose streams are declared in every way, with ports, and one that stops (tests/source_networks/test_regions.py).
#include "hls_stream.h"
typedef hls::stream<int> fifo;
static void put(const int a[24], fifo &s) { for (int i = 0; i < 24; i++) s << a[i]; }
static void take(fifo &s, int b[24]) { for (int i = 0; i < 24; i++) b[i] = s.read(); }
static void twice(fifo &s, fifo &t) {
  for (int i = 0; i < 24; i++) {
#pragma HLS pipeline II=2
    t << 2 * s.read(); } }
static void halves(const int a[24], fifo s[2]) { for (int i = 0; i < 24; i++) s[i % 2] << a[i]; }
static void joined(fifo s[2], int b[24]) { for (int i = 0; i < 12; i++) b[i] = s[0].read() + s[1].read(); }
static void late(fifo &s, fifo &t, int b[24]) { int x[24]; for (int i = 0; i < 24; i++) x[i] = s.read(); for (int i = 0; i < 24; i++) b[i] = x[i] + t.read(); }
static void both(const int a[24], fifo &s, fifo &t) { for (int i = 0; i < 24; i++) { s << a[i]; t << i; } }
static void inside(const int a[24], int b[24]) {
#pragma HLS inline
  fifo own; put(a, own); take(own, b); }
void typed(const int a[24], int b[24]) {
#pragma HLS dataflow
  static hls::stream<int, 5> s; /* one */ hls::stream<int, (2 > 1 ? 7 : 3)> t; put(a, s); twice(s, t); take(t, b); }
void directed(const int a[24], int b[24]) {
#pragma HLS dataflow
  fifo s, t;
#pragma HLS stream variable=s depth=9   // enough
#pragma HLS STREAM depth=3 variable = t
  put(a, s); twice(s, t); take(t, b); }
void several(const int a[24], int b[24]) {
#pragma HLS dataflow
  fifo s[2]; halves(a, s); joined(s, b); }
void stops(const int a[24], int b[24]) {
#pragma HLS dataflow
  fifo s;
  fifo t; both(a, s, t); late(s, t, b); }
void ported(const int *a, int *b) {
#pragma HLS interface m_axi port=a bundle=x depth=24
#pragma HLS interface m_axi port=b bundle=y depth=24 latency=20
#pragma HLS dataflow
  fifo s; put(a, s); take(s, b); }
void inlined(const int a[24], int b[24]) {
#pragma HLS dataflow
  inside(a, b); }
