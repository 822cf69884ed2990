"""Elements that data or iterators choose: in words, in one of several memories, and stored in an order that matters."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

import ppnsim
from ppnsim.hls.structure import parity

U55C = ("xcu55c-fsvh2892-2L-e", "5 ns")
K26 = ("xck26-sfvc784-2LV-c", "10 ns")


def loops(folder: Path, code: str, target: tuple[str, str]) -> list[tuple[int, int]]:
    """Return interval and depth of each pipelined loop of a function f."""
    path, (device, clock) = folder / "f.cpp", target
    path.write_text(code)
    found = ppnsim.schedule(path, function="f", flow="vivado", device=device, clock=clock, release="2022.2")
    machine = found.kernels[0].machine
    return [(each.body.schedule.ii, each.body.depth) for each in machine.nests]


STRUCTS = """
struct P { float x[8]; };
static float got(const P &v) { return v.x[3]; }
void f(P a[16], int b[16], int c[16], int d[16], float out[16]) {
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    out[i] = SUM;
  }
}
"""


def test_what_a_reference_stands_for_chooses_its_element(tmp_path: Path) -> None:
    # Three elements and two ports; they were taken for one.
    by_name = STRUCTS.replace("SUM", "got(a[b[i]]) + got(a[c[i]]) + got(a[d[i]])")
    itself = STRUCTS.replace("SUM", "a[b[i]].x[3] + a[c[i]].x[3] + a[d[i]].x[3]")
    ((ii, _),) = loops(tmp_path, by_name, U55C)
    assert ii == 2
    assert loops(tmp_path, itself, U55C)[0][0] == 2
    once = STRUCTS.replace("SUM", "got(a[b[i]]) + got(a[b[i]]) + got(a[b[i]])")
    assert loops(tmp_path, once, U55C)[0][0] == 1


VECTORS = """
#include <hls_vector.h>
#include <ap_fixed.h>
typedef hls::vector<ap_fixed<32, 10>, 8> row;
void f(row a[16][12], row out[129][12], row bias[129][12], unsigned base, unsigned other) {
  for (unsigned p = 0; p < 16; p++)
    for (unsigned d = 0; d < 12; d++) {
#pragma HLS pipeline
      BODY
    }
}
"""


@pytest.mark.parametrize(
    ("body", "ii"),
    [
        ("out[base + p][d] = a[p][d] + bias[base + p][d];", 1),  # 8 lanes were 8 loads
        ("out[base + p][d] = bias[other + p][d] + bias[base + p][d];", 1),
        ("out[p][d] = bias[other + p][d] + bias[base + p][d] + bias[p][d];", 2),  # three vectors, two ports
        ("if (p == 0) out[d][d] = bias[0][d]; out[d][d] += a[p][d];", 1),
    ],
)
def test_the_lanes_of_a_vector_that_data_chooses_are_one_word(tmp_path: Path, body: str, ii: int) -> None:
    assert loops(tmp_path, VECTORS.replace("BODY", body), K26)[0][0] == ii


BANKS = """
void f(int in[240], int out[240]) {
  int acc[4][12];
#pragma HLS array_partition variable=acc complete dim=1
  for (int v = 0; v < 20; v++)
    for (int d = 0; d < 12; d++) {
#pragma HLS pipeline
      for (int k = 0; k < KEPT; k++) acc[k][d] = in[v * 12 + d] + (v == k ? 0 : acc[k][d]);
      out[v * 12 + d] = acc[v % 4][d];
    }
}
"""


def test_an_element_of_a_chosen_memory_is_what_was_just_stored_in_it(tmp_path: Path) -> None:
    ((ii, _),) = loops(tmp_path, BANKS.replace("KEPT", "4"), K26)
    assert ii == 1  # one load and one store in each memory; it was 2
    ((ii, _),) = loops(tmp_path, BANKS.replace("KEPT", "3"), K26)
    assert ii == 2  # the fourth memory has to be loaded


SWAP = """
void f(int in[1024], int at[1024], int out[1024], int more[1024]) {
  int n = at[0];
  for (int i = 0; i < 512; i++) {
#pragma HLS pipeline
    STORES
  }
}
"""


@pytest.mark.parametrize(
    ("stores", "ii"),
    [
        ("out[i] = in[i]; out[at[i]] = in[i + 1];", 2),  # what the next iteration stores must not be overwritten
        ("out[at[i]] = in[i]; out[at[i + 1]] = in[i + 1];", 2),
        ("out[i] = in[i]; more[at[i]] = in[i + 1];", 1),
        ("out[2 * i] = in[i]; out[2 * i + 1] = in[i + 1];", 1),  # never the same element
        ("out[n] = in[i]; out[n + 1] = in[i + 1]; n += 2;", 1),  # a counter goes on
        ("out[n] = in[i]; out[n + 1] = in[i + 1]; more[n] = 0; more[n + 1] = 1; more[n + 2] = 2; n += 3;", 2),
    ],
)
def test_stores_of_iterations_keep_their_order(tmp_path: Path, stores: str, ii: int) -> None:
    assert loops(tmp_path, SWAP.replace("STORES", stores), U55C)[0][0] == ii


BRANCHES = """
void f(int x[64], int c[64], int out[64]) {
  for (int i = 1; i < 64; i++) {
#pragma HLS pipeline
    BRANCH
  }
}
"""


@pytest.mark.parametrize(
    ("branch", "ii"),
    [
        ("if (i == 1) out[0] = 1; else out[i] = x[i] + x[i - 1];", 1),  # a boundary
        ("if (c[i] > 3) out[0] = 1; else out[i] = x[i] * 3;", 1),
        ("switch (i) { case 1: out[0] = 1; break; default: out[i] = x[i]; }", 1),
        ("if (i == 1) { out[2] = 1; } out[i] = x[i] + x[i - 1];", 2),  # both in one iteration
    ],
)
def test_stores_of_the_two_ways_of_a_branch_have_no_order(tmp_path: Path, branch: str, ii: int) -> None:
    assert [found for found, _ in loops(tmp_path, BRANCHES.replace("BRANCH", branch), U55C)] == [ii]


BLOCKS = """
void f(int a[3000], int out[64], int base) {
#pragma HLS array_partition variable=SHAPE
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 64; j++) {
#pragma HLS loop_flatten off
#pragma HLS pipeline
      out[j] = a[FIRST];
    }
}
"""


@pytest.mark.parametrize(
    ("shape", "first", "state"),
    [
        ("a block factor=2", "64 * i + j", 16),  # 1500 elements in a block: a remainder of 12 bits, and 4
        ("a block factor=2", "j", 0),  # always in the first block
        ("a block factor=4", "64 * i + j", 16),
        ("out block factor=2", "64 * i + j", 0),  # 32 elements in a block: one bit of the iterator
    ],
)
def test_an_address_in_a_block_is_a_remainder(tmp_path: Path, shape: str, first: str, state: int) -> None:
    code = BLOCKS.replace("SHAPE", shape).replace("FIRST", first)
    ((_, depth),) = loops(tmp_path, code, U55C)
    assert depth == state + 2  # the load, and what it loads with its store (R10.2)


@pytest.mark.parametrize(
    ("trips", "places", "ii"),
    [
        ("16", (0, 16, 32, 48), 1),
        ("32", (0, 16, 32), 1),  # no block has more than two accesses
        ("12", (0, 1, 2, 3), 2),
        ("n", (0, 16, 32, 48), 2),
    ],
)
def test_the_bounds_of_a_loop_tell_blocks_apart(tmp_path: Path, trips: str, places: tuple[int, ...], ii: int) -> None:
    """All of them took the ports of one memory (R6.1)."""
    total = " + ".join(f"a[i + {place}]" for place in places)
    code = "void f(int a[64], int out[64], int n) {\n#pragma HLS array_partition variable=a block factor=4\n"
    found = loops(tmp_path, f"{code}for (int i = 0; i < {trips}; i++) out[i] = {total}; }}", U55C)
    assert [each for each, _ in found] == [ii]


@pytest.mark.parametrize("step", ["i += 1;", "i++;", "++i;", "i = i + 1;", "i -= -1;"])
def test_a_place_that_is_computed_and_then_moved_waits_for_what_computes_it(tmp_path: Path, step: str) -> None:
    """The division was not there, in silence: 0 cycles for 38, and 'nobody uses' it."""
    path, found = tmp_path / "f.cpp", []
    for code in (f"int i = x[0] / h[0]; {step} y[i] = 2;", "y[x[0] / h[0] + 1] = 2;"):
        path.write_text(f"void f(int h[99], int x[99], int y[99]) {{ {code} }}")
        machine = ppnsim.schedule(path, function="f").kernels[0].machine
        found.append((machine.cycles, machine.said))
    assert found[0] == found[1] == (38, ())


TRACED = """
void f(char in[16][64], char out[16], int first) {
#pragma HLS array_partition variable=in KIND dim=2
  int at = first & 63;
  for (int t = 0; t < 16; t++) {
    out[t] = at;
    at = ((at << 1) | in[t][at]) & 63;
  }
}
"""


@pytest.mark.parametrize(("kind", "ii"), [("complete", 1), ("cyclic factor=2", 2)])
def test_no_load_waits_for_what_chooses_its_memory(tmp_path: Path, kind: str, ii: int) -> None:
    """R6.1: all memories are loaded at one place, and what the recurrence has to wait for is a multiplexer."""
    assert loops(tmp_path, TRACED.replace("KIND", kind), (K26[0], "3 ns"))[0][0] == ii


PRODUCT = """
void f(char a[3][3], char b[3][3], short out[3][3]) {
  DIRECTIVES
#pragma HLS array_reshape variable=a complete dim=2
#pragma HLS array_reshape variable=b complete dim=1
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PIPELINE
      out[i][j] = 0;
      for (int k = 0; k < 3; k++) out[i][j] += a[i][k] * b[k][j];
    }
}
"""
FIFOS = "".join(f"\n#pragma HLS interface ap_fifo port={name}" for name in ("a", "b", "out"))


@pytest.mark.parametrize(
    ("whole", "inner", "asked", "ii", "cycles"),
    [
        ("", "\n#pragma HLS pipeline", (), 1, 34), ("", "\n#pragma HLS pipeline", ("9: loop_flatten",), 1, 15),
        ("\n#pragma HLS pipeline", "", (), 5, 10),
    ],
)  # fmt: skip
def test_words_come_as_tokens_and_a_pipelined_function_stores_what_it_returns(
    tmp_path: Path, whole: str, inner: str, asked: tuple[str, ...], ii: int, cycles: int
) -> None:
    """R6.2: a token is a word, and the last store to an element counts; R9.24: nine stores in two ports.

    R6.4: tokens of a are taken before the inner loop, which runs three times, unless a directive makes one loop of two.
    """
    path, given = tmp_path / "f.cpp", PRODUCT.replace("DIRECTIVES", whole or FIFOS).replace("PIPELINE", inner)
    path.write_text(given)
    found = ppnsim.schedule(
        path, function="f", device="alveo-u50", clock="13.33 ns", release="2022.1", worst=True, pragmas=asked
    )
    (nest,) = (machine := found.kernels[0].machine).nests
    assert (nest.body.schedule.ii, machine.cycles) == (ii, cycles)


@pytest.mark.parametrize(("kind", "other", "ii"), [
    ("int", "1 - side", 1), ("unsigned", "side ^ 1", 1), ("int", "side + 2", 2), ("int", "1 - where[i]", 2),
    ("float", "(int)(1 - side)", 2),
])  # fmt: skip
def test_sides_of_a_buffer_that_differ_by_an_odd_number_never_meet(
    tmp_path: Path, kind: str, other: str, ii: int
) -> None:
    """R4.14: no load waits for what the other side got; a number that was cut off, or changes, says nothing."""
    code = f"""void f(int x[2][64], int where[64], {kind} side) {{
      for (int i = 0; i < 64; i++) x[(int)side][where[i]] = x[{other}][i] + 1; }}"""
    assert [found for found, _ in loops(tmp_path, code, ("alveo-u280", "10 ns"))] == [ii]


def test_the_statements_of_a_loop_are_looked_through_once_for_all_pairs_of_locations(tmp_path: Path) -> None:
    lines = " ".join(f"x[side][where[i + {n}]] = x[1 - side][i + {n}] + 1;" for n in range(6))
    code = f"void f(int x[2][64], int where[64], int side) {{ for (int i = 0; i < 58; i++) {{ {lines} }} }}"
    with patch.object(parity, "_reads", wraps=parity._reads) as read:
        loops(tmp_path, code, ("alveo-u280", "10 ns"))
    assert read.call_count == 12  # as a kernel of one loop, and with the states that `1 - side` needs before it


@pytest.mark.parametrize(
    ("place", "intervals"),
    [
        ("(x << 3) + k", [1, 1]), ("8 * x + k", [1, 1]), ("(x + 5) * 16 + k", [1, 1]),
        ("3 + 2 * (4 * x + k) - k", [1, 1]),
        ("x + k", [4, 4]), ("4 * x + k", [4, 1]),
    ],
)  # fmt: skip
def test_what_data_moves_within_one_of_cyclic_memories_takes_its_port_alone(
    tmp_path: Path, place: str, intervals: list[int]
) -> None:
    """ScanMatchCorrelative of hls_scan_matcher_correlative: a row of eight from an aligned place, II 2."""
    for factor, interval in zip((8, 4), intervals, strict=True):
        text = f"""void f(int g[1024], int p[64], int o[64][8]) {{
        #pragma HLS array_partition variable=g cyclic factor={factor}
        #pragma HLS array_partition variable=o complete dim=2
        for (int i = 0; i < 64; i++) {{
        #pragma HLS pipeline
          int x = p[i];
          for (int k = 0; k < 8; k++) o[i][k] = g[{place}];
        }} }}"""
        assert [found for found, _ in loops(tmp_path, text, K26)] == [interval], factor


def test_elements_whose_places_differ_by_a_shift_are_two(tmp_path: Path) -> None:
    text = "void f(int g[1024], int p[64], int o[64]) { for (int i = 0; i < 64; i++) o[i] = SUM; }"
    places = " + ".join(f"g[p[i] {each}]" for each in ("", "<< 3", "* 16", "<< 2"))
    assert [ii for ii, _ in loops(tmp_path, text.replace("SUM", places), K26)] == [2]
