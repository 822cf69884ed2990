"""States between accesses that ``ap_wait()`` and ``ap_wait_n()`` ask for (R3.14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written

_TOP = '#include "ap_utils.h"\nvoid f(volatile int *p, int a[64], int k) {\n'
_LOOP = "for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline\nint x = a[i]; {wait} p[0] = x; }}"


def _cycles(folder: Path, body: str) -> int:
    (kernel,) = schedule(written(folder, f"{_TOP}{body} }}"), function="f").kernels
    assert not any("ap_wait" in each for each in (*kernel.assumptions, *kernel.without_effect))
    return kernel.machine.cycles


@pytest.mark.parametrize(
    ("wait", "states"), [("ap_wait();", 1), ("ap_wait_n(10);", 10), ("ap_wait(); ap_wait_n(3); ap_wait();", 5)]
)
def test_accesses_keep_the_states_of_a_wait_between_them(wait: str, states: int, tmp_path: Path) -> None:
    assert _cycles(tmp_path, f"*p = 1; {wait} *p = 2;") == states
    assert _cycles(tmp_path, f"*p = 1; {wait}") == states


def test_a_wait_stands_between_loops_and_what_is_around_them(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 64; i++) a[i] = k;"
    waited, plain = (_cycles(tmp_path, f"*p = 1; {each} {loop} {each} *p = 2;") for each in ("ap_wait_n(20);", ""))
    assert plain + 2 * 20 <= waited <= plain + 2 * 20 + 1


@pytest.mark.parametrize("states", [1, 3, 8])
def test_a_pipeline_has_a_wait_in_its_depth(states: int, tmp_path: Path) -> None:
    waits = [_LOOP.format(wait=each) for each in ("", f"ap_wait_n({states});")]
    plain, waited = (schedule(written(tmp_path, f"{_TOP}{each} }}"), function="f").kernels[0].nests for each in waits)
    assert waited[0].body.schedule.ii == plain[0].body.schedule.ii == 1
    assert waited[0].body.depth == plain[0].body.depth - 1 + states


def test_a_task_that_waits_delays_its_tokens(tmp_path: Path) -> None:
    text = """#include <ap_utils.h>
#include <hls_stream.h>
void p(hls::stream<int> &s, int n[64]) { for (int i = 0; i < 64; i++) s.write(n[i]); }
void c(hls::stream<int> &s, int m[64]) { ap_wait_n(20); for (int i = 0; i < 64; i++) m[i] = s.read(); }
void f(int n[64], int m[64]) {
#pragma HLS dataflow
 hls::stream<int> s; p(s, n); c(s, m); }"""
    cycles = []
    for each in (text, text.replace("ap_wait_n(20);", "")):
        path = written(tmp_path, each)
        (kernel,) = schedule(path, function="f").kernels
        cycles.append(kernel.machine.cycles)
        assert load_source(str(path)).network.run().finish in (cycles[-1], cycles[-1] + 1)  # the last step is done
    assert 18 <= cycles[0] - cycles[1] <= 20


def test_a_wait_of_a_number_that_data_decides_is_one_state_which_is_said(tmp_path: Path) -> None:
    text = f"{_TOP}const int N = 4;\n*p = 1; ap_wait_n(k); ap_wait_n(2 * N); }}"
    (kernel,) = schedule(written(tmp_path, text), function="f").kernels
    assert any(
        "ap_wait_n in line 4 takes one state here, and as many as data say" in each for each in kernel.assumptions
    )
    assert kernel.machine.cycles == 9
