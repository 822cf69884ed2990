"""Names of scheduled loops, the same in all outputs: labels or iterators, and the instance that they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppnsim.hls.pragmas.directives import all_loops, scope_of
from ppnsim.hls.pragmas.labels import labels
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Frame, Loop, LoopProgram


def labels_of(program: LoopProgram) -> dict[tuple[str, int], str]:
    """Return the label of each loop of a program that has one, by its iterator and its line; none without a source."""
    if not program.file:
        return {}
    loops = list(all_loops(program.body))
    known = labels(sources_of(program), loops)
    return {(each.iterator, each.position.line): known[scope_of(each)] for each in loops if scope_of(each) in known}


def called(loop: Loop, known: Mapping[tuple[str, int], str]) -> str:
    """Return a loop as sentences name it: by its label, of those of `labels_of`, or its iterator, and by its line.

    Examples
    --------
    >>> from ppnsim.loops.program import Position
    >>> rows = Loop(iterator="i", first=(), last=(), position=Position("a.cpp", 2, 1))
    >>> called(rows, {("i", 2): "rows"}), called(rows, {})
    ("loop 'rows' (line 2)", "loop 'i' (line 2)")
    """
    line = loop.position.line
    return f"loop '{known.get((loop.iterator, line), loop.iterator)}' (line {line})"


def loop_names(program: LoopProgram, nests: Sequence[ScheduledNest], every: Sequence[ScheduledNest] = ()) -> list[str]:
    """Return the name of each nest: the labels, or the iterators, of its loops, ``rows.columns``.

    Loops of several instances of a function also have the numbers that differ between them, ``rows (N=16)``, or the
    line of the call, with its column if two calls stand there. ``every`` are the nests to compare with, if there are
    more than ``nests``.
    """
    known = labels(sources_of(program), [loop for nest in nests for loop in nest.body.pipeline.loops])
    found = []
    for nest in nests:
        name = ".".join(known.get(scope_of(loop), loop.iterator) for loop in nest.body.pipeline.loops)
        found.append(name + _apart(nest, every or nests, {frame.path: frame for frame in program.frames}))
    return found


def _apart(nest: ScheduledNest, every: Sequence[ScheduledNest], frames: dict[tuple[str, ...], Frame]) -> str:
    """Return what tells the loop from those at the same place in other calls: `` (N=16)``, or "" without others."""
    same = [_path(each) for each in every if _places(each) == _places(nest)]
    mine = _path(nest)
    if len(set(same)) < 2 or mine not in same:
        return ""
    for length in range(1, len(mine) + 1):
        around = {frames[path[:length]] for path in same if path[:length] in frames}
        if len(around) < 2 or mine[:length] not in frames:
            continue
        own = frames[mine[:length]]
        others = [set(each.values) for each in around]
        differing = [f"{name}={value}" for name, value in own.values if not all((name, value) in o for o in others)]
        alike = sum(each.called == own.called for each in around) > 1
        place = f"called in line {own.called}{f', column {own.column}' if alike else ''}"
        return f" ({', '.join(differing) or place})"
    return ""


def _places(nest: ScheduledNest) -> list[object]:
    return [each.position for each in nest.body.pipeline.loops]


def _path(nest: ScheduledNest) -> tuple[str, ...]:
    loop: Loop = nest.body.pipeline.loops[-1]
    steps = nest.body.pipeline.steps
    return steps[0].statement.path if steps else path_of(loop)
