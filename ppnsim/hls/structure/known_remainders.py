"""Remainders of an iterator that become numbers when its loop is unrolled: ``i % 8`` in eight copies (R1.12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.loops.expressions import Remainder
from ppnsim.loops.program import Execution, Guard, Loop, Node, Operation, Statement


def has_known_remainders(loop: Loop, factor: int) -> bool:
    """Return whether a remainder in a subscript is the same in each iteration of a loop of ``factor`` copies.

    Its loop has to begin at a number, and the stride to be a multiple of what is divided by. An iterator that is
    computed with, or found behind the loop, keeps its values, and none is known.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access
    >>> i = Affine.of("i")
    >>> body = (Execution(Statement(name="s", reads=(), writes=(Access("a", (i % 8,)),))),)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(31),), body=body)
    >>> has_known_remainders(loop, 8), has_known_remainders(loop, 4)
    (True, False)
    """
    if loop.leaves or not all(bound.is_constant for bound in loop.first):
        return False
    stride, found = loop.step * factor, tuple(_statements(loop.body))
    if any(_computes(tree, loop.iterator) for each in found for tree in (each.value, *each.index) if tree):
        return False
    subscripts = (s for each in found for access in (*each.reads, *each.writes) for s in access.subscripts)
    atoms = (atom for subscript in subscripts for atom, _ in subscript.terms if isinstance(atom, Remainder))
    return any(
        [name for name, _ in each.of.terms] == [loop.iterator] and each.of.terms[0][1] * stride % each.by == 0
        for each in atoms
    )  # fmt: skip


def _statements(body: Sequence[Node]) -> Iterator[Statement]:
    for node in body:
        if isinstance(node, Execution):
            yield node.statement
        else:
            yield from _statements((*node.body, *node.otherwise) if isinstance(node, Guard) else node.body)


def _computes(tree: Operation, iterator: str) -> bool:
    """Return whether an iterator is a number of an expression."""
    return any(each.kind == "iterator" and each.text == iterator for each in tree.walk())
