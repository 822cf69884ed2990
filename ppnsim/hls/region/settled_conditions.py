"""Conditions in and around dataflow regions that do not change the timing between rounds of a loop (R7.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.known_conditions import decided
from ppnsim.hls.structure.unrolling import substituted
from ppnsim.loops.expressions import Affine, Not
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node


def without_decided(program: LoopProgram) -> LoopProgram:
    """Return a program without conditions that the bounds of enclosing loops decide.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine, Compare
    >>> from ppnsim.loops.program import Statement
    >>> always = Guard(Compare(Affine.of("n"), ">="), (Execution(Statement(name="s")),))
    >>> rounds = Loop(iterator="n", first=(Affine.of(0),), last=(Affine.of(3),), body=(always,))
    >>> without_decided(LoopProgram(name="k", arrays=(), body=(rounds,))).body[0].body == always.body
    True
    """
    body = tuple(_settled(program.body, {}))
    return program if body == program.body else replace(program, body=body)


def _settled(nodes: Sequence[Node], values: Mapping[str, tuple[int, int, int]]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, Guard):
            known = decided(node.condition, values)
            yes, no = (tuple(_settled(side, values)) for side in (node.body, node.otherwise))
            if known is not None:
                yield from yes if known else no
            elif yes or no:
                yield Guard(node.condition, yes, no) if yes else Guard(Not(node.condition), no)
        elif isinstance(node, Loop):
            inner, count = dict(values), constant_trips(node)
            inner.pop(node.iterator, None)
            if count:
                start = (max if node.step > 0 else min)(bound.constant for bound in node.first)
                inner[node.iterator] = start, node.step, count
            yield replace(node, body=tuple(_settled(node.body, inner)))
        else:
            yield node


def straightened(nodes: Sequence[Node], iterator: str, timed: Collection[str]) -> list[Node]:
    """Return the code of a round in which conditions around straight-line code no longer depend on the iterator.

    Hardware executes both branches, and multiplexers choose (R5.8), so that all rounds take the same time. ``timed``
    are FIFOs and arrays on buses: the number of accesses to them changes the time.
    """
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Guard) and _is_straight((node,), timed):
            (test,) = substituted((Guard(node.condition, ()),), iterator, Affine.of(f"{iterator}'"))
            assert isinstance(test, Guard)
            sides = (straightened(side, iterator, timed) for side in (node.body, node.otherwise))
            node = Guard(test.condition, *map(tuple, sides))
        found.append(node)
    return found


def _is_straight(nodes: Sequence[Node], timed: Collection[str]) -> bool:
    """Return whether some code has no loops and accesses no FIFO or bus."""
    for node in nodes:
        if isinstance(node, Guard) and _is_straight((*node.body, *node.otherwise), timed):
            continue
        if not isinstance(node, Execution):
            return False
        if any(access.array in timed for access in (*node.statement.reads, *node.statement.writes)):
            return False
    return True
