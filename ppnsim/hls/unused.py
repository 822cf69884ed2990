"""What nobody uses: values, local arrays and loops that no argument, FIFO or condition needs are not there (R5.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.hls.graph.expressions import MATHS, function_name
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node, Statement


def without_unused(program: LoopProgram, *, tasks: bool = False) -> LoopProgram:
    """Return a program without statements whose values go nowhere, and without the loops and conditions around these.

    A value goes somewhere if an argument, a static variable or a FIFO gets it, if it decides whether such a statement
    is executed, or if a statement uses it whose value does. A program of which nothing would be left is unchanged.

    Parameters
    ----------
    tasks : tasks of a dataflow region hand on what their functions share: that stays.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Array
    >>> arrays = Array(name="y", role="parameter"), Array(name="t"), Array(name="u")
    >>> body = [Execution(Statement(name=each.name, writes=(Access(each.name),))) for each in arrays]
    >>> [each.name for each in without_unused(LoopProgram(name="k", arrays=arrays, body=tuple(body))).statements()]
    ['y']
    """
    used = {each.name for each in program.arrays if each.role == "parameter" or each.static or each.stream}
    if tasks:
        shared = (each for each in program.frames if _calls(each.path, program))
        used |= {array for frame in shared for _, array in frame.names}
    streams = {each.name for each in program.arrays if each.stream}
    while True:
        more = frozenset(_needed(program.body, used, streams))
        if more <= used:
            break
        used |= more
    body = tuple(_left(program.body, used, streams))
    return replace(program, body=body) if body and body != program.body else program


def removed(before: LoopProgram, after: LoopProgram) -> tuple[str, ...]:
    """Return a sentence about what is not there any more, nothing if all is there."""
    left = {id(each) for each in after.statements()}
    lines = sorted({each.position.line for each in before.statements() if id(each) not in left})
    if not lines:
        return ()
    words = ", ".join(map(str, lines))
    return (f"nobody uses what {'lines' if len(lines) > 1 else 'line'} {words} compute{'' if len(lines) > 1 else 's'}: "
            "it is removed, as synthesis does",)  # fmt: skip


def _calls(path: Sequence[str], program: LoopProgram) -> bool:
    """Return whether a function calls others that are opened."""
    return any(len(each.path) > len(path) and each.path[: len(path)] == path for each in program.frames)


def _stays(statement: Statement, used: set[str], streams: set[str]) -> bool:
    """Return whether a statement does something that is used."""
    if any(access.array in used for access in statement.writes) or not statement.writes:
        return True
    if statement.member is None or any(access.array in streams for access in statement.reads):
        return True
    trees = statement.value.walk() if statement.value is not None else ()
    return any(each.kind == "call" and function_name(each) not in MATHS for each in trees)


def _needed(nodes: Sequence[Node], used: set[str], streams: set[str]) -> Iterator[str]:
    """Yield the arrays that decide about, or are read by, what stays."""
    for node in nodes:
        if isinstance(node, Execution):
            if _stays(node.statement, used, streams):
                yield from (access.array for access in node.statement.reads)
            continue
        inner = (*node.body, *node.otherwise) if isinstance(node, Guard) else node.body
        if not _any(inner, used, streams):
            continue
        yield from condition_iterators(node.condition) if isinstance(node, Guard) else (a.array for a in node.reads)
        yield from _needed(inner, used, streams)


def _any(nodes: Sequence[Node], used: set[str], streams: set[str]) -> bool:
    alone = LoopProgram(name="", arrays=(), body=tuple(nodes))
    return any(_stays(each, used, streams) for each in alone.statements())


def _left(nodes: Sequence[Node], used: set[str], streams: set[str]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, Execution):
            if _stays(node.statement, used, streams):
                yield node
        elif isinstance(node, Guard):
            sides = [tuple(_left(side, used, streams)) for side in (node.body, node.otherwise)]
            if any(sides):
                yield node if sides == [node.body, node.otherwise] else Guard(node.condition, *sides)
        elif body := tuple(_left(node.body, used, streams)):
            yield node if body == node.body else replace(node, body=body)
