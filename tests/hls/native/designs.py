"""Small designs of our own, which polls, drops, jumps and deadlocks are tested with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.build import COMPILERS
from ppnsim.hls.native.execute import NativeDesign, execute, timed
from ppnsim.hls.native.model import NativeRun

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, COMPILERS)), reason=f"no compiler of C++ on the PATH ({', '.join(COMPILERS)})"
)

# A sender that never waits, and a receiver that takes a token every third cycle until it gets -1.
COPY = """#include <hls_stream.h>
static void give(const int in[9], hls::stream<int> &s) { for (int i = 0; i < 9; i++) s.write(in[i]); }
static void take(hls::stream<int> &s, int out[9]) { for (int i = 0; i < 9; i++) out[i] = s.read(); }
static void unused(int out[9]) { for (int i = 0; i < 9; i++) out[i] = i; }
void top(const int in[9], int out[9]) {
#pragma HLS dataflow
    hls::stream<int> s;
    give(in, s);
    take(s, out);
}
"""
DROPS = """
#include <hls_stream.h>
void send(hls::stream<int> &s, const int in[64], int &lost) {
  for (int i = 0; i < 64; i++)
    if (!s.write_nb(in[i])) lost++;
  s.write(-1);
}
void receive(hls::stream<int> &s, int &sum) {
  while (true) {
#pragma HLS pipeline II=3
    int x = s.read();
    if (x < 0) break;
    sum += x;
  }
}
void top(const int in[64], int &lost, int &sum) {
#pragma HLS dataflow
  hls::stream<int> s;
  send(s, in, lost);
  receive(s, sum);
}
"""
DROPS_BENCH = """
#include <cstdio>
void top(const int in[64], int &lost, int &sum);
int main() {
  int in[64], lost = 0, sum = 0;
  for (int i = 0; i < 64; i++) in[i] = i;
  top(in, lost, sum);
  std::printf("lost %d sum %d\\n", lost, sum);
  return 0;
}
"""

# The flag of the data decides which of two streams a value takes.
CHOICE = """
#include <hls_stream.h>
void split(const int in[40], hls::stream<int> &even, hls::stream<int> &odd) {
  for (int i = 0; i < 40; i++) {
    if (in[i] & 1) odd.write(in[i]);
    else even.write(in[i]);
  }
  even.write(-1);
  odd.write(-1);
}
void count(hls::stream<int> &s, int &n) {
  while (true) {
    if (s.read() < 0) break;
    n++;
  }
}
void top(const int in[40], int &evens, int &odds) {
#pragma HLS dataflow
  hls::stream<int> even, odd;
#pragma HLS stream variable=odd depth=4
  split(in, even, odd);
  count(even, evens);
  count(odd, odds);
}
"""
CHOICE_BENCH = """
#include <cstdio>
void top(const int in[40], int &evens, int &odds);
int main() {
  int in[40], evens = 0, odds = 0;
  for (int i = 0; i < 40; i++) in[i] = i % 3;
  top(in, evens, odds);
  std::printf("%d even, %d odd\\n", evens, odds);
  return 0;
}
"""


def written(folder: Path, source: str, testbench: str) -> tuple[str, str]:
    """Write a design and its testbench; return their names."""
    kernel, bench = folder / "kernel.cpp", folder / "bench.cpp"
    kernel.write_text(source, encoding="utf-8")
    bench.write_text(testbench, encoding="utf-8")
    return str(kernel), str(bench)


def executed(folder: Path, source: str, testbench: str, *, seconds: float = 60.0) -> NativeRun:
    """Execute a design on xcvu9p at 5 ns."""
    kernel, bench = written(folder, source, testbench)
    design = NativeDesign(path=kernel, testbench=bench, function="top", seconds=seconds)
    return execute(timed(design, load_library("xcvu9p", 5)))
