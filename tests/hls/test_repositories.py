"""What forty repositories that nobody had looked at have in them, each in a few lines of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule
from ppnsim.hls.region import accesses


def found(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    return schedule(folder / "k.cpp", **options).to_dict()


def loops(folder: Path, text: str, **options: Any) -> list[tuple[int, int]]:
    """Return trips and intervals of the loops."""
    return [(loop["trip"], loop["ii"]) for loop in found(folder, text, **options)["loops"]]


NEST = """void f(int *a, int w, int h) {
  for (int r = 0; r < h; r++) {
#pragma HLS loop_tripcount max=30
    %s
    for (int c = 0; c < w; c++) {
#pragma HLS loop_tripcount max=40
      a[64 * r + c] += 1; } } }"""


@pytest.mark.parametrize("options", [{"device": "xc7z020", "release": "2022.2"}, {"device": "xcu280"}])
def test_a_bound_that_nobody_changes_is_flattened_and_one_that_a_row_sets_is_not(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    # Reports name the two loops of an image of any size together.
    assert [trips for trips, _ in loops(tmp_path, NEST % "", **options)] == [1200]
    assert [trips for trips, _ in loops(tmp_path, NEST % "w = a[r];", **options)] == [40]


INITIAL = """void f(int x[64], int y[32]) {
  %s
  for (int i = 0; i < 64; i++) s[x[i] & 31] += 1;
  for (int i = 0; i < 32; i++) y[i] = s[i]; }"""


def test_an_initialiser_of_an_array_in_a_memory_is_a_loop(tmp_path: Path) -> None:
    # A report has "Loop 1" with II 1 and as many iterations as the array has elements.
    bare = found(tmp_path, INITIAL % "int s[32];")
    filled = found(tmp_path, INITIAL % "int s[32] = {0};")
    assert [loop["trip"] for loop in filled["loops"]] == [32, 64, 32]
    assert 32 <= filled["cycles"] - bare["cycles"] <= 35
    registers = "int s[32] = {0};\n#pragma HLS array_partition variable=s complete\n"
    assert [loop["trip"] for loop in found(tmp_path, INITIAL % registers)["loops"]] == [64, 32]
    table = "int s[4] = {1, 2, 3, 4}; for (int i = 0; i < 32; i++) y[i] = s[x[i] & 3];"
    assert [trips for trips, _ in loops(tmp_path, f"void f(int x[64], int y[32]) {{ {table} }}")] == [32]


def test_an_initialiser_in_a_loop_is_a_loop_in_it(tmp_path: Path) -> None:
    text = """void f(int x[9][200], int y[9][80]) {
      for (int t = 0; t < 9; t++) {
        int s[80] = {0};
        for (int i = 0; i < 200; i++) s[x[t][i] & 63] += 1;
        for (int i = 0; i < 80; i++) y[t][i] = s[i]; } }"""
    assert [trips for trips, _ in loops(tmp_path, text)] == [80, 200, 80]


def test_a_keyword_before_a_type_of_the_vendor_changes_nothing(tmp_path: Path) -> None:
    text = """#include "ap_int.h"
      #pragma GCC diagnostic error "-Wall"
      void f(%s a[8], %s b[8]) {
      #pragma HLS array_partition variable=b complete
        for (int i = 0; i < 8; i++) a[i] += b[i]; }"""
    plain = found(tmp_path, text % ("ap_uint<16>", "ap_int<8>"))
    assert found(tmp_path, text % ("class ap_uint<16>", "struct ap_int<8>")) == plain


ROW = """static int get(const int *d, int at) { return d[at & 7]; }
void f(const int m[8][8], const int x[64], int y[64]) {
#pragma HLS array_partition variable=m dim=1 complete
  for (int n = 0; n < 64; n++) {
#pragma HLS pipeline
    int s = 0;
    for (int b = 0; b < 8; b++) s += get(%s, x[n]);
    y[n] = s; } }"""


def test_data_chooses_in_the_row_that_is_handed_on_and_anywhere_behind_a_flat_pointer(tmp_path: Path) -> None:
    assert loops(tmp_path, ROW % "m[b]") == [(64, 1)]
    assert loops(tmp_path, ROW % "&m[0][0] + b") == [(64, 4)]


def test_memory_that_is_seen_in_wide_words_alone_has_those(tmp_path: Path) -> None:
    text = """#include "ap_int.h"
      void f(const signed char *x, int y[4]) {
      #pragma HLS interface m_axi port=x
        const ap_uint<128> *w = (const ap_uint<128> *)x;
        for (int i = 0; i < 4; i++) y[i] = w[i].range(%s) + w[i].range(7, 0); }"""
    assert loops(tmp_path, text % "127, 120") == [(4, 1)]  # one word each
    narrow = "void f(const signed char *x, int y[4]) { for (int i = 0; i < 4; i++) y[i] = x[i]; }"
    assert loops(tmp_path, narrow) == [(4, 1)]


def test_the_later_of_two_pipelines_of_a_function_counts_and_that_is_said(tmp_path: Path) -> None:
    text = """void f(int a[8], int b[8]) {
      #pragma HLS pipeline II=24
      #pragma HLS inline self
      #pragma HLS pipeline II=9
        for (int i = 0; i < 8; i++) b[i] = a[i] + 1; }"""
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    answer = schedule(tmp_path / "k.cpp")
    assert answer.to_dict()["loops"][0]["ii"] == 9
    assert "a pipeline with II 24 before this one" in str(answer.kernels[0].directives.ignored)


def test_a_region_with_too_many_accesses_is_estimated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accesses, "MOST_ITERATIONS", 100)
    text = """#include "hls_stream.h"
      void make(hls::stream<int> &s, int a[50][9]) {
        for (int i = 0; i < 50; i++) for (int j = 0; j < 9; j++) { int x = a[i][j]; if (j < 8) s.write(x); } }
      void take(hls::stream<int> &s, int b[400]) { for (int i = 0; i < 400; i++) b[i] = s.read(); }
      void f(int a[50][9], int b[400]) {
      #pragma HLS dataflow
        hls::stream<int> s; make(s, a); take(s, b); }"""
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    machine = schedule(tmp_path / "k.cpp").kernels[0].machine
    assert "runs 450 times, and accesses FIFOs or buses in ways of its own" in " ".join(machine.said)
    assert 450 <= machine.cycles <= 470
