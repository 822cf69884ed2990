"""Trip-count directives that contradict the bounds of their loop: the bounds count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.pragmas.numbers import number
from ppnsim.hls.pragmas.directives import scope_of
from ppnsim.hls.pragmas.pragma import Pragma
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.loops.expressions import Ranges
from ppnsim.loops.program import Guard, Loop, LoopProgram, Node
from ppnsim.loops.rewrite.elimination import value_range


def contradicted(found: Pragma, program: LoopProgram) -> Iterator[str]:
    """Yield how a ``loop_tripcount`` contradicts the known bounds of its loop, or itself."""
    given = {clause: number(found.clauses[clause], found.values) for clause in ("min", "avg", "max") if clause in
             found.clauses}  # fmt: skip
    stated = {clause: count for clause, count in given.items() if count is not None}
    said = " ".join(f"{clause}={count}" for clause, count in stated.items())
    if [*stated.values()] != sorted(stated.values()):
        yield f"loop_tripcount {said}: not min <= avg <= max"
    counts = list(_counts(program.body, found, {}))
    if not counts or not stated:
        return
    least, most = min(low for low, _ in counts), max(high for _, high in counts)
    if stated.get("min", least) != least or stated.get("max", most) != most or not (
        least <= stated.get("avg", least) <= most
    ):  # fmt: skip
        runs = f"{most} times" if least == most else f"{least} to {most} times"
        yield f"loop_tripcount {said} of a loop that runs {runs} by its bounds, which count"


def _counts(body: Sequence[Node], found: Pragma, ranges: Ranges) -> Iterator[tuple[int, int]]:
    """Yield the least and the most iterations of a visit of each copy of the loop, if its bounds give them.

    Under a condition an iterator may not take all of its values.
    """
    for node in body:
        if isinstance(node, Guard):
            yield from _counts((*node.body, *node.otherwise), found, {})
        if not isinstance(node, Loop):
            continue
        if scope_of(node) == found.loop and not node.assumed and not node.leaves:
            yield from _trips(node, ranges)
        known = all(name in ranges for bound in (*node.first, *node.last) for name in bound.iterators())
        inner = {node.iterator: value_range(node, ranges)} if known and not node.assumed else {}
        yield from _counts(node.body, found, {**ranges, **inner})


def _trips(loop: Loop, ranges: Ranges) -> Iterator[tuple[int, int]]:
    """Yield the least and the most iterations of a visit, if they are constant or depend on one outer loop."""
    if (count := steady_trips(loop)) is not None:
        yield count, count
    elif len(loop.first) == len(loop.last) == 1:
        way = loop.last[0] - loop.first[0]
        if len(way.terms) == 1 and way.terms[0][0] in ranges:
            ends = sorted(end // loop.step + 1 for end in way.extent(ranges))
            yield max(0, ends[0]), max(0, ends[1])
