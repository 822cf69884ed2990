"""Loops that are no pipelines: with ``pipeline off``, and in Vivado HLS, the releases before 2020.1."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule


def cycles(folder: Path, text: str, release: str = "") -> int:
    (folder / "k.cpp").write_text(text, "utf-8")
    found: int = schedule(folder / "k.cpp", worst=True, release=release or None).to_dict()["cycles"]
    return found


@pytest.mark.parametrize(("kind", "states"), [("char", 3), ("int", 4)])
def test_products_of_integers_are_combinational(tmp_path: Path, kind: str, states: int) -> None:
    """Rule R2.13: a product of 8 bits chains with its operand and one of 32 bits has a state; each is 5 otherwise."""
    body = "for (int i = 0; i < 8; i++) y[0] += a[i] * b[i];"
    text = f"void f({kind} a[8], {kind} b[8], {kind} y[1]) {{ {body} }}\n"
    assert cycles(tmp_path, text, release="2019.1") == 8 * states + 1
    assert cycles(tmp_path, text.replace("y[0]", "\n#pragma HLS pipeline off\n y[0]")) > 8 * states + 1


def test_loops_of_the_state_machine_keep_their_headers(tmp_path: Path) -> None:
    """Rule R1.6: an iteration around a loop takes that loop and 2 cycles."""
    nest = "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = b[i][j];"
    text = f"void f(int a[3][4], int b[3][4]) {{ {nest} }}\n"
    assert cycles(tmp_path, text, release="2019.1") == 3 * (4 * 2 + 2) + 1


def test_a_loop_with_pipeline_off_is_no_pipeline_with_short_loops_in_it(tmp_path: Path) -> None:
    """Rule R1.3: neither it, nor a short loop right inside."""
    body = "for (int j = 0; j < 8; j++) s += a[j * 8 + i]; b[i] = s;"
    head = "void f(int a[64], int b[8]) { l: for (int i = 0; i < 8; i++) {"
    (tmp_path / "k.cpp").write_text(f"{head}\n#pragma HLS pipeline off\n int s = 0; {body} }} }}\n", "utf-8")
    assert [each["ii"] for each in schedule(tmp_path / "k.cpp").to_dict()["loops"]] == []
    (tmp_path / "k.cpp").write_text(f"{head} int s = 0; {body} }} }}\n", "utf-8")
    assert [each["ii"] for each in schedule(tmp_path / "k.cpp").to_dict()["loops"]] == [4]


def test_pipeline_off_keeps_no_loop_of_one_iteration(tmp_path: Path) -> None:
    """Rule R1.9."""
    loop = "for (int i = 0; i < 8; i++) {} b[i] += a[i];"
    text = f"void f(float a[8], float b[8]) {{{{\n#pragma HLS pipeline off\n {loop} }}}}\n"
    assert cycles(tmp_path, text.format("for (int k = 0; k < 1; k++)")) == cycles(tmp_path, text.format(""))


OFF = "\n#pragma HLS pipeline off\n"
NEST = "for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 4; k++)"
HEAD = "while (i < 8 && z * z < 4)"
INNER = "for (int k = 0; k < 2; k++) z += a[k];"
LEFT = "for (; i < 8; i++) { if (z * z > 4.0f) break;"


@pytest.mark.parametrize(
    ("arguments", "body", "states"),
    [
        # R1.4: both loops have a header.
        ("int a[3][4], int b[3][4]", "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = b[i][j];", 31),
        # R1.11: load, product of 4 states, sum of 5; the store is behind the loop.
        ("float a[8], float b[8], float y[8]", "y[1] = a[0]; for (int i = 0; i < 8; i++) y[1] += a[i] * b[i];", 90),
        # R1.11: no store in the loops, as the one behind them stores anew; two states load the element before.
        (
            "float a[8], float b[8], float y[8]",
            "for (int i = 0; i < 8; i++) y[1] += a[i] * b[i]; y[1] = y[1] + a[1];",
            97,
        ),
        # R5.5: three adders before a load are a state more than two.
        ("int a[2][9][32], int y[32]", f"{NEST} y[k] = a[0][i][j + k + 2];", 2 * (4 * (4 * 3 + 2) + 2) + 1),
        ("int a[2][9][32], int y[32]", f"{NEST} y[k] = a[0][i][j + k];", 2 * (4 * (4 * 2 + 2) + 2) + 1),
        # R5.23: 4 states of a product, of which the first is the last one of the 4 and 2 of the test.
        ("float a[8], int y[8]", f"int i = 0; float z = a[0]; {LEFT} z *= 3.3f; }} y[0] = i;", 8 * 9 + 2),
        # The same in the head; behind the product in 64 iterations of a do; before a loop of 14 states.
        ("float a[8], int y[8]", f"int i = 0; float z = a[0]; {HEAD} {{ z *= 3.3f; i++; }} y[0] = i;", 8 * 9 + 2),
        ("float a[8], int y[8]", f"int i = 0; float z = a[0]; do {{ z *= 3.3f; i++; }} {HEAD}; y[0] = i;", 82),
        ("float a[8], int y[8]", f"int i = 0; float z = a[0]; {HEAD} {{ {INNER} i++; }} y[0] = i;", 8 * (7 + 14) + 2),
        # An element that the test loads is there in the second state.
        ("int b[8], int y[8]", "int i = 0; while (b[i & 7]) { y[i & 7] = i; i++; }", 64 * 2 + 1),
        ("int b[8], int y[8]", "int i = 0; while (1) { if (b[i & 7] < 3) break; y[i & 7] = i; i++; }", 64 * 2 + 1),
        ("int b[8], int y[8]", "int i; for (i = 0; b[i & 7] != 4; i++) y[i & 7] = i;", 64 * 2 + 1),
        # A remainder in the head of a for has its 36 states in each iteration, too.
        ("int b[8], int y[8]", "for (int i = 0; n % (i + 1) == 0; i++) y[i & 7] = 1;", 64 * 38 + 1),
    ],
)
def test_states_of_loops_with_pipeline_off(tmp_path: Path, arguments: str, body: str, states: int) -> None:
    assert cycles(tmp_path, f"void f({arguments}, int n) {{{OFF}{body} }}\n", release="2022.1") == states


@pytest.mark.parametrize(
    ("mode", "release", "off", "states"),
    [
        # Header, and the token in one state, or in two.
        ("ap_fifo", "2022.1", OFF, 8 * 2 + 1), ("axis", "2022.1", OFF, 8 * 3 + 1),
        # Depths of 3 and 4, of a kernel that is one loop.
        ("ap_fifo", "2022.1", "", 10), ("axis", "2022.1", "", 11), ("axis", "2020.2", "", 11),
    ],
)  # fmt: skip
def test_a_write_to_an_axi_stream_takes_two_states(
    tmp_path: Path, mode: str, release: str, off: str, states: int
) -> None:
    """R3.8."""
    head = "#include <hls_stream.h>\nvoid f(int a[8], hls::stream<int> &s) {"
    loop = "for (int i = 0; i < 8; i++) s.write(a[i]);"
    text = f"{head}\n#pragma HLS interface {mode} port=s{off or chr(10)}{loop} }}\n"
    assert cycles(tmp_path, text, release=release) == states


BUS = "\n#pragma HLS interface m_axi port=b bundle=g\n"


@pytest.mark.parametrize(
    ("body", "states"),
    [
        # R6.21: asked for once, in 71 states; each of 8 elements in a state between the header and the store.
        ("for (int i = 0; i < 8; i++) a[i] = b[i];", 71 + 8 * 3),
        ("for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) a[i] = b[4 * i + j];", 71 + 2 * (4 * 3 + 2)),
        # The inner loop does not move it: it is read before that.
        ("for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) a[j] = b[i];", 71 + 2 * (4 * 1 + 3)),
    ],
)
def test_elements_of_a_bus_are_asked_for_once_for_a_nest(tmp_path: Path, body: str, states: int) -> None:
    assert cycles(tmp_path, f"void f(int a[8], int b[8]) {{{BUS}{OFF}{body} }}\n", release="2022.1") == states


@pytest.mark.parametrize(
    ("element", "ii"),
    [
        # R4.15: four iterations apart, unproven: 71 states to the element, a sum, a store, and 69 to the response.
        ("b[4 * k + j]", 143),
        # Never again, which the subscripts prove.
        ("b[16 * k + 4 * m + j]", 1),
    ],
)
def test_an_update_over_a_bus_waits_for_the_response(tmp_path: Path, element: str, ii: int) -> None:
    nest = "for (int k = 0; k < 4; k++) for (int m = 0; m < 4; m++) for (int j = 0; j < 4; j++)"
    body = f"{nest} {{\n#pragma HLS pipeline\n{element} += a[16 * k + 4 * m + j]; }}"
    (tmp_path / "k.cpp").write_text(f"void f(int a[64], int b[64]) {{{BUS}{body} }}\n", "utf-8")
    assert [row["ii"] for row in schedule(tmp_path / "k.cpp", release="2022.2").rows()] == [ii]
