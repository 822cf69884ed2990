"""Loads under conditions on data wait for these where the code stores something (R4.16)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.graph.speculation import Speculation
from ppnsim.hls.schedule.model import ScheduledBody
from ppnsim.hls.structure.counting import DATA_MARK
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.loops.expressions import Affine, Compare, Condition, Not
from ppnsim.loops.program import Access, Statement
from tests.helpers.hls_sources import machine_of

ARRAYS = {"at": "int[256]", "from": "int[256]", "other": "int[256]", "to": "int[256]"}
TEST = Compare(Affine.of(f"if{DATA_MARK}1"), "=")
A, B = (Access(name, (Affine.of("i"),)) for name in "ab")


def body_of(folder: Path, branch: str) -> ScheduledBody:
    code = f"for (int i = 0; i < 256; i++) {{ int n = 0; {branch} other[i] = n; }}"
    (nest,) = machine_of(folder, code.replace("from", "source"), device="xcu280", at="int[256]", source="int[256]",
                         other="int[256]", to="int[256]").nests  # fmt: skip
    return nest.body


def state_of(body: ScheduledBody, array: str) -> int:
    (node,) = (each for each in body.graph.nodes if each.kind == "load" and each.access and each.access.array == array)
    return body.schedule.issue[node.index][0]


@pytest.mark.parametrize(
    ("branch", "waits"),
    [
        ("if (at[i] > 5) to[i] = from[i];", True),
        ("if (at[i] > 5) { if (i > 3) to[i] = from[i]; }", True),
        ("if (at[i] > 5) n = from[i];", False),
        ("if (at[i] > 5) to[i] = from[i]; else to[i] = 3;", False),
        ("if (at[i] > 5) to[i] = from[i]; else n = from[i];", False),
        ("if (i > 5) to[i] = from[i];", False),
    ],
    ids=["store", "nested", "variable", "both store", "both load", "iterator"],
)
def test_a_load_waits_for_the_test_where_its_way_alone_stores(tmp_path: Path, branch: str, waits: bool) -> None:
    body = body_of(tmp_path, branch)
    assert (state_of(body, "source") > 0) is waits


def test_a_dependence_through_a_load_behind_a_test_is_longer(tmp_path: Path) -> None:
    """As in a search through a graph: the element that is stored is loaded, tested and computed in one iteration."""
    code = "for (int i = 0; i < 256; i++) if (at[to[i]] == 9) at[to[i]] = at[n] + 1;"
    (nest,) = machine_of(tmp_path, code, device="xcu280", at="int[256]", to="int[256]", n="int").nests
    assert nest.body.schedule.ii == 3


def step(*conditions: Condition, reads: tuple[Access, ...] = (), writes: tuple[Access, ...] = ()) -> GuardedStatement:
    return GuardedStatement(Statement(name="s", reads=reads, writes=writes), conditions)


def test_two_negations_are_none() -> None:
    twice = Not(Not(TEST))
    found = Speculation.of([step(twice, reads=(A,), writes=(B,)), step(Not(TEST), reads=(A,))])
    assert found.storing == {TEST} and not found.waits(A, TEST) and found.waits(B, twice)


def test_an_element_in_a_register_is_not_stored() -> None:
    steps = [step(TEST, reads=(A,), writes=(B,))]
    assert Speculation.of(steps).waits(A, TEST) and not Speculation.of(steps, [B]).waits(A, TEST)
