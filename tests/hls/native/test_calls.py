"""A call of a region from the events that started it: names, streams and orders, without a compiler."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ppnsim.c.syntax import CType, SyntaxNode, Variable
from ppnsim.hls.native.calls import region_call
from ppnsim.hls.native.session import Code, NativeEvent
from ppnsim.loops.position import Position

AT = Position("k.cpp", 1, 1)
S = Variable("s", CType("stream", "hls::stream<int>"), "local", AT)
T = Variable("t", CType("array", "hls::stream<int>[2]", size=2), "local", AT)


def argument(of: Variable) -> SyntaxNode:
    return SyntaxNode("unary", AT, of.type, (SyntaxNode("name", AT, of.type, variable=of),), "&")


def declared(name: str, *, interface: bool = False) -> Any:
    return SimpleNamespace(name=name, interface=interface, depth=3, line=f"k.cpp:{name}")


CALL = SyntaxNode("call", AT, CType("void", "void"), (argument(S), argument(T)))
REGION: Any = SimpleNamespace(
    places=SimpleNamespace(call=dict.fromkeys((1, 2, 3, 4), CALL)),
    streams={S: declared("s"), T: declared("t", interface=True)},
    after={1: frozenset(), 2: frozenset({1}), 3: frozenset({2}), 4: frozenset()},
)
TIMINGS: Any = {number: SimpleNamespace(name=name) for number, name in ((1, "put"), (2, "put"), (3, "take"))}


def event(code: Code, stream: int = 0, place: int = 0) -> NativeEvent:
    return NativeEvent(code, 0, place, stream)


def named(place: int, stream: int, held: int) -> list[NativeEvent]:
    """A stream as the runtime tells it: the argument that it is, then the tokens that it holds."""
    return [event(Code.NAME, stream, place), event(Code.NAME, held, -1)]


def test_tasks_of_one_function_are_numbered_and_start_after_those_before_them() -> None:
    started = [event(Code.TASK, 1), event(Code.TASK, 2), event(Code.TASK, 3)]
    call = region_call(REGION, TIMINGS, started)
    assert [task.name for task in call.tasks] == ["put_1", "put_2", "take"]
    assert [list(each) for each in call.after] == [[], [0], [1]]
    assert (list(call.places), call.started) == ([1, 2, 3], tuple(started))
    assert [task.name for task in region_call(REGION, TIMINGS, started[1:]).tasks] == ["put", "take"]


def test_streams_have_the_name_of_their_argument_and_the_tokens_that_they_hold() -> None:
    started = [event(Code.TASK, 1), *named(0, 9, 2), *named(1, 7, 0), *named(1, 8, 5), event(Code.TASK, 2),
               *named(0, 9, 4)]  # fmt: skip
    call = region_call(REGION, TIMINGS, started)
    found = {number: (each.name, each.depth, each.line, each.initial) for number, each in call.streams.items()}
    assert found == {
        7: ("t[0]", None, "k.cpp:t", 0), 8: ("t[1]", None, "k.cpp:t", 5), 9: ("s", 3, "k.cpp:s", 2)
    }  # fmt: skip
    assert list(call.streams) == [7, 8, 9]
    assert call.variables == {7: T, 8: T, 9: S}


def test_one_stream_of_an_array_has_a_number_and_several_of_a_name_have_one_each() -> None:
    alone = region_call(REGION, TIMINGS, [event(Code.TASK, 1), *named(1, 4, 0)])
    assert [each.name for each in alone.streams.values()] == ["t[0]"]
    inlined = region_call(REGION, TIMINGS, [event(Code.TASK, 1), *named(0, 4, 0), event(Code.TASK, 2), *named(0, 6, 0)])
    assert [each.name for each in inlined.streams.values()] == ["s[0]", "s[1]"]


def test_tasks_of_a_region_in_a_region_are_ordered_by_the_calls_that_lead_to_them() -> None:
    # Call 4 is a region with the tasks 2 and 3 in it; its streams are known by their names outside.
    started = [event(Code.TASK, 1), event(Code.GROUP, 4), *named(0, 9, 1), event(Code.TASK, 2), *named(1, 9, 1),
               event(Code.TASK, 3), event(Code.GROUPED)]  # fmt: skip
    call = region_call(REGION, TIMINGS, started)
    assert [list(each) for each in call.after] == [[], [], [1]]
    assert {number: each.name for number, each in call.streams.items()} == {9: "s"}
    behind = region_call(REGION, TIMINGS, [*started[1:], event(Code.TASK, 1)])
    assert [list(each) for each in behind.after] == [[], [0], []]
