"""What is said of loops that other loops stand in, and of those that only wait."""

from __future__ import annotations

from pathlib import Path

from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written


def test_a_loop_around_others_that_runs_as_often_as_is_annotated_is_said(tmp_path: Path) -> None:
    text = """void k(int a[64], int n) {
  while (a[0] != n) {
#pragma HLS loop_tripcount max=10
    for (int i = 0; i < 64; i++) a[i] += n;
  }
}"""
    kernel = schedule(written(tmp_path, text)).kernels[0]
    assert [nest.visits for nest in kernel.machine.nests] == [10]
    assert "loop 'trip' (line 2) runs as often as is annotated or assumed" in kernel.assumptions


def test_a_loop_that_only_waits_is_said_and_so_are_its_pragmas(tmp_path: Path) -> None:
    text = """void k(volatile int *status, int a[8]) {
  while (*status == 0) {
#pragma HLS loop_tripcount max=10
  }
  a[0] = 1;
}"""
    found = schedule(written(tmp_path, text))
    assert "line 2 only waits for its condition and takes no cycles here" in " ".join(found.assumed)
    assert "kernel.cpp:3:1: loop_tripcount in code of which nothing is executed" in str(found)


def test_a_network_says_which_of_its_loops_run_as_often_as_is_annotated(tmp_path: Path) -> None:
    """Sizes were "proven" for a number of iterations that nobody told."""
    text = """#include <hls_stream.h>
static void put(const int a[64], hls::stream<int> &s, int n) { for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=40
    s.write(a[i]); } }
static void get(hls::stream<int> &s, int b[64], int n) {
  for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=40
    b[i] = s.read(); } }
void k(const int a[64], int b[64], int n) {
#pragma HLS dataflow
  hls::stream<int> s; put(a, s, n); get(s, b, n); }"""
    found = load_source(str(written(tmp_path, text)))
    said = [note for note in found.notes if "annotated" in note]
    assert [note.partition(",")[0] for note in said] == [f"the loop in line {n} runs 40 times" for n in (2, 6)]
