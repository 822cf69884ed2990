"""Loops of a function with several calls: synthesis reports count them once, as one module (R5.21)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from ppnsim.c.pragmas.trips import Count
from ppnsim.hls.pragmas.directives import Scope, all_loops, scope_of
from ppnsim.hls.structure.counting import constant_trips, with_trips
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.hls.structure.unrolling import is_from, path_of
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Frame, Loop, LoopProgram, Position

Home = tuple[Scope, tuple[tuple[str, int], ...]]
"""A function: its place in the source, and the numbers of a template's instance."""


def as_modules(
    trees: Sequence[Tree], frames: Sequence[Frame], inlined: Collection[tuple[str, ...]], count: Count
) -> tuple[Tree, ...]:  # fmt: skip
    """Return trees whose loops have the trip count of the call of their function with ``most`` or ``least``.

    Only loops with constant bounds change. The loops of an inlined call do not count with those of other calls.
    """
    if count == "usual":
        return tuple(trees)
    of_scope: dict[Scope, list[Loop]] = {}
    for loop in {id(each): each for each in _loops(trees)}.values():
        of_scope.setdefault(scope_of(loop), []).append(loop)
    uneven = [each for each in of_scope.values() if len({constant_trips(loop) or 0 for loop in each}) > 1]
    if not uneven:
        return tuple(trees)
    changed: dict[int, Loop] = {}
    for loops in _of_one_place(list(chain.from_iterable(uneven)), frames, inlined):
        trips = [constant_trips(each) or 0 for each in loops]
        if len(set(trips)) > 1 and min(trips) > 0:
            wanted = max(trips) if count == "most" else min(trips)
            changed |= {id(each): with_trips(each, wanted) for each in loops if constant_trips(each) != wanted}
    return tuple(_with(tree, lambda loop: changed.get(id(loop), loop)) for tree in trees) if changed else tuple(trees)


def _of_one_place(
    loops: Sequence[Loop], frames: Sequence[Frame], inlined: Collection[tuple[str, ...]]
) -> Iterable[list[Loop]]:
    """Return the loops at each place of a function, from all of its calls that are not inlined."""
    called = [(loop, frame) for loop in loops if (frame := frame_of(loop, frames)) is not None]
    places = {frame.position for _, frame in called}
    homes = dict(_homes([each for each in frames if each.position in places]))
    found: dict[tuple[Home, Scope], list[Loop]] = {}
    for loop, frame in called:
        if frame.path not in inlined:
            found.setdefault((homes[frame.path], scope_of(loop)), []).append(loop)
    return found.values()


def counted_alike(trees: Sequence[Tree], program: LoopProgram) -> tuple[str, ...]:
    """Return a sentence about loops that count in several calls as in one of the calls (R5.21)."""
    own, now = _by_place(all_loops(program.body)), _by_place(_loops(trees))
    alike = [scope for scope in now if len(now[scope]) == len(own.get(scope, ())) and set(now[scope]) < set(own[scope])]
    if not alike:
        return ()
    lines = ", ".join(str(line) for line in sorted({scope[1] for scope in alike}))
    words = f"loops of functions that are called several times (line {lines}) run in each call as often as in one"
    return (f"{words}, as reports of synthesis count their one module (rule R5.21 in ppnsim/hls/RULES.md)",)


def _by_place(loops: Iterable[Loop]) -> dict[Scope, list[int | None]]:
    found: dict[Scope, list[int | None]] = {}
    for loop in loops:
        found.setdefault(scope_of(loop), []).append(constant_trips(loop))
    return found


def _homes(frames: Sequence[Frame]) -> Iterator[tuple[tuple[str, ...], Home]]:
    """Yield calls with their functions; values that no parameter name explains are the numbers of a template."""
    same: dict[Position, set[tuple[str, int]]] = {}
    for frame in frames:
        same.setdefault(frame.position, set(frame.values)).intersection_update(frame.values)
    for frame in frames:
        own = {name for name, _ in frame.names}
        numbers = (each for each in frame.values if each not in same[frame.position] and each[0] not in own)
        yield frame.path, (scope_of(frame), tuple(numbers))


def frame_of(loop: Loop, frames: Sequence[Frame]) -> Frame | None:
    """Return the call that contains a loop, None for the kernel itself."""
    path = path_of(loop)
    for frame in sorted(frames, key=lambda each: -len(each.path)):
        if frame.path and path[: len(frame.path)] == frame.path and is_from(loop, frame, frames):
            return frame
    return None


def _loops(trees: Sequence[Tree]) -> Iterator[Loop]:
    for tree in trees:
        if isinstance(tree, Serial | Pipeline):
            yield from tree.loops
        if isinstance(tree, Serial):
            yield from _loops(tree.body)


def _with(tree: Tree, change: Callable[[Loop], Loop]) -> Tree:
    if not isinstance(tree, Serial | Pipeline):
        return tree
    around: tuple[Loop | Condition, ...] = tuple(
        change(each) if isinstance(each, Loop) else each for each in tree.around
    )
    loops = tuple(map(change, tree.loops))
    if isinstance(tree, Pipeline):
        return replace(tree, loops=loops, around=around)
    return replace(tree, loops=loops, around=around, body=tuple(_with(each, change) for each in tree.body))
