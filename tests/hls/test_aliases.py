"""Proofs that two accesses are never the same element, against all iterations of small nests (R4.5, R5.7)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.hls.structure.aliases import flattened_distance, never_meet
from ppnsim.hls.structure.apart_by_bounds import strictly_apart
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Loop
from tests.helpers.hls_sources import machine_of, nest_of

ROW, COLUMN = Affine.of("i"), Affine.of("j")


def nest(first: Affine, last: Affine, step: int = 1) -> list[Loop]:
    """Return i in 0 .. 5 around a loop over j."""
    return [
        Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(5),)),
        Loop(iterator="j", first=(first,), last=(last,), step=step),
    ]


def meets(left: Access, right: Access, loops: list[Loop]) -> bool:
    """Return whether two accesses of one iteration are ever the same element, by looking at every iteration."""
    _, inner = loops
    for i in range(6):
        begin, end = inner.first[0].value({"i": i}), inner.last[0].value({"i": i})
        for j in range(begin, end + (1 if inner.step > 0 else -1), inner.step):
            at = {"i": i, "j": j}
            if all(a.value(at) == b.value(at) for a, b in zip(left.subscripts, right.subscripts, strict=True)):
                return True
    return False


@pytest.mark.parametrize(
    ("first", "last", "step", "apart"),
    [
        (ROW + 1, Affine.of(9), 1, True),
        (ROW, Affine.of(9), 1, False),  # j = i in the first iteration
        (Affine.of(-9), ROW - 1, 1, True),
        (Affine.of(-9), ROW, 1, False),
        (Affine.of(9), ROW + 1, -1, True),
        (Affine.of(9), ROW, -1, False),
        (ROW - 1, Affine.of(-9), -1, True),
        (ROW, Affine.of(-9), -1, False),
        (Affine.of(0), Affine.of(5), 1, False),
    ],
)
def test_only_a_strict_bound_keeps_an_iterator_from_another(
    first: Affine, last: Affine, step: int, apart: bool
) -> None:
    loops = nest(first, last, step)
    for left, right in ((ROW, COLUMN), (COLUMN, ROW)):
        pair = Access("a", (left,)), Access("a", (right,))
        assert strictly_apart(*pair, loops) is apart is not meets(*pair, loops)


@given(st.data())
def test_what_is_proven_apart_never_meets(data: st.DataObject) -> None:
    def affine(*iterators: Affine) -> Affine:
        drawn = (data.draw(st.integers(-2, 2)) for _ in iterators)
        return sum((each * factor for each, factor in zip(iterators, drawn, strict=True)), Affine.of(0)) + data.draw(
            st.integers(-3, 3)
        )

    step = data.draw(st.sampled_from([1, 2, -1, -3]))
    loops = nest(affine(ROW), affine(ROW), step)
    left, right = (Access("a", (affine(ROW, COLUMN), affine(ROW, COLUMN))) for _ in range(2))
    assert not (strictly_apart(left, right, loops) and meets(left, right, loops))


def test_every_pair_of_dimensions_may_prove_it() -> None:
    loops = nest(ROW + 1, Affine.of(9))
    assert strictly_apart(Access("a", (ROW, COLUMN)), Access("a", (ROW, ROW)), loops)
    assert strictly_apart(Access("a", (COLUMN, ROW)), Access("a", (ROW, ROW)), loops)
    assert not strictly_apart(Access("a", (COLUMN, ROW)), Access("a", (COLUMN, ROW)), loops)


def test_one_of_several_bounds_may_prove_it() -> None:
    """The loop runs from the larger of i + 1 and 2: j is never i."""
    outer, inner = nest(ROW + 1, Affine.of(9))
    inner = replace(inner, first=(Affine.of(2), ROW + 1))
    assert strictly_apart(Access("a", (ROW,)), Access("a", (COLUMN,)), [outer, inner])


@given(st.data())
def test_what_never_meets_is_apart_in_all_iterations_and_few_others_are_missed(data: st.DataObject) -> None:
    row, column, apart = (data.draw(st.integers(-3, 3)) for _ in range(3))
    outer, inner = loops = nest(Affine.of(1), Affine.of(7), 2)
    left, right = (Access("a", (ROW * row + COLUMN * column + far,)) for far in (0, apart))
    values = {row * i + column * j for i in range(6) for j in range(1, 8, 2)}
    shared = bool(values & {value + apart for value in values})
    assert not (never_meet(left, right, loops) and shared)
    assert never_meet(left, right, [outer]) is never_meet(left, right, [replace(inner, iterator="k"), outer])
    if not row * column:  # one iterator: what is refused does meet
        assert never_meet(left, right, loops) is not shared


@pytest.mark.parametrize("atom", ["i/2", "i%8", "8 * i + i%8"])
def test_what_a_quotient_moves_may_meet(tmp_path: Path, atom: str) -> None:
    body = f"for (int i = 0; i < 60; i++) for (int j = 0; j < 8; j++) a[{atom} + 1] += a[{atom}] * x[j];"
    machine = machine_of(tmp_path, body, a="float[600]", x="float[64]")
    assert nest_of(machine).body.schedule.ii == 9  # product and sum; the multiplexer before them chains


def test_values_of_a_loop_that_starts_elsewhere_each_time_need_not_be_whole_steps_apart() -> None:
    loops = nest(ROW, ROW + 6, 2)  # j = i, i + 2, ..
    left, right = Access("a", (COLUMN + 1,)), Access("a", (COLUMN,))
    assert not never_meet(left, right, loops)
    assert never_meet(left, right, nest(Affine.of(0), Affine.of(6), 2))


@given(st.data())
def test_a_distance_in_a_flattened_nest_is_the_least_after_which_the_element_comes(data: st.DataObject) -> None:
    loops = nest(Affine.of(1), Affine.of(data.draw(st.integers(1, 4))))
    rows, columns = (data.draw(st.integers(-2, 2)) for _ in range(2))
    store, load = Access("a", (ROW * 2 + 2 * rows, COLUMN + columns)), Access("a", (ROW * 2, COLUMN))
    places = [{"i": i, "j": j} for i in range(6) for j in range(1, loops[1].last[0].constant + 1)]
    taken = [tuple(each.value(at) for each in load.subscripts) for at in places]
    found = [
        later - at
        for at, place in enumerate(places)
        for later in range(at + 1, len(places))
        if taken[later] == tuple(each.value(place) for each in store.subscripts)
    ]
    assert flattened_distance(store, load, loops) == min(found, default=None)
