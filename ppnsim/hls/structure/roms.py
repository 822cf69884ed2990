"""Tables that a function of their own fills with constants: ROMs, and the function is not there (R9.44)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.hls.structure.filled import COMPUTED, computed_of
from ppnsim.loops.program import Execution, Guard, LoopProgram, Node, Statement


def with_roms(program: LoopProgram) -> LoopProgram:
    """Return a program whose local arrays are tables where a call that does nothing else fills them with constants.

    Examples
    --------
    >>> with_roms(LoopProgram(name="k", arrays=(), body=())).body
    ()
    """
    statements = program.statements()
    calls = {each.path for each in statements if len(each.path) > 1}
    if not calls:
        return program
    known = computed_of(program)
    found = {path: tables for path in sorted(calls) if (tables := _tables(path, statements, known))}
    tables = set[str]().union(*found.values())
    if not tables:
        return program
    arrays = tuple(replace(each, initial=COMPUTED) if each.name in tables else each for each in program.arrays)
    return replace(program, arrays=arrays, body=tuple(_without(program.body, set(found))))


def _tables(path: tuple[str, ...], statements: Sequence[Statement], known: set[str]) -> set[str]:
    """Return the arrays that a call fills with constants; none if it hands on anything else, or others store there."""
    inside = [each for each in statements if each.path[: len(path)] == path]
    outside = [each for each in statements if each.path[: len(path)] != path]
    stored = [access for each in inside for access in each.writes]
    written, others = {each.array for each in stored}, {each.array for one in outside for each in one.writes}
    handed = written & {access.array for each in outside for access in each.reads}
    if not written <= known or written & others or any(not each.subscripts for each in stored if each.array in handed):
        return set()
    return handed


def _without(nodes: Sequence[Node], calls: set[tuple[str, ...]]) -> list[Node]:
    """Return nodes without the statements of some calls, and without loops and conditions of which nothing is left."""
    left: list[Node] = []
    for node in nodes:
        if isinstance(node, Execution):
            path = node.statement.path
            if not any(path[:length] in calls for length in range(2, len(path) + 1)):
                left.append(node)
        elif isinstance(node, Guard):
            ways = [tuple(_without(way, calls)) for way in (node.body, node.otherwise)]
            if any(ways):
                left.append(node if ways == [node.body, node.otherwise] else Guard(node.condition, *ways))
        elif body := tuple(_without(node.body, calls)):
            left.append(node if body == node.body else replace(node, body=body))
    return left
