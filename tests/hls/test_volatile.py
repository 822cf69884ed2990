"""Volatile accesses over a bus: all happen, in the order of the program, each as a request of its own (R1.2)."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from tests.helpers.hls_sources import written

NODE = "struct node { int value; int next[2]; };\n"
BUS = "#pragma HLS interface m_axi port=a bundle=A\n"
READ, WRITE = 8, 7
"""States of a read over a bus, and of a write with its response (R6.4, R6.9)."""


def _cycles(tmp_path: Path, text: str, release: str = "2016.3") -> int:
    path = tmp_path / "k.cpp"
    path.write_text(text, encoding="utf-8")
    return ppnsim.schedule(path, function="f", release=release).kernels[0].machine.cycles


def test_a_volatile_read_waits_for_the_response_to_a_write(tmp_path: Path) -> None:
    """fetch_Retvoid (2016.3): 15 states for each copy of a loop's body, one after the other."""
    copies = " ".join(f"a[{n}] = a[{n}];" for n in range(4))
    volatile, plain = (_cycles(tmp_path, f"void f({of}int *a) {{\n{BUS}{copies} }}") for of in ("volatile ", ""))
    assert abs(volatile - 4 * (READ + WRITE)) <= 1
    assert plain < 2 * (READ + WRITE)


def test_volatile_reads_follow_each_other_by_a_state(tmp_path: Path) -> None:
    text = f"int f(volatile int *a, int n) {{\n{BUS}int t = a[n]; t = a[n]; t = a[n]; return t; }}"
    once = f"int f(volatile int *a, int n) {{\n{BUS}int t = a[n]; return t; }}"
    assert _cycles(tmp_path, text) == _cycles(tmp_path, once) + 2


@pytest.mark.parametrize("loop", [
    "int t[64]; for (int i = 0; i < 64; i++) t[i] = a[3 * i].next[1];",
    "int t; for (int i = 0; i < 64; i++) t = a[3 * i].value;",
])  # fmt: skip
def test_a_volatile_member_that_nobody_uses_is_read(tmp_path: Path, loop: str) -> None:
    """SkipList_HeadOffs: the loops that read a volatile list and keep nothing stay."""
    text = f"{NODE}void f(OFvoid_node *a, int *o) {{\n{BUS}{loop} *o = 1; }}"
    volatile, plain = (text.replace("OFvoid_node", f"{of}struct node") for of in ("volatile ", ""))
    assert _cycles(tmp_path, volatile) >= 64 * READ
    assert _cycles(tmp_path, plain) < 8


def test_each_member_of_a_volatile_struct_is_a_request(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n o[i] = a[i].value + a[i].next[1]; }"
    text = f"{NODE}void f(OFnode a[64], int o[64]) {{\n{BUS}{loop} }}"
    volatile, plain = (_cycles(tmp_path, text.replace("OFnode", f"{of}node")) for of in ("volatile ", ""))
    assert volatile == plain + 64  # II 2 for 1, and a state for the first iteration


@pytest.mark.parametrize("release", ["2016.3", "2022.2"])
def test_consecutive_volatile_elements_are_no_burst(tmp_path: Path, release: str) -> None:
    loop = "for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline off\n BODY }"
    for body in ("o[i] = a[i];", "a[i] = o[i];"):
        text = f"void f(int o[64], OFint a[64]) {{\n{BUS}{loop.replace('BODY', body)} }}"
        burst, single = (_cycles(tmp_path, text.replace("OF", of), release) for of in ("", "volatile "))
        assert single > burst + 64 * 4


def test_ways_that_exclude_each_other_do_not_wait(tmp_path: Path) -> None:
    text = f"int f(volatile int *a, int n) {{\n{BUS}int t = 0; if (n > 3) a[n] = 1; else t = a[n + 1]; return t; }}"
    assert _cycles(tmp_path, text) < READ + WRITE


def test_members_that_are_all_volatile_are_not_said(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("struct s { volatile int v[4]; };\nvoid f(s a[9]) { a[0].v[1] = 3; }", encoding="utf-8")
    assert not any("volatile" in each for each in ppnsim.schedule(path, function="f").assumed)


@pytest.mark.parametrize(
    ("of_a", "of_b", "said"), [("volatile ", "volatile ", True), ("", "volatile ", False), ("", "", False)]
)
def test_the_order_of_volatile_accesses_between_iterations_is_said(
    tmp_path: Path, of_a: str, of_b: str, said: bool
) -> None:
    """In C, the load of an iteration comes after the store of the one before; here it does not (R1.2)."""
    code = f"""void kernel({of_a}int a[64], {of_b}int b[64], int k) {{
      for (int i = 0; i < 64; i++) {{
    #pragma HLS pipeline
        b[i] = a[i] * k;
      }} }}"""
    (kernel,) = ppnsim.schedule(written(tmp_path, code)).kernels
    words = "loop 'i' (line 2) has the accesses to volatile 'a', 'b' of an iteration in order"
    assert (words in " ".join(kernel.assumptions)) == said
