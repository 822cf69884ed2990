"""Answers that are kept, or found by an index, are those of a search through everything."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.hls.graph.branches import Branches
from ppnsim.hls.graph.exclusive import Ways
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.values import Values
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.directives import Directives, LoopDirective
from ppnsim.hls.pragmas.pragma import Pragma
from ppnsim.hls.schedule.slots import NoSlot, PortSlots
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.loops.expressions import Affine, Not
from ppnsim.loops.position import Position
from ppnsim.loops.program import DATA, Access, Array, Frame

LIBRARY = load_library("xc7z020", 10)
SUBSCRIPTS = st.sampled_from([Affine.of(0), Affine.of(1), Affine.of("i"), Affine.of("j"), Affine((("i", 1),), 1), DATA])
ACCESSES = st.builds(
    lambda array, at, *, random: Access(array, (at,), random or at == DATA),
    st.sampled_from("ab"), SUBSCRIPTS, random=st.booleans(),
)  # fmt: skip
WAYS = st.frozensets(st.sampled_from([1, 2, 3]), min_size=1).map(sorted).flatmap(
    lambda tests: st.tuples(*(st.sampled_from([each, -each]) for each in tests)).map(frozenset)
)  # fmt: skip
ASKED = st.tuples(st.sampled_from([("a",), ("b",), ("a", "b")]), st.integers(0, 7), WAYS | st.none())


class _Searched(PortSlots):
    """Slots that are searched one by one: nothing is known of an earlier search."""

    def share(self, names: tuple[str, ...], state: int, most: float, period: int, ways: Ways) -> int:  # type: ignore[override]
        self._crowded.clear()
        return super().share(names, state, most, period, ways)


@settings(max_examples=200, deadline=None)
@given(st.lists(ASKED, max_size=40), st.integers(1, 4), st.integers(1, 2))
def test_crowded_slots_are_those_that_a_search_passes(
    asked: list[tuple[tuple[str, ...], int, Ways | None]], period: int, most: int
) -> None:
    kept, searched = PortSlots(), _Searched()

    def place(slots: PortSlots, names: tuple[str, ...], state: int, ways: Ways | None) -> int | str:
        try:
            return slots.take(names, state, most, period) if ways is None else (
                slots.share(names, state, most, period, ways)
            )  # fmt: skip
        except NoSlot as crowded:
            return str(crowded)

    for each in asked:
        assert place(kept, *each) == place(searched, *each)


@settings(max_examples=200, deadline=None)
@given(st.lists(ACCESSES, max_size=12, unique=True), ACCESSES)
def test_places_that_meet_a_location_are_all_that_are_not_apart(places: list[Access], access: Access) -> None:
    copy = replace(access)
    values = Values(Operators(LIBRARY, {}))
    for each in places:
        values.know(each, 0)
    certain = [each for each in places if not each.random]  # nodes of subscripts tell the others apart
    assert values.meeting(copy) == {access, *(each for each in certain if not surely_apart(each, access))}


@settings(max_examples=200, deadline=None)
@given(st.lists(ACCESSES, max_size=8), ACCESSES)
def test_an_else_uses_a_load_only_if_no_store_before_may_have_changed_it(stores: list[Access], load: Access) -> None:
    branches = Branches()
    test = Not(Not("x > 0"))  # type: ignore[arg-type]
    branches.turn((test,), {})
    for each in stores:
        branches.forget(each, {each})
    branches.loaded(load, 7)
    clear = all(surely_apart(each, load) for each in stores)
    assert branches.open[0].loaded == ({load: 7} if clear else {})
    branches.turn((Not(test),), {})
    assert branches.open[0].against == {
        array: {each for each in stores if each.array == array} for array in {each.array for each in stores}
    }


def _frame(number: int, names: dict[str, str], rows: int = 0) -> Frame:
    row = (("a", rows), ("this", rows + 1))
    return Frame(("f", str(number)), Position("a.cpp", 3, 1), 9, tuple(names.items()), (("N", number),), rows=row)


def test_a_directive_takes_numbers_of_the_last_call_and_dimensions_of_the_first() -> None:
    calls = [
        _frame(1, {"a": "x"}, 1),
        _frame(2, {"a": "y"}, 2),
        _frame(3, {"a": "x"}, 4),
        _frame(4, {"this": "o.p"}, 6),
    ]
    found = Pragma("array_partition", "a.cpp:4:1", {"variable": "a"}, None, None, {}, {"N": 0, "M": 5}, frames=calls)
    assert [found.of_call(name).values for name in ("x", "y", "z")] == [
        {"N": 3, "M": 5}, {"N": 2, "M": 5}, {"N": 0, "M": 5}
    ]  # fmt: skip
    arrays = (Array(name="x"), Array(name="y"), Array(name="z"), Array(name="o.a", member=("o", "a")))
    assert [found.of_call("x").chosen(each) for each in arrays] == [1, 2, 0, 7]


def test_inlined_calls_are_those_of_the_frames_and_of_the_directives() -> None:
    scope, frames = ("a.cpp", 3, 1), (_frame(1, {}), _frame(2, {}))
    asked = Directives(functions={scope: LoopDirective(inline=True)})
    assert asked.inlined(frames) == asked.inlined(frames) == {("f", "1"), ("f", "2")}
    assert asked.inlined(frames[:1]) == {("f", "1")}
    assert replace(asked, functions={}).inlined(frames) == frozenset()
