"""Stores of an iteration in order (R9.37), and what counts as work of scheduling, which no earlier run changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from ppnsim.c.lowering.control import executed_control
from ppnsim.errors import TooMuchWork
from ppnsim.hls.graph import overwritten
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import BackEdge
from ppnsim.hls.region import accesses
from ppnsim.hls.structure.aliases import never_meet
from ppnsim.library.schedule import schedule
from ppnsim.loops import work
from ppnsim.loops.program import Access, Loop

_COPIES = """void f(int a[400], int b[400], int n) {
    for (int i = 0; i < 9; i++) {
#pragma HLS pipeline
        for (int k = 0; k < 6; k++) { a[3 * i + 7 * k] = b[i + k]; FURTHER }
    }
}"""


def ordered(path: Path, text: str) -> list[BackEdge]:
    """The dependences between stores of the loop of a source."""
    path.write_text(text, encoding="utf-8")
    (nest,) = schedule(path, function="f", device="xcu55c").kernels[0].nests
    return [each for each in nest.body.graph.back if each.reason == "order of stores to a"]


@pytest.mark.parametrize(
    ("further", "some"),
    [
        ("a[3 * i + 7 * k + 2] = b[i];", True),
        ("a[2 * i + k] = b[i];", True),
        ("a[b[k]] = b[i];", True),
        ("a[i % 4 + 8 * k] = b[i];", True),
        ("if (b[i + k] > n) a[3 * i + k + 5] = n;", True),
        ("a[3 * i + 7 * k + 1] += b[i];", True),
    ],
)
def test_pairs_with_the_same_difference_share_what_is_found_for_one_of_them(
    tmp_path: Path, further: str, some: bool
) -> None:
    text = _COPIES.replace("FURTHER", further)
    with patch.object(Dependences, "form", lambda *_: None):
        each_pair = ordered(tmp_path / "k.c", text)
    assert ordered(tmp_path / "k.c", text) == each_pair
    assert bool(each_pair) == some


def test_few_pairs_of_copies_are_compared(tmp_path: Path) -> None:
    compared: list[tuple[Access, Access]] = []

    def seen(store: Access, other: Access, loops: Sequence[Loop]) -> bool:
        compared.append((store, other))
        return never_meet(store, other, loops)

    with patch.object(overwritten, "never_meet", seen):
        assert ordered(tmp_path / "k.c", _COPIES.replace("FURTHER", "a[3 * i + 7 * k + 2] = b[i];"))
    assert len(compared) < 12 * 11 / 2 / 2


def test_listing_accesses_to_fifos_counts_as_work(tmp_path: Path) -> None:
    (path := tmp_path / "k.cpp").write_text(
        """#include <hls_stream.h>
        void put(hls::stream<int> &s, int a[8]) {
            for (int i = 0; i < 8; i++) { a[i] /= 3; for (int j = 0; j < i; j++) s.write(a[j]); } }
        void take(hls::stream<int> &s, int b[8]) { for (int i = 0; i < 28; i++) b[i % 8] += s.read(); }
        void f(int a[8], int b[8]) {
        #pragma HLS dataflow
            hls::stream<int> s;
            put(s, a); take(s, b); }""",
        encoding="utf-8",
    )
    with (
        patch.object(accesses, "VISITED", work.MOST + 1),
        pytest.raises(TooMuchWork, match=r"k\.cpp:\d+:\d+: .*too much work"),
    ):
        schedule(path, function="f")


def test_a_further_run_in_the_same_process_is_as_much_work(tmp_path: Path) -> None:
    (path := tmp_path / "k.c").write_text(
        """void f(int a[9], int n) {
            int m = 0;
            for (int k = 0; k < 5; k++) if (k % 2) m += 3;
            for (int k = 0; k < m; k++) { if (m == 6) a[k] += 1; else a[k] /= n; }
            if (n) { for (int i = 0; i < 9; i++) a[i] = n; } else { for (int i = 0; i < 8; i++) a[i] = a[i] / n; } }""",
        encoding="utf-8",
    )
    spent, executed = list[int](), list[int]()
    for _ in range(3):
        with work.limited():
            _, (operations, _) = work.counted(lambda: schedule(path, function="f", worst=True))
        spent.append(operations)
        executed.append(executed_control._truths_in.cache_info().misses)
    assert spent[0] == spent[1] == spent[2] > 0
    assert executed == sorted({*executed})
