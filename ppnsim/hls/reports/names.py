"""Loop names of the tool (R10.1): labels of the source, or the line where a loop begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ppnsim.hls.pragmas.directives import Scope, direct_loops, scope_of
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.program import Loop, Node

_UNNAMED = r"VITIS_LOOP_{line}_\d+"

Chain = tuple[Loop, ...]
"""Nested loops, outermost first."""


def chains(body: Sequence[Node], outer: Chain = ()) -> Iterator[Chain]:
    """Yield every part of every path of nested loops."""
    for loop in direct_loops(body):
        path = (*outer, loop)
        for start in range(len(path)):
            yield path[start:]
        yield from chains(loop.body, path)


def named(chain: Chain, known: Mapping[Scope, str], name: str) -> bool:
    """Return whether the tool may have given a nest this name: the names of its loops, joined by ``_``.

    A loop of one iteration, and its name, may have vanished.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Position
    >>> bounds = {"first": (Affine.of(0),), "last": (Affine.of(9),)}
    >>> nest = tuple(Loop(iterator="i", position=Position("a.cpp", line, 1), **bounds) for line in (7, 8))
    >>> named(nest, {("a.cpp", 7, 1): "rows"}, "rows_VITIS_LOOP_8_1"), named(nest[1:], {}, "VITIS_LOOP_81_1")
    (True, False)
    """
    parts = []
    for loop in chain:
        label = known.get(scope_of(loop))
        own = re.escape(label) if label else _UNNAMED.format(line=loop.position.line)
        parts.append(f"(?:_{own})?" if constant_trips(loop) == 1 else f"_{own}")
    return re.fullmatch("".join(parts), f"_{name}") is not None
