"""R3.6: what only one of two ways of a branch accesses shares a port; intervals are counts of two ports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, count, starmap
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.hls.graph.exclusive import Ways, exclude, ports_taken
from tests.helpers.hls_sources import machine_of, shape_of

STREAM = '#include "hls_stream.h"\ntypedef hls::stream<int> &fifo;\n'
ARRAYS = {"a": "int[1024]", "b": "int[1024]", "c": "int[1024]"}


@pytest.mark.parametrize(
    ("statements", "ii"),
    [
        ("if (c[i] > 3) b[i] = a[i] + a[i + 1]; else b[i] = a[i + 7] * a[i + 9];", 1),
        ("if (i % 2) b[i] = a[i] + a[i + 1]; else b[i] = a[i + 7] * a[i + 9];", 1),
        ("b[i] = c[i] > 3 ? a[i] + a[i + 1] : a[i + 7] * a[i + 9];", 1),
        ("switch (c[i]) { case 0: b[i] = a[i]; break; case 1: b[i + 1] = a[i + 2]; break;"
         "default: b[i] = a[i + 4]; }", 1),
        ("if (c[i]) b[i] = a[i] + a[i + 1]; else if (c[i + 1]) b[i] = a[i + 7] + a[i + 9]; else b[i] = a[i + 5];", 1),
        ("if (c[i] > 3) { b[i] = 1; b[i + 5] = 2; } else { b[i + 1] = 3; b[i + 9] = 4; }", 1),
        ("if (i < 3) b[i] += 1; else b[i] += a[i] * 3; c[i] = b[i];", 1),  # one load of both ways, R3.6
        ("if (c[i] > 3) a[0] = b[5]; else { b[c[i]] = 3; a[1] = b[5] * 3; }", 2),  # b[5] may be what is stored
        ("if (i < 9) b[c[3]] = a[i]; else b[c[3]] = 0; a[i] = b[c[0]] + b[c[1]] + b[c[2]];", 2),  # one store, R2.2
        # The first store waits for what it loads: in another state than the second one it shares no port.
        ("if (i < 9) b[c[3]] = a[i]; else b[c[4]] = 0; a[i] = b[c[0]] + b[c[1]] + b[c[2]];", 3),
        ("if (c[i] > 3) b[i] = a[i] + a[i + 1]; if (c[i] > 1) b[i + 1] = a[i + 7];", 2),  # both may happen
        ("int x = 0; if (c[i] > 3) x = a[i] + a[i + 1]; else x = a[i + 2]; b[i] = x + a[i] + a[i + 3];", 2),
        ("int x = 0; if (c[i] > 3) x = a[i]; else x = a[i + 1]; b[i] = x + a[i] + a[i + 1] + a[i + 2];", 2),
    ],
)  # fmt: skip
def test_accesses_of_two_ways_of_a_branch_share_a_port(tmp_path: Path, statements: str, ii: int) -> None:
    body = f"for (int i = 0; i < 512; i++) {{\n#pragma HLS pipeline\n {statements} }}"
    assert shape_of(machine_of(tmp_path, body, **ARRAYS))[-1][0] == ii


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Behind the branch, a[i] is not what it was before: the first way may have stored to it.
        ("for (int k = 0; k < 2; k++) if (a[i] < 3) a[k] = b[i]; else c[i] = 2;",
         "for (int k = 0; k < 2; k++) if (a[i] >= 3) c[i] = 2; else a[k] = b[i];"),
        ("if (b[i]) a[5] = 1; else a[i] += 1; c[i] = a[i];", "if (!b[i]) a[i] += 1; else a[5] = 1; c[i] = a[i];"),
        # The ways of two copies of a branch do not exclude each other: other data decide.
        ("for (int k = 0; k < 2; k++) if (c[i + k] > 3) a[5] = i; else b[i + k] = a[i + k];",
         "if (c[i] > 3) a[5] = i; else b[i] = a[i];\n if (c[i + 1] > 3) a[5] = i; else b[i + 1] = a[i + 1];"),
        ("for (int k = 0; k < 2; k++) if (c[i + k] > 3) a[b[k]] = i; else b[i + 512] = a[i + k];",
         "if (c[i] > 3) a[b[0]] = i; else b[i + 512] = a[i];\n"
         "if (c[i + 1] > 3) a[b[1]] = i; else b[i + 512] = a[i + 1];"),
    ],
)  # fmt: skip
def test_the_order_of_two_ways_and_the_spelling_of_copies_change_nothing(tmp_path: Path, one: str, other: str) -> None:
    shapes = []
    for statements in (one, other):
        body = f"for (int i = 0; i < 512; i++) {{\n#pragma HLS pipeline\n {statements} }}"
        shapes.append(shape_of(machine_of(tmp_path, body, **ARRAYS)))
    assert shapes[0] == shapes[1]


Tree = int | tuple[int, "Tree", "Tree"]
"""How many accesses there are; or how many before a branch, and those of its two ways."""


@settings(max_examples=40)
@given(st.recursive(st.integers(0, 2), lambda inner: st.tuples(st.integers(0, 2), inner, inner), max_leaves=4))
def test_ports_are_as_many_as_accesses_that_one_iteration_makes(tree: Tree) -> None:
    accesses = list(_accesses(tree, (), count(1)))
    sets = chain.from_iterable(combinations(accesses, n) for n in range(len(accesses) + 1))
    most = max(len(each) for each in sets if not any(starmap(exclude, combinations(each, 2))))
    assert ports_taken(accesses) == most


@settings(max_examples=25)
@given(st.recursive(st.integers(0, 2), lambda inner: st.tuples(st.integers(0, 2), inner, inner), max_leaves=5))
def test_tokens_take_as_many_cycles_as_one_iteration_has_of_them(tree: Tree) -> None:
    accesses = list(_accesses(tree, (), count(1)))
    with TemporaryDirectory() as folder:
        inner = f"\n#pragma HLS pipeline\n {_reads(tree, count())} c[i] = v; "
        body = f"int v = c[0]; for (int i = 0; i < 512; i++) {{{inner}}}"
        machine = machine_of(Path(folder), body, before=STREAM, s="fifo", c="int[512]", d="int[512]")
    assert shape_of(machine)[-1][0] == max(1, ports_taken(accesses))


def _reads(tree: Tree, names: Iterator[int]) -> str:
    own, *inside = (tree,) if isinstance(tree, int) else tree
    text = "v ^= s.read(); " * own
    if not inside:
        return text
    test = f"(d[i] >> {next(names)}) & 1"  # of no value that the iteration before computes
    one, other = (_reads(each, names) for each in inside)
    return f"{text}if ({test}) {{ {one}}} else {{ {other}}} "


def _accesses(tree: Tree, path: tuple[int, ...], names: Iterator[int]) -> Iterator[Ways]:
    own, *inside = (tree,) if isinstance(tree, int) else tree
    yield from [frozenset(path)] * own
    way = next(names)
    for each, side in zip(inside, (way, -way), strict=False):
        yield from _accesses(each, (*path, side), names)
