"""R9.31 to R9.35 on small loops of release 2022.2 at 5 ns; intervals are those of reports of such loops."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.hls.rules import TOOL
from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import machine_of, shape_of

U55C = {"device": "xcu55c-fsvh2892-2L-e", "clock": 5.0}
BEFORE = replace(TOOL, release="2022.2")


@pytest.mark.parametrize(
    ("statements", "ii"),
    [
        ("H[A[i]] = H[A[i]] + 1;", 1),  # histogram
        ("int o = H[A[i]]; C[o] = i; H[A[i]]++;", 1),  # compute_neighbor_tables, sort_radix
        ("if (D[i] < Z[A[i]]) Z[A[i]] = D[i];", 2),  # rendering: stored only if data says so
        ("H[A[i]] += (short)B[i] * (short)C[i];", 2),  # sparse_matrix_multiply: in a DSP block
    ],
)
def test_elements_that_data_chooses_are_updated(tmp_path: Path, statements: str, ii: int) -> None:
    body = f"for (int i = 0; i < 1024; i++) {{ {statements} }}"
    arrays = {"A": "int[1024]", "B": "int[1024]", "C": "int[1024]", "H": "int[256]"}
    arrays |= {"D": "unsigned char[1024]", "Z": "unsigned char[256]"}
    assert shape_of(machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays))[-1][0] == ii


@pytest.mark.parametrize(
    ("statements", "ii", "stores"),
    [
        # CLINK's lstm, II 1 in its report: one store is left of five
        (
            "int k = A[i]; H[k] = B[i]; if (H[k] > 9) H[k] = 9; else if (H[k] > 3) H[k] = H[k] * 3; H[k] = H[k] + 1;",
            1,
            1,
        ),
        ("int k = A[i]; if (B[i] > 3) H[k] = 5; else H[k] = B[i]; C[i] = H[k];", 1, 1),
        ("int k = A[i]; if (B[i] > 3) H[k] = 5; C[i] = H[k];", 1, 1),
        ("int k = A[i]; H[k] = B[i]; H[k - 1] = 7; C[i] = H[k];", 1, 2),  # another element
        ("int k = A[i]; H[k] = H[k] + 1; if (B[i] > 3) H[k] = H[k] * 4;", 2, 1),  # updated twice: 3 through the memory
        ("unsigned char k = A[i], m = k + 1; H[k] = B[i]; H[m] = 7; C[i] = H[k];", 2, 2),  # it wraps: not proven here
        ("int k = A[i]; H[k] = B[i]; k = B[i]; H[k] = 7; C[i] = H[A[i]];", 2, 2),  # another value of the variable
        ("int k = A[i]; if (B[i] > 3) { k = B[i]; H[k] = 5; } else H[k] = 7; C[i] = H[k];", 1, 2),
        # R4.2: the product, stored at the end, is what the next iteration may load, though a store behind it is sooner.
        ("int k = A[i]; H[k] = H[k] * B[i]; H[k + 1] = 0;", 4, 2),
        ("int k = A[i]; if (k > 3) H[k] = H[k] * B[i]; else H[B[i]] = 0;", 4, 2),
    ],
)
def test_equal_subscripts_of_one_value_are_one_element(
    tmp_path: Path, statements: str, ii: int, stores: int
) -> None:  # fmt: skip
    """R2.2: what is stored to an element that data chooses is handed on, and the last store is left."""
    arrays = {"A": "int[1024]", "B": "int[1024]", "C": "int[1024]", "H": "int[256]"}
    body = f"for (int i = 0; i < 1024; i++) {{ {statements} }}"
    (nest,) = machine_of(tmp_path, body, rules=BEFORE, **U55C, **arrays).nests
    left = [node for node in nest.body.graph.nodes if node.kind == "store" and node.access and node.access.array == "H"]
    assert (nest.body.schedule.ii, len(left)) == (ii, stores)


MERGE = """
void merge(float in[16], int width, float out[16]) {
    int f1 = 0, f2 = width, i2 = width, i3 = 2 * width;
    for (int i = 0; i < 16; i++) {
#pragma HLS pipeline II=1
        float t1 = in[f1], t2 = (f2 == i3) ? 0 : in[f2];
        if (f2 == i3 || (f1 < i2 && t1 <= t2)) { out[i] = t1; f1++; }
        else { out[i] = t2; f2++; }
        if (f1 == i2 && f2 == i3) {
            f1 = i3; i2 += 2 * width; i3 += 2 * width;
            if (i2 >= 16) i2 = 16;
            if (i3 >= 16) i3 = 16;
            f2 = i2;
        }
    }
}
void top(float A[2][16], float B[16]) {
#pragma HLS array_partition variable=A complete dim=1
    merge(A[0], 1, A[1]);
    merge(A[1], 2, B);
}
"""


def test_variables_are_handed_on_within_a_state_and_rows_are_memories_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "merge.cpp"
    path.write_text(MERGE, encoding="utf-8")
    found = schedule(path, function="top", device=str(U55C["device"]), clock="5 ns", release="2022.2")
    assert [(row["ii"], row["depth"]) for row in found.rows()] == [(2, 3), (2, 3)]


def test_a_whole_number_that_sums_floats_is_converted_twice(tmp_path: Path) -> None:
    body = "int s = 0; for (int i = 0; i < 64; i++) s = s + A[i]; B[0] = s;"
    machine = machine_of(tmp_path, body, rules=BEFORE, **U55C, A="float[64]", B="int[1]")
    assert shape_of(machine)[-1][0] == 9  # svm


@pytest.mark.parametrize(("of", "ii"), [("unsigned char[256]", 6), ("int[16]", 4)])
def test_two_updates_of_elements_that_data_chooses_follow_one_another(tmp_path: Path, of: str, ii: int) -> None:
    """By hand, R2.6: two updates of 3 states each, and of 2 where load, sum and store fit into one state.

    3.254 ns from the load, 1.816 to add and 3.254 to store are more than 7.3 ns, so that the store is in the state
    after the sum, and the next load one later. 16 elements take 2.322 ns each way. No register compares two addresses
    of one iteration (R4.3).
    """
    body = "for (int i = 0; i < 64; i++) { H[A[i]]++; H[B[i]]++; }"
    assert shape_of(machine_of(tmp_path, body, A="int[64]", B="int[64]", H=of))[-1][0] == ii
