"""Which nests are perfect, or nearly so, after the compiler has moved what it can out of the loop (R1.3, R1.4)."""

from __future__ import annotations

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.structure.counting import constant_trips, used
from ppnsim.hls.structure.locations import is_constant, iterators, roles
from ppnsim.hls.structure.sinking import beside
from ppnsim.hls.structure.trees import Pipeline, Tree, steps_of
from ppnsim.loops.program import Access, Loop, LoopProgram, Operation, Statement


def stays_perfect(child: Loop, real: set[str]) -> bool:
    """Return whether R1.2 leaves all of a loop's code in the loop: nothing is hoisted, promoted or forwarded."""
    steps = tuple(steps_of(child.body))
    written = {access.array for step in steps for access in step.statement.writes}
    reads = [access for step in steps for access in step.statement.reads]
    if any(a.subscripts and a.array not in written and child.iterator not in iterators(a) for a in reads):
        return False
    return all(role.kind not in ("accumulate", "forward") for role in roles((child,), steps, (), real).values())


def runs_once(loop: Loop, directives: Directives, memories: set[str]) -> Loop | None:
    """Return the pipelined loop of one iteration that makes its grandparent the pipeline, None if there is none.

    The loop vanishes with its directive's place: the loop between is unrolled completely, if a local memory is written
    inside; without one the nest is flattened as any other (R9.16).
    """
    inside = loop
    for _ in range(2):
        if len(inside.body) != 1 or not isinstance(inside.body[0], Loop):
            return None
        inside = inside.body[0]
    if not directives.of(inside).pipeline or constant_trips(inside) != 1:
        return None
    statements = LoopProgram(name="", arrays=(), body=inside.body).statements()
    return inside if memories & {each.array for step in statements for each in step.writes} else None


def flattens(loop: Loop, inner: Pipeline, body: tuple[Tree, ...], real: set[str]) -> bool:
    """Return whether a loop and the pipeline in its body become one pipeline (R1.4).

    The inner bounds do not use the iterator, and the nest is perfect or nearly perfect.
    """
    if any(each.assumed or used(each, loop.iterator) for each in inner.loops):
        return False
    if loop.assumed or inner.around[-1:] != (loop,):
        return False
    if len(body) > 1:
        return _nearly_perfect(inner, body, real)
    found = roles(inner.loops, inner.steps, inner.before, real).values()
    return all(role.kind != "forward" and (role.kind != "accumulate" or role.given) for role in found)


def _nearly_perfect(inner: Pipeline, body: tuple[Tree, ...], real: set[str]) -> bool:
    """Return whether the code around the inner loop only sets accumulated locations and uses the results."""
    before, after = beside(inner, body)
    if not before or inner.before or inner.after or any(constant_trips(each) is None for each in inner.loops):
        return False
    found = roles(inner.loops, inner.steps, before, real)
    held = {access for access, role in found.items() if role.kind == "accumulate"}
    started = all(is_constant(step.statement.value) and set(step.statement.writes) <= held for step in before)
    few = len(after) <= 1 + len(before) / 2
    return started and few and all(_uses_only(step.statement, held) for step in after)


def _uses_only(statement: Statement, held: set[Access]) -> bool:
    """Return whether a statement touches no other elements of arrays than these, and calls no function."""
    touched = (*statement.reads, *statement.writes)
    return {access for access in touched if access.subscripts or access.random} <= held and not _calls(statement.value)


def _calls(tree: Operation | None) -> bool:
    return tree is not None and (tree.kind == "call" or any(_calls(operand) for operand in tree.operands))
