"""Loop interchange: two perfectly nested loops change places if every dependence keeps its direction."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Literal

from ppnsim.errors import InputError
from ppnsim.loops.notation import Side, scheduled_statements
from ppnsim.loops.points import iterators_of
from ppnsim.loops.polyhedra import ScheduledAccess, reversal
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.loops.rewrite.elimination import NotSolvableError, other_way_round, value_range
from ppnsim.loops.rewrite.partition import loop_of, loops_around


def interchange(program: LoopProgram, statement: str, outer: str, inner: str) -> LoopProgram:
    """Return the program with two loops around a statement exchanged, if no dependence forbids it.

    The loops must be perfectly nested: the inner one is all that the outer one holds. Bounds of the inner loop may
    depend on the outer iterator (triangles, skewed loops). After `rewrite.skew` an interchange makes the wavefront:
    the iterations of the inner loop no longer depend on each other.

    Raises
    ------
    InputError
        If the statement or a loop does not exist, the loops are not perfectly nested or not in this order, their bounds
        cannot be written in exchanged order, or a dependence would be reversed (`check_order`).

    Source: van Teijlingen 2014, section 2.3.4; Wolfe, Loop skewing: the wavefront method revisited, 1986.
    """
    changed = interchanged(program, statement, outer, inner)
    levels, moved = {}, loop_of(program, statement, outer)
    for each, around, _ in program.placed():
        if any(part is moved for part in around):
            names = iterators_of(around)
            order = list(range(len(names)))
            at = names.index(outer)
            order[at : at + 2] = at + 1, at
            levels[each.name] = tuple(order)
    check_order(program, levels, what=f"interchanging '{outer}' and '{inner}' around '{statement}'")
    return changed


def interchanged(program: LoopProgram, statement: str, outer: str, inner: str) -> LoopProgram:
    """Return the program with two loops exchanged; dependences are not checked.

    Raises
    ------
    InputError
        As `interchange`, except for dependences.
    """
    where, around = program.name, loops_around(program, statement)
    names = [loop.iterator for loop in around]
    for name in (outer, inner):
        loop = loop_of(program, statement, name)
        if loop.assumed:
            raise InputError(f"the bounds of loop '{name}' are data, so it cannot change places", where=where)
    if inner in names[: names.index(outer) + 1]:
        raise InputError(f"loop '{inner}' is not inside loop '{outer}' (name the outer one first)", where=where)

    def change(loop: Loop) -> Loop:
        [node, *more] = loop.body
        if more or not isinstance(node, Loop) or node.iterator != inner:
            reason = f"loops '{outer}' and '{inner}' around '{statement}' are not perfectly nested"
            raise InputError(f"{reason}: '{inner}' must be all that '{outer}' holds", where=where)
        try:
            return other_way_round(loop, node, ranges)
        except NotSolvableError as reason:
            raise InputError(f"loops '{outer}' and '{inner}' cannot change places: {reason}", where=where) from None

    ranges: dict[str, tuple[int, int]] = {}
    for loop in around[: names.index(outer)]:
        ranges[loop.iterator] = value_range(loop, ranges)
    wanted = loop_of(program, statement, outer)
    return program.rewritten(lambda node: (change(wanted),) if node is wanted else None)


_KINDS: dict[tuple[Side, Side], Literal["flow", "anti", "output"]] = {
    ("W", "R"): "flow", ("R", "W"): "anti", ("W", "W"): "output",
}  # fmt: skip
_WORDS: dict[Side, str] = {"R": "reads", "W": "writes"}


def check_order(program: LoopProgram, levels: Mapping[str, tuple[int, ...]], *, what: str) -> None:
    """Refuse a new order of loops that reverses a dependence.

    Two accesses to one element, at least one of them a write, depend on each other: flow (a write, later a read), anti
    (a read, later a write) or output (two writes). If each such pair keeps its order, every read gets the same
    value as before, and every element has the same last value. Accesses between the two of a pair need no attention:
    if a pair is reversed, then so is a pair of accesses that follow each other directly.

    Parameters
    ----------
    levels : for each statement that moves, its loops in their new order from the outermost inwards, by the numbers
        that they have now. All other statements keep their places before and after these.
    what : what is to be done, for the message.

    Raises
    ------
    InputError
        With the first dependence that would be reversed, and a pair of iterations that shows it.

    Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 2.2 (reordering transformations).
    """
    around = {statement.name: iterators_of(parts) for statement, parts, _ in program.placed()}
    moving = [each for each in scheduled_statements(program) if each.statement.name in levels]
    accesses = [(each, side, k) for each in moving for side in _WORDS for k in range(len(each.accesses(side)))]
    written = {each.accesses(side)[k].array for each, side, k in accesses if side == "W"}
    known = [
        (ScheduledAccess.of(each, side, k), ScheduledAccess.of(each, side, k, levels[each.statement.name]))
        for each, side, k in accesses
        if each.accesses(side)[k].array in written
    ]
    for (one, one_moved), (other, other_moved) in product(known, repeat=2):
        if one.array != other.array or (one.side, other.side) not in _KINDS:
            continue
        found = reversal(one, other, one_moved, other_moved)
        if found is not None:
            names = one.scheduled.statement.name, other.scheduled.statement.name
            first, second = (_at(around[name], values) for name, values in zip(names, found, strict=True))
            kind = _KINDS[one.side, other.side]
            turned = f"{what} turns round the {kind} dependence {names[0]} -> {names[1]} on '{one.array}'"
            order = f"{first} {_WORDS[one.side]} {_text(one)} before {second} {_WORDS[other.side]} {_text(other)}"
            raise InputError(f"{turned}: {order}", where=program.name)


def _text(access: ScheduledAccess) -> str:
    return str(access.scheduled.accesses(access.side)[access.number])


def _at(iterators: list[str], values: list[int]) -> str:
    return f"({', '.join(f'{name} = {value}' for name, value in zip(iterators, values, strict=True))})"
