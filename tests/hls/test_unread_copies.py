"""Unrolled copies whose values a later copy replaces: they take no load, unless somebody sees it (R5.10)."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from tests.helpers.hls_sources import written

BUS = "#pragma HLS interface m_axi port=a offset=slave\n"
ALL, HALF = "#pragma HLS unroll\n", "#pragma HLS unroll factor=4\n"


def _cycles(folder: Path, text: str, release: str = "2018.3") -> int:
    return ppnsim.schedule(written(folder, text), function="f", release=release).kernels[0].machine.cycles


@pytest.mark.parametrize("bus", [BUS, ""])
def test_only_the_last_copy_loads(tmp_path: Path, bus: str) -> None:
    """Mod_data of PYNQ-Z1_projects: 4000 copies of one load are one load."""
    head = f"int f(int a[64]) {{\n{bus}"
    copies = f"{head}int t = 0;\nfor (int i = 0; i < 16; i++) {{\n{ALL}t = a[3 * i]; }} return t; }}"
    assert _cycles(tmp_path, copies) == _cycles(tmp_path, f"{head}return a[45]; }}")


@pytest.mark.parametrize(
    "body",
    [
        "t = a[3 * i]; u = u * 3 + t;",  # each copy is read
        "if (n > i) t = a[3 * i];",  # a copy may leave the value of the one before
        "t = t * a[3 * i];",
    ],
)
def test_copies_that_are_read_load(tmp_path: Path, body: str) -> None:
    text = f"int f(int a[64], int n) {{\n{BUS}int t = 1, u = 0;\nfor (int i = 0; i < 16; i++) {{\n{ALL}{body} }}"
    once = f"int f(int a[64], int n) {{\n{BUS}return a[45] + n; }}"
    assert _cycles(tmp_path, f"{text} return t + u; }}") >= _cycles(tmp_path, once) + 14


@pytest.mark.parametrize("out", ["break;", "goto out;"])
def test_a_copy_stays_that_the_next_may_not_replace(tmp_path: Path, out: str) -> None:
    """A break on data ends the loop with the value of any copy, so each loads."""
    text = f"int f(int a[64], int b[16]) {{ int t = 0;\nfor (int i = 0; i < 16; i++) {{\n{ALL}"
    left = f"{text}t = a[3 * i] + a[3 * i + 1]; if (b[i] == 3) {out} }} out: return t; }}"
    each = f"{text}t += a[3 * i] + a[3 * i + 1]; }} return t; }}"
    assert _cycles(tmp_path, left) >= _cycles(tmp_path, each) - 1


def test_tokens_and_volatile_elements_are_taken_by_every_copy(tmp_path: Path) -> None:
    head = f'#include "hls_stream.h"\nint f(TAKEN) {{ int t = 0;\nfor (int i = 0; i < 16; i++) {{\n{ALL}'
    stream = head.replace("TAKEN", "hls::stream<int> &a") + "t = a.read(); } return t; }"
    volatile = head.replace("TAKEN", "volatile int a[64]") + "t = a[i]; } return t; }"
    assert _cycles(tmp_path, stream) >= 15
    assert _cycles(tmp_path, volatile) >= 7


def test_a_test_that_no_iteration_meets_is_none_in_a_loop_of_copies_without_a_pipeline(tmp_path: Path) -> None:
    """Add of PYNQ-Z1_projects: of 4000 copies, one may be the one that counts."""
    text = f"""int f(int *a) {{
{BUS}int t = 0, r = 0;
for (int i = 0; i < 64; i = i + 8) {{
{HALF}t = a[i]; if (i == 16) r = t + 10; }} return r; }}"""
    alone = f"""int f(int *a) {{
{BUS}int t = 0, r = 0;
for (int i = 0; i < 2; i++) {{ t = a[i * 32 + 16]; if (i == 0) r = t + 10; }} return r; }}"""
    assert _cycles(tmp_path, text) <= _cycles(tmp_path, alone) + 2


@pytest.mark.parametrize("test", ["k == 0", "x[i] == 0"])
def test_an_else_takes_nothing_from_its_if(tmp_path: Path, test: str) -> None:
    """Compute_output of FPGAZYNQ_TESTCONV: copies that each set a static variable on both ways are no chain (R5.8)."""
    loops = "for (int k = 0; k < 4; k++) for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n"
    body = f"for (int m = 0; m < 8; m++) {{ if ({test}) t = b[m]; else t = y[m][i]; t = t * x[i]; y[m][i] = t; }}"
    cut = "#pragma HLS array_partition variable=y complete dim=1\n#pragma HLS array_partition variable=b complete\n"
    text = f"void f(int x[64], int b[16], int y[8][64]) {{\n{cut}STATICint t = 0;\n{loops}{body} }} }}"
    depths = []
    for static in ("static ", ""):
        (kernel,) = ppnsim.schedule(written(tmp_path, text.replace("STATIC", static)), function="f").kernels
        depths.append(kernel.machine.nests[0].body.depth)
    assert depths[0] <= depths[1] + 1
    assert depths[0] < 20


def test_a_value_stays_that_a_goto_out_of_a_loop_keeps(tmp_path: Path) -> None:
    """The assignment behind the loop may be skipped, so the product before it is computed."""
    rest = "for (int i = 0; i < 10; i++) if (b[i] == 3) goto out; t = 0; out: return t; }"
    product, number = (f"float f(float a[64], int b[64]) {{ float t = {of};\n{rest}" for of in ("a[0] * a[1]", "1"))
    assert _cycles(tmp_path, product) >= _cycles(tmp_path, number) + 3
