"""Subscripts, variables and conditions that are numbers in the copies of an unrolled loop (R1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.hls.schedule.model import StateMachine
from tests.helpers.hls_sources import machine_of, shape_of

SIZE = 16
ARRAYS = {"a": f"int[{SIZE}]", "o": f"int[{SIZE}]"}
PRAGMAS = "array_partition variable=a complete", "array_partition variable=o complete", "pipeline"


def _machine(folder: Path, body: str, before: str = "") -> StateMachine:
    kept = f"int t[{SIZE}]; for (int n = 0; n < {SIZE}; n++) t[n] = a[n];\n"
    copied = f"\nfor (int n = 0; n < {SIZE}; n++) o[n] = t[n];"
    return machine_of(folder, kept + body + copied, before=before, pragmas=PRAGMAS, **ARRAYS)


def _both(folder: Path, loop: str, written_out: str, before: str = "") -> Iterator[tuple[object, object]]:
    """Yield the cycles and the shape of a loop, and of what it is written out."""
    for body in (loop, written_out):
        machine = _machine(folder, body, before)
        yield machine.cycles, shape_of(machine)


SWAP = "if (t[{1}] < t[{0}]) {{ int x = t[{0}]; t[{0}] = t[{1}]; t[{1}] = x; }}"
UP, DOWN = SWAP.format("i", "l"), SWAP.format("l", "i")
STEPS = [(k, j) for k in (2, 4, 8, 16) for j in (8, 4, 2, 1) if j < k]
NETWORK = "\n".join(
    SWAP.format(*((i, i ^ j) if not i & k else (i ^ j, i))) for k, j in STEPS for i in range(SIZE) if i ^ j > i
)


@pytest.mark.parametrize(
    "loops",
    [
        "for (int k = 2; k <= 16; k <<= 1) for (int j = k / 2; j > 0; j /= 2) for (int i = 0; i < 16; i++) {",
        "for (unsigned k = 2; k <= 16; k *= 2) for (unsigned j = k / 2; j; j /= 2) for (unsigned i = 0; i < 16; i++) {",
        "for (int p = 1; p <= 4; p++) for (int q = p - 1; q >= 0; q--) for (int i = 0; i < 16; i++) {"
        "const int k = 1 << p, j = 1 << q;",
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        f"int l = i ^ j; if (l > i) {{ if ((i & k) == 0) {{ {UP} }} else {{ {DOWN} }} }}",
        f"if ((i ^ j) > i) {{ bool up = i & k; int u = up ? i ^ j : i, v = up ? i : i ^ j; {SWAP.format('u', 'v')} }}",
        "int l = i ^ j; if (l > i) { if (i & k) order(t[l], t[i]); else order(t[i], t[l]); }",
    ],
)
def test_a_sorting_network_is_what_it_is_written_out(tmp_path: Path, loops: str, body: str) -> None:
    """986 cycles for 20: each element was one that data chooses, and ``k`` had the number of its iteration."""
    order = "static void order(int &x, int &y) { if (y < x) { int z = x; x = y; y = z; } }\n"
    rolled, by_hand = _both(tmp_path, loops + body + "}", NETWORK, order)
    assert rolled == by_hand


def test_a_halved_number_is_one_of_numbers_from_0_on(tmp_path: Path) -> None:
    """A shift rounds down, a division to 0: they are one only where nothing is negative."""
    states = [
        _machine(tmp_path, f"for (int j = {start}; j {test} 0; j /= 2) t[j + 9] += t[j + 8];").cycles
        for start, test in (("6", ">"), ("-9", "<"))
    ]
    assert states[0] < states[1]


def _value(expression: str, i: int) -> int:
    return int(eval(expression, {"i": i}))


EXPRESSIONS = st.recursive(
    st.sampled_from(["i", "1", "3", "6", "5"]),
    lambda inner: st.tuples(inner, st.sampled_from(["^", "|", "&", "+", "*"]), inner).map(
        lambda each: f"({' '.join(each)})"
    ),
    max_leaves=5,
)


@settings(max_examples=20)
@given(EXPRESSIONS, EXPRESSIONS, EXPRESSIONS, st.sampled_from(["int", "unsigned char", "ap_uint<4>", "unsigned"]))
def test_any_sum_of_bits_is_its_number_in_each_copy(store: str, load: str, test: str, of: str) -> None:
    with TemporaryDirectory() as folder:
        loop = f"""for (int i = 0; i < 8; i++) {{
          {of} s = {store}; s = s & 15; int l = ({load}) & 15; bool b = ({test}) & 2;
          if (b) t[s] = t[l] * a[s ^ 1]; }}"""
        copies = [(_value(store, i) & 15, _value(load, i) & 15) for i in range(8) if _value(test, i) & 2]
        out = "".join(f"t[{to}] = t[{at}] * a[{to ^ 1}]; " for to, at in copies)
        rolled, by_hand = _both(Path(folder), loop, out, "#include <ap_int.h>\n")
        assert rolled == by_hand


REVERSED = [int(f"{i:04b}"[::-1], 2) for i in range(SIZE)]


@pytest.mark.parametrize(
    "index",
    [
        "ap_uint<4> n = i; int r = n[0] << 3 | n[1] << 2 | n[2] << 1 | n[3];",
        "unsigned char r = i; r = (r & 3) << 2 | r >> 2; r = (r & 5) << 1 | (r >> 1 & 5);",
        f"static const int table[16] = {{{', '.join(map(str, REVERSED))}}}; int r = table[i];",
    ],
)
def test_elements_in_bit_reversed_order_are_no_data(tmp_path: Path, index: str) -> None:
    out = "".join(f"t[{REVERSED[i]}] = a[{i}]; " for i in range(SIZE))
    rolled, by_hand = _both(
        tmp_path, f"for (int i = 0; i < 16; i++) {{ {index} t[r] = a[i]; }}", out, "#include <ap_int.h>\n"
    )
    assert rolled == by_hand


@pytest.mark.parametrize(
    ("chosen", "written_out"),
    [
        # What data may have changed is no number any more.
        ("int l = 1; if (a[0] > 3) l = 2; t[l] = a[5];", "int l = a[0] > 3 ? 2 : 1; t[l] = a[5];"),
        # A number that is set in one way of a branch is none in the other copy, whose branch asks for other data.
        ("int l = a[9]; for (int i = 0; i < 2; i++) { if (a[i] > 3) { t[l & 15] = a[5]; l = 2; } }",
         "int l = a[9]; if (a[0] > 3) { t[l & 15] = a[5]; l = 2; } if (a[1] > 3) { t[l & 15] = a[5]; l = 2; }"),
    ],
)  # fmt: skip
def test_a_variable_that_data_may_change_stays_one(tmp_path: Path, chosen: str, written_out: str) -> None:
    rolled, by_hand = _both(tmp_path, chosen, written_out)
    assert rolled == by_hand
    assert _machine(tmp_path, chosen).cycles > _machine(tmp_path, "t[2] = a[5];").cycles


def test_an_iterator_that_becomes_data_is_no_value_of_the_iteration_before(tmp_path: Path) -> None:
    """Its first value was lost, so that each iteration waited for the one before: II 5."""
    body = "for (int i = 0; i < 256; i++) {{\n#pragma HLS pipeline\n int r = i; {} o[r & 255] = r; }}"
    loops = [body.format(change) for change in ("r = r * a[3] + 7; r *= a[5];", "r += 7 * a[3]; r = a[5] - r;")]
    for loop in loops:
        assert shape_of(machine_of(tmp_path, loop, a="int[16]", o="int[256]"))[0][0] == 1
