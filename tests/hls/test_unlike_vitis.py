"""What Vivado HLS does otherwise than Vitis HLS, and what reports of both count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule
from ppnsim.boards.default import DEVICE
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.library.uncertainty import VIVADO


def found(folder: Path, text: str, release: str = "2019.1", *, worst: bool = True, **options: Any) -> Any:
    (folder / "k.cpp").write_text(text, "utf-8")
    return schedule(folder / "k.cpp", function="f", worst=worst, release=release or None, **options)


def cycles(folder: Path, text: str, release: str = "2019.1", *, worst: bool = True, **options: Any) -> int:
    number: int = found(folder, text, release, worst=worst, **options).to_dict()["cycles"]
    return number


def test_a_product_with_an_iterator_is_counted_up(tmp_path: Path) -> None:
    """R1.7: the iteration has three states, load, data, multiply-add; 3221 cycles in a report of 2019.1 (SoC_Lab2)."""
    inner = "short s = 0; for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s;"
    nest = f"for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) {{ {inner} }}"
    text = f"void f(short n, short a[100], short b[100], short c[100]) {{ if (n >= 5 && n <= 10) {nest} }}"
    assert cycles(tmp_path, text, device="xc7a100t") == 3221
    changed = text.replace("s += a[i * n", "n = a[k], s += a[i * n").replace("k < n", "k < 10")
    assert cycles(tmp_path, changed, device="xc7a100t") > 3221  # what the loop changes stays in it


@pytest.mark.parametrize(
    ("release", "local", "before"), [("2019.1", "", 0), ("2022.2", "", 4), ("2018.1", "int y[8]; *r = y[*r];", 4)]
)
def test_vivado_hls_loads_in_the_loop_what_later_releases_load_before_it(
    tmp_path: Path, release: str, local: str, before: int
) -> None:
    """R1.8: eight elements take the two ports of their memory for four states; no local array is one of them."""
    body = "#pragma HLS pipeline\nint s = 0; for (int j = 0; j < 8; j++) s += w[j] * x[8 * i + j]; y[i] = s;"
    argument, (first, _, last) = "" if local else ", int y[8]", local.partition(" *r")
    loop = f"for (int i = 0; i < 8; i++) {{\n{body} }}"
    text = f"void f(int w[8], int x[64], int *r{argument}) {{ {first} {loop} {last and '*r' + last} }}"
    (loop,) = found(tmp_path, text, release).to_dict()["loops"]
    around = cycles(tmp_path, text, release, worst=False) - (loop["depth"] + 7 * loop["ii"])
    assert around >= before if before else around <= 1


@pytest.mark.parametrize(
    ("name", "kind", "clock", "part", "vivado", "vitis"),
    [
        ("add", "double", 10, "", 5, 7), ("mul", "double", 10, "", 6, 7), ("add", "float", 10, "", 5, 5),
        ("add", "float", 20, "", 4, 4), ("mul", "float", 10, "clg400-2", 3, 4),
        ("add", "float", 5, "", 9, 10), ("mul", "float", 5, "", 5, 8), ("div", "float", 10, "", 16, 16),
        ("sqrt", "double", 10, "-clg400-1", 31, 57),
    ],
)  # fmt: skip
def test_the_form_with_the_fewest_states_that_fit_is_taken(
    name: str, kind: str, clock: float, part: str, vivado: int, vitis: int
) -> None:
    """R2.14: states of schedules of public repositories."""
    device = DEVICE + part
    of = Format.of(kind)
    assert load_library(device, clock, VIVADO).operator(name, of).states == vivado
    assert load_library(device, clock).operator(name, of).states == vitis


def test_a_comparison_chains_in_its_last_state(tmp_path: Path) -> None:
    """R2.14: load; data and comparison; its last state and the choice."""
    text = (
        "void f(float a[8], float m[1]) { float x = 0; for (int i = 0; i < 8; i++) x = a[i] < x ? x : a[i]; m[0] = x; }"
    )
    assert cycles(tmp_path, text) == 8 * 3 + 1


@pytest.mark.parametrize(("release", "times"), [("2020.2", 2), ("2022.2", 1)])
def test_a_second_loop_waits_where_loops_are_in_the_state_machine(tmp_path: Path, release: str, times: int) -> None:
    """R5.13, and R5.4 from 2021.1 on: two loops of 100 iterations that share nothing."""
    loops = "".join(
        f"for (int i = 0; i < 100; i++) {{\n#pragma HLS pipeline\n{x}[i] = {y}[i]; }}" for x, y in ("ab", "cd")
    )
    text = f"void f(int a[100], int b[100], int c[100], int d[100]) {{ {loops} }}"
    assert cycles(tmp_path, text, release, worst=False) // 100 == times


def test_reports_count_a_loop_under_a_condition_on_iterators_every_time(tmp_path: Path) -> None:
    """R5.14: 4 runs of 8; with loops on both ways of the condition each way counts as it is."""
    loop = "for (int j = 0; j < 50; j++) {\n#pragma HLS pipeline\na[j] += i; }"
    text = f"void f(int a[50]) {{ for (int i = 0; i < 8; i++) if (i % 2 == 0) {{ {loop} }} }}"
    exact, worst = (cycles(tmp_path, text, worst=each) for each in (False, True))
    assert 4 * 50 < exact < 5 * 60 < 8 * 50 < worst
    both = f"{text[:-2]} else {{ {loop} }} }}"
    assert cycles(tmp_path, both) == cycles(tmp_path, both, worst=False) < 2 * worst
    assert cycles(tmp_path, text.replace("i % 2 == 0", "i > 9"), worst=True) < 20  # numbers decide


def test_an_iterator_alone_is_an_address(tmp_path: Path) -> None:
    """R5.5: four states of an iteration that adds two elements through one port (xc7z020, 5 ns, 2019.2)."""
    body = "\n#pragma HLS unroll factor=2\ns += d[i];"
    head = "void f(int d[4], int &o) {\n#pragma HLS resource variable=d core=RAM_1P\nint s = 0;"
    text = f"{head} for (int i = 0; i < 4; i++) {{{body} }} o = s; }}"
    assert cycles(tmp_path, text, "2019.2", clock="5 ns") == 9


def test_a_store_waits_for_the_state_of_its_test_alone(tmp_path: Path) -> None:
    """R5.8: two states of a loop of bubble_sort (vj-sananda/vivado-hls); what was stored before takes a multiplexer."""
    swap = "if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }"
    text = f"void f(int a[101]) {{ for (int j = 0; j < 100; j++) {{ {swap} }} }}"
    assert cycles(tmp_path, text) == 1 + 2 * 100
    assert cycles(tmp_path, text.replace("if", "a[j] -= 5; if")) == 1 + 3 * 100


def test_the_smaller_of_two_numbers_is_a_number(tmp_path: Path) -> None:
    """A choice between numbers by their order, in a divisor of a subscript: each element of the sum is its own."""
    body = "const int n = 72 > 70 ? 72 : 70; for (int i = 0; i < 72; i++) {\n#pragma HLS pipeline\n"
    inner = "for (int m = 0; m < 4; m++) s[m / (144 / n)] += d[i]; }"
    text = f"void f(int d[72], int s[2]) {{\n#pragma HLS array_partition variable=s complete\n{body}{inner} }}"
    (loop,) = found(tmp_path, text).to_dict()["loops"]
    assert loop["ii"] == 1


@pytest.mark.parametrize("interval", [50, 5000, 2 * 10**9])
def test_an_interval_that_is_longer_than_an_iteration_has_no_effect_however_long(tmp_path: Path, interval: int) -> None:
    """Above 4096 it was refused, with words about dependences and without a line."""
    text = (
        f"void f(int a[100]) {{ for (int i = 0; i < 100; i++) {{\n#pragma HLS pipeline II={interval}\na[i] += 1; }} }}"
    )
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    (loop,) = schedule(tmp_path / "k.cpp", function="f").to_dict()["loops"]
    assert loop["ii"] == 3
