"""Dead-code elimination: values, local arrays and loops that no argument, FIFO or condition needs (R5.10)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ppnsim.hls.graph.functions import MATHS, function_name
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.shown_lines import lines_in_words
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node, Statement

REMOVED = "nobody uses"
"""First words of a sentence about removed code."""
_SAID = re.compile(r"the loop (?:around the \w+ )?in line (\d+) runs ")


def without_unused(program: LoopProgram, shared: Collection[str] = ()) -> LoopProgram:
    """Return a program without statements whose values are unused, and without loops and conditions around only these.

    A value is used if it goes to an argument, a FIFO or a variable whose last value is used (`Array.static`). It is
    also used if it decides whether such a statement is executed, if it ends a loop whose trip count is used, or if a
    statement with a used value reads it. A program that would become empty is returned unchanged.

    Parameters
    ----------
    shared : arrays and variables that tasks of a dataflow region may pass on, which are kept.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Array
    >>> arrays = Array(name="y", role="parameter"), Array(name="t"), Array(name="u")
    >>> body = [Execution(Statement(name=each.name, writes=(Access(each.name),))) for each in arrays]
    >>> [each.name for each in without_unused(LoopProgram(name="k", arrays=arrays, body=tuple(body))).statements()]
    ['y']
    """
    used = _visible(program).union(shared)
    if any(each.stream for each in program.arrays):
        used |= _counters(program)
    streams = _seen_reads(program)
    last = _without_overwritten(program.body, {each.name for each in program.arrays if not each.shape} - used, streams)
    while True:
        more = frozenset(_needed(last, used, streams))
        if more <= used:
            break
        used |= more
    body = tuple(_remaining(last, used, streams))
    return replace(program, body=body) if body and body != program.body else program


def removed(before: LoopProgram, after: LoopProgram) -> tuple[str, ...]:
    """Return a sentence about removed code, an empty tuple if nothing was removed.

    If a part of a line stays (``s >> v`` of a struct, one member of which is used), the sentence says "a part".
    """
    if before.body and not _has_effect(before.body, _visible(before), _seen_reads(before)):
        return (f"{REMOVED} what it computes: synthesis removes all of it, and here it is counted as it stands",)
    left = {id(each) for each in after.statements()}
    lines = {(each.position.file, each.position.line) for each in after.statements()}
    gone = {each.position for each in before.statements() if id(each) not in left}
    parts = {each for each in gone if (each.file, each.line) in lines}
    found = list[str]()
    for what, of in (("what", gone - parts), ("a part of what", parts)):
        if of:
            verb = "compute" if len({(each.file, each.line) for each in of}) > 1 else "computes"
            found.append(f"{what} {lines_in_words(of, before)} {verb}")
    return (f"{REMOVED} {', and '.join(found)}: it is removed, as synthesis does",) if found else ()


def said_of_removed(sentences: Sequence[str], before: LoopProgram, after: LoopProgram) -> frozenset[str]:
    """Return the sentences, among some, that state the trip count of a loop that was removed."""
    left = {(each.position.file, each.position.line) for each in all_loops(after.body)}
    inner = {line: loop for loop in all_loops(before.body) for line in range(loop.position.line, loop.end + 1)}
    said = {each: _SAID.match(each) for each in sentences}
    loops = {each: inner.get(int(found[1])) for each, found in said.items() if found is not None}
    return frozenset(
        each for each, loop in loops.items()
        if loop is not None and (loop.position.file, loop.position.line) not in left
    )  # fmt: skip


def _visible(program: LoopProgram) -> set[str]:
    """Return the arrays and variables that are visible outside of the kernel."""
    arrays = program.arrays
    return {a.name for a in arrays if a.static or a.stream or (a.role == "parameter" and not a.copied)}


def _seen_reads(program: LoopProgram) -> set[str]:
    """Return the arrays of which a read is visible outside of the kernel: FIFOs, and volatile arrays (R1.2)."""
    return {each.name for each in program.arrays if each.stream or each.volatile}


def _counters(program: LoopProgram) -> set[str]:
    """Return the variables that are computed from themselves: their effect on FIFOs is known without them (R7.4)."""
    own = (
        {each.array for each in statement.reads} & {each.array for each in statement.writes}
        for statement in program.statements()
    )
    return set[str]().union(*own)


def shared_by_tasks(program: LoopProgram, tasks: Iterable[Sequence[Node]]) -> set[str]:
    """Return the arrays and variables that ``tasks`` may pass on: of several tasks, or of a function that calls one."""
    inside = [LoopProgram(name="", arrays=(), body=tuple(task)).statements() for task in tasks]
    times = Counter(name for some in inside for name in {a.array for each in some for a in (*each.reads, *each.writes)})
    callers = {path[:depth] for path in map(_function_of, inside) for depth in range(len(path))}
    handed = {array for frame in program.frames if frame.path in callers for _, array in frame.names}
    return handed | {name for name, number in times.items() if number > 1}


def _function_of(task: Sequence[Statement]) -> tuple[str, ...]:
    """Return the path of the innermost function that contains all statements of a task."""
    paths = [each.path for each in task]
    first, last = min(paths, default=()), max(paths, default=())
    alike = [left == right for left, right in zip(first, last, strict=False)]
    return first[: alike.index(False) if False in alike else len(alike)]


def _without_overwritten(nodes: Sequence[Node], scalars: set[str], streams: set[str]) -> tuple[Node, ...]:
    """Return the nodes without assignments to scalars that are assigned again before they are read."""
    found, again = list[Node](), set[str]()
    for node in reversed(nodes):
        if isinstance(node, Execution):
            written = {access.array for access in node.statement.writes}
            if written and written <= again and not _stays(node.statement, set(), streams):
                continue
            whole = written & scalars if not node.statement.member else set()
            again = (again | whole) - {access.array for access in node.statement.reads}
        else:
            sides = (node.body, node.otherwise) if isinstance(node, Guard) else (node.body,)
            made = [_without_overwritten(side, scalars, streams) for side in sides]
            if any(each.left for each in all_loops((node,))):
                again.clear()  # a goto may skip what is behind the loop
            again -= set(_needed((node,), {access.array for each in _inside(node) for access in each.writes}, streams))
            if made != [*sides]:
                node = Guard(node.condition, *made) if isinstance(node, Guard) else replace(node, body=made[0])
        found.append(node)
    return tuple(reversed(found))


def _inside(node: Node) -> list[Statement]:
    return LoopProgram(name="", arrays=(), body=(node,)).statements()


def _stays(statement: Statement, used: set[str], streams: set[str]) -> bool:
    """Return whether a statement has an effect that is used."""
    if any(access.array in used for access in statement.writes) or not statement.writes:
        return True
    if statement.member is None or any(access.array in streams for access in statement.reads):
        return True
    trees = statement.value.walk() if statement.value is not None else ()
    return any(each.kind == "call" and function_name(each) not in MATHS for each in trees)


def _needed(nodes: Sequence[Node], used: set[str], streams: set[str]) -> Iterator[str]:
    """Yield the arrays that the remaining statements, conditions and loops read."""
    for node in nodes:
        if isinstance(node, Execution):
            if _stays(node.statement, used, streams):
                yield from (access.array for access in node.statement.reads)
            continue
        inner = (*node.body, *node.otherwise) if isinstance(node, Guard) else node.body
        counts = isinstance(node, Loop) and bool({node.leaves, node.iterator} & used)  # its trip count is used
        if not _has_effect(inner, used, streams) and not counts:
            continue
        yield from condition_iterators(node.condition) if isinstance(node, Guard) else (a.array for a in node.reads)
        yield from () if isinstance(node, Guard) else node.ended
        yield from _needed(inner, used, streams)


def _has_effect(nodes: Sequence[Node], used: set[str], streams: set[str]) -> bool:
    for node in nodes:  # up to the first one that stays, usually an early one
        if isinstance(node, Execution):
            stays = _stays(node.statement, used, streams)
        else:
            sides = (node.body, node.otherwise) if isinstance(node, Guard) else (node.body,)
            stays = any(_has_effect(side, used, streams) for side in sides)
        if stays:
            return True
    return False


def _remaining(nodes: Sequence[Node], used: set[str], streams: set[str]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, Execution):
            if _stays(node.statement, used, streams):
                yield node
        elif isinstance(node, Guard):
            sides = [tuple(_remaining(side, used, streams)) for side in (node.body, node.otherwise)]
            if any(sides):
                yield node if sides == [node.body, node.otherwise] else Guard(node.condition, *sides)
        elif body := tuple(_remaining(node.body, used, streams)):
            yield node if body == node.body else replace(node, body=body)
