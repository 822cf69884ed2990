"""What a draw of public repositories taught: buses of Vivado HLS, arguments by value, choices of numbers, quotients."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule

BUS = "\n#pragma HLS interface m_axi port=a depth=64000 offset=slave bundle=A\n"


def found(folder: Path, text: str, release: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    answer: dict[str, Any] = schedule(folder / "k.cpp", function="f", release=release, **options).to_dict()
    return answer


def summed(element: str) -> str:
    return f"int f(int *a) {{{BUS} int s = 0; for (int i = 0; i < 64000; i += 8) s += {element}; return s; }}"


@pytest.mark.parametrize(
    ("release", "flow", "states"),
    [("2016.3", None, 10), ("2019.2", None, 10), ("2019.2", "vitis", 74), ("2016.3", "vivado", 10)],
)
def test_vivado_hls_makes_ips_whose_buses_have_no_latency(tmp_path: Path, release: str, flow: Any, states: int) -> None:
    """R6.4: address, seven states of the request, the element and the sum; 10 states in a report of 2016.3."""
    assert found(tmp_path, summed("a[i]"), release, flow=flow)["cycles"] == 8000 * states + 1


def test_a_request_at_the_pointer_itself_has_no_address_to_add(tmp_path: Path) -> None:
    """R6.4: the request takes a whole state, so that an adder for the address has one of its own."""
    at = "int f(volatile int *a) {" + BUS + "int s = 0; for (int i = 0; i < 8; i++) s += ELEMENT + i; return s; }"
    own, moved = (found(tmp_path, at.replace("ELEMENT", element), "2016.3")["cycles"] for element in ("*a", "a[5 * i]"))
    assert moved == own + 8


@pytest.mark.parametrize(("bus", "pipelined"), [(BUS, True), ("", False)])
def test_a_block_that_comes_over_a_bus_is_pipelined_in_vivado_hls_too(
    tmp_path: Path, bus: str, *, pipelined: bool
) -> None:
    """R1.6: the loop of a memcpy over a bus is one burst of one element per cycle; other loops need a directive."""
    body = "int b[512]; memcpy(b, a, 512 * sizeof(int)); *r = b[*r];"
    answer = found(tmp_path, f"#include <string.h>\nvoid f(int a[512], int *r) {{{bus} {body} }}", "2019.2")
    assert [each["ii"] for each in answer["loops"]] == [1] * pipelined
    assert (answer["cycles"] < 512 + 20) == pipelined


@pytest.mark.parametrize(("release", "interval"), [("2019.2", 4), ("2022.2", 1)])
def test_vivado_hls_makes_no_memories_with_a_port_for_each_read(tmp_path: Path, release: str, interval: int) -> None:
    """R9.23: eight reads of a local array share its two ports; an earlier loop fills it, one store an iteration."""
    fill = "for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n w[i] = a[i]; }"
    reads = " + ".join(f"w[(x + {7 * n}) & 63]" for n in range(8))
    loop = f"for (int i = 0; i < 64; i++) {{\n#pragma HLS pipeline\n int x = c[i]; b[i] = {reads}; }}"
    text = f"void f(int a[64], int b[64], int c[64]) {{ int w[64]; {fill} {loop} }}"
    assert found(tmp_path, text, release)["loops"][-1]["ii"] == interval


@pytest.mark.parametrize(("by", "interval"), [("int t", 1), ("int &t", 5)])
def test_each_call_of_a_pipelined_function_has_its_own_arguments_by_value(
    tmp_path: Path, by: str, interval: int
) -> None:
    """R5.21: only what a reference refers to is handed from one call to the next."""
    step = "c = t < 0 ? c * 5 - t : c * 7 + t; t = t - (c >> j);"
    body = f"int c = 1; for (int j = 0; j < 6; j++) {{ {step} }} *s = c;"
    text = f"void f({by}, int *s) {{\n#pragma HLS pipeline\n {body} }}"
    (loop,) = found(tmp_path, text, "2021.2")["loops"]
    assert loop["ii"] == 1 if interval == 1 else loop["ii"] >= interval


@pytest.mark.parametrize(("by", "divides"), [("64", False), ("0.5", False), ("3", True)])
def test_a_quotient_by_a_power_of_two_is_a_product_on_every_device(tmp_path: Path, by: str, *, divides: bool) -> None:
    """R9.15: its reciprocal is exact, so that no release has a divider for it."""
    loop = "void f(double x[16]) { for (int i = 0; i < 16; i++) x[i] = x[i] OP; }"
    of, product = (
        found(tmp_path, loop.replace("OP", op), "2019.2", device="xc7z020")["cycles"] for op in (f"/ {by}", "* 0.7")
    )
    assert (of > 3 * product) == divides and (divides or of == product)


def used(folder: Path, body: str) -> tuple[int, int]:
    """Return cycles and DSP blocks of a pipelined function of two numbers in fixed point."""
    types = "#include <ap_fixed.h>\ntypedef ap_fixed<12,2> num;\n"
    text = f"{types}void f(num x, num t, num *y) {{\n#pragma HLS pipeline\n int s = t < 0 ? -1 : 1; {body} }}"
    answer = found(folder, text, "2021.2")
    return answer["cycles"], answer["resources"]["dsp"]


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("*y = x * s;", 0), ("*y = s * x;", 0), ("num k = 0.33; *y = x + s * k;", 0),
        ("int s2 = t < 0 ? 3 : 5; *y = x * s2;", 1), ("num h = 1.0; h = h / 2; h = h / 2; *y = x * h;", 0),
    ],
)  # fmt: skip
def test_a_product_with_a_choice_of_one_and_minus_one_is_no_product(tmp_path: Path, body: str, blocks: int) -> None:
    """R1.1: it is a choice of the value and its negative, as 'sub' and 'select' in a report of a CORDIC."""
    assert (used(tmp_path, body)[1] > 0) == (blocks > 0)


@pytest.mark.parametrize("pipeline", ["", " off"])
@pytest.mark.parametrize("chosen", ["int s = t < 0 ? -1 : 1;", "int s = t > 3 ? 1 : -1;"])
def test_a_choice_of_one_and_minus_one_that_no_iteration_changes_makes_no_product(
    tmp_path: Path, pipeline: str, chosen: str
) -> None:
    """R1.1: the compiler looks at the product before it moves the choice out of the loop."""
    loop = f"for (int i = 0; i < 32; i++) {{\n#pragma HLS pipeline{pipeline}\n {chosen} v += w[i] * s; }}"
    text = f"void f(int t, int w[32], int *y) {{ int v = 0; {loop} *y = v; }}"
    assert found(tmp_path, text, "2021.2")["resources"]["dsp"] == 0
    assert found(tmp_path, text.replace("-1", "5"), "2021.2")["resources"]["dsp"] > 0


def test_a_constant_that_is_halved_until_nothing_is_left_is_zero(tmp_path: Path) -> None:
    """R1.1: bits below the format are cut, so that the steps of a loop that come later compute nothing."""
    halved = "num h = 1.0, v = x; for (int j = 0; j < N; j++) { v = v - (v * s) * h; h = h / 2; } *y = v;"
    few, more = (used(tmp_path, halved.replace("N", str(steps)))[0] for steps in (11, 40))
    assert few == more > used(tmp_path, halved.replace("N", "4"))[0]


@pytest.mark.parametrize(("mode", "said"), [("", 0), (", AP_TRN", 0), (", AP_RND", 1), (", AP_TRN, AP_SAT", 1)])
def test_the_answer_says_that_rounding_and_saturation_take_no_time_here(tmp_path: Path, mode: str, said: int) -> None:
    """R2.1: a header beside the source may have the type; a comment has none."""
    (tmp_path / "t.h").write_text(
        f"#include <ap_fixed.h>\n// not ap_fixed<8,4,AP_RND>\ntypedef ap_fixed<16,6{mode}> num;\n"
    )
    (tmp_path / "k.cpp").write_text('#include "t.h"\nvoid f(num *a, num *b) { *b = *a * *a; }\n', "utf-8")
    notes = [
        each for each in schedule(tmp_path / "k.cpp").to_dict()["assumptions"] if "of ap_fixed takes no time" in each
    ]
    assert len(notes) == said and all("t.h:3: AP_" in each for each in notes)


@pytest.mark.parametrize(("step", "burst"), [(1, True), (2, False)])
def test_writes_of_consecutive_elements_are_one_request_before_the_loop(
    tmp_path: Path, step: int, *, burst: bool
) -> None:
    """R6.21: request and response are around the loop, as in a schedule of 2019.2; 8 cycles an iteration without."""
    sums = "int t = 0; for (int k = 0; k < 4; k++) t += b[4 * j + k] * k;"
    text = f"void f(int b[112], int *a) {{{BUS} for (int j = 0; j < 28; j++) {{ {sums} a[{step} * j] = t; }} }}"
    assert (found(tmp_path, text, "2019.2")["cycles"] < 28 * 22) == burst


@pytest.mark.parametrize(
    ("loop", "burst"),
    [
        ("for (int j = 0; j < 56; j += 2) a[j / 2] = b[j];", True),
        ("for (int j = 0; j < 56; j += 2) a[j / 4] = b[j];", False),
        ("int j = 0; do { a[j] = b[j]; } while (++j < 28);", True),
        ("int j = 0; do { a[j] = b[j]; } while (j++ < 27);", True),
        ("int j = -1; while (++j < 28) a[j] = b[j];", True),
        ("int j = 28; do { a[28 - j] = b[j]; } while (--j);", True),
        ("int j = 0; do { if (b[j] < 0) continue; a[j] = b[j]; } while (++j < 28);", False),  # not in each iteration
    ],
)
def test_consecutive_writes_are_seen_in_all_spellings(tmp_path: Path, loop: str, *, burst: bool) -> None:
    """R6.21: a step in the test of a loop, and a subscript that is a quotient, were subscripts that data chooses."""
    text = f"void f(int b[112], int *a) {{{BUS} {loop} }}"
    assert (found(tmp_path, text, "2019.2")["cycles"] < 28 * 5) == burst
