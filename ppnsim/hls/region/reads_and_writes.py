"""The arrays, scalars and FIFOs that code reads and writes, and the elements that loops around it move."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.loops.program import LoopProgram, Node, Position

Touched = dict[str, Position]
"""The place of the first access, by name of the array, scalar or FIFO."""


def accesses_in(body: Sequence[Node]) -> tuple[Touched, Touched]:
    """Return the names that some code reads, and those that it writes.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Execution, Statement
    >>> copy = Statement(name="s", reads=(Access("a"),), writes=(Access("b"),), position=Position("k.c", 4, 1))
    >>> reads, writes = accesses_in([Execution(copy)])
    >>> list(reads), str(writes["b"])
    (['a'], 'k.c:4:1')
    """
    reads: Touched = {}
    writes: Touched = {}
    for statement in LoopProgram(name="", arrays=(), body=tuple(body)).statements():
        for table, accesses in ((reads, statement.reads), (writes, statement.writes)):
            for access in accesses:
                table.setdefault(access.array, statement.position)
    for loop in all_loops(body):
        for access in loop.reads:
            reads.setdefault(access.array, loop.position)
    return reads, writes


def moved_by(body: Sequence[Node], iterators: Collection[str]) -> frozenset[str]:
    """Return the arrays of which some code accesses elements that depend on the iterators of loops around it.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Execution, Statement
    >>> row = Access("a", (Affine((("i", 1),)), Affine((("k", 1),))))
    >>> sorted(moved_by([Execution(Statement(name="s", reads=(row,), writes=(Access("b"),)))], {"i"}))
    ['a']
    """
    statements = LoopProgram(name="", arrays=(), body=tuple(body)).statements()
    accesses = (access for statement in statements for access in (*statement.reads, *statement.writes))
    chosen = set(iterators)
    return frozenset(a.array for a in accesses if any(chosen & each.iterators() for each in a.subscripts))
