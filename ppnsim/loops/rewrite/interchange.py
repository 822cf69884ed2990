"""Loop interchange: two perfectly nested loops change places."""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.loops.legality import check_order
from ppnsim.loops.points import iterators_of
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.loops.rewrite.elimination import NotSolvableError, other_way_round, value_range
from ppnsim.loops.rewrite.partition import loop_of, loops_around
from ppnsim.loops.rewrite.substitution import names_in, with_loop


def interchange(program: LoopProgram, statement: str, outer: str, inner: str) -> LoopProgram:
    """Return the program with two loops around a statement exchanged, if no dependence forbids it.

    The loops must be perfectly nested: the inner one is all that the outer one holds. Bounds of the inner loop may
    depend on the outer iterator (triangles, skewed loops). After `rewrite.skew` an interchange makes the wavefront:
    the iterations of the inner loop no longer depend on each other.

    Raises
    ------
    InputError
        If the statement or a loop does not exist, the loops are not perfectly nested or not in this order, their bounds
        cannot be written in exchanged order, or a dependence would be reversed (`loops.legality`).

    Source: van Teijlingen 2014, section 2.3.4; Wolfe, Loop skewing: the wavefront method revisited, 1986.
    """
    changed = interchanged(program, statement, outer, inner)
    levels = {}
    for each, around, _ in program.placed():
        if each.name in names_in(loop_of(program, statement, outer)):
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
    return with_loop(program, statement, outer, change)
