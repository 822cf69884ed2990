"""Whether a new order of loops is legal: isl checks that every dependence keeps its direction."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Literal

from ppnsim.errors import InputError
from ppnsim.loops.notation import Side, scheduled_statements
from ppnsim.loops.points import iterators_of
from ppnsim.loops.polyhedra import ScheduledAccess, reversal
from ppnsim.loops.program import LoopProgram

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
            raise InputError(
                f"{what} turns round the {kind} dependence {names[0]} -> {names[1]} on '{one.array}': {first} "
                f"{_WORDS[one.side]} {_text(one)} before {second} {_WORDS[other.side]} {_text(other)}",
                where=program.name,
            )


def _text(access: ScheduledAccess) -> str:
    return str(access.scheduled.accesses(access.side)[access.number])


def _at(iterators: list[str], values: list[int]) -> str:
    return f"({', '.join(f'{name} = {value}' for name, value in zip(iterators, values, strict=True))})"
