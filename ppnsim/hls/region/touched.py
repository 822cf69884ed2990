"""The arrays, scalars and FIFOs that code reads and writes, and where it first does."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.loops.program import LoopProgram, Node, Position

Touched = dict[str, Position]
"""By name of the array, scalar or FIFO: the place of the first access."""


def accesses_in(body: Sequence[Node]) -> tuple[Touched, Touched]:
    """Return what some code reads and what it writes.

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
