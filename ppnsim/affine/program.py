"""The loop program (static affine nested loop program, SANLP): loops, guards and statements, in program order.

It is what the C front-end makes, what transformations change, and what dependences, estimates and loop scheduling look
at. Parameters are bound and calls between kernels are inlined (each call's statements keep their ``path``), so that all
that is left are loops with affine bounds, guards with affine conditions, and statements with affine subscripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.affine.expressions import Affine, Condition, Not


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a source file; lines and columns count from 1."""

    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array, or a scalar (no dimensions).

    ``role``: a ``parameter`` belongs to the caller of the kernel, a ``local`` one to the kernel. ``type`` is the C type
    of an element and ``bits`` its width.
    """

    name: str
    shape: tuple[int, ...] = ()
    type: str = "int"
    bits: int = 32
    role: Literal["parameter", "local"] = "local"


@dataclass(frozen=True, slots=True)
class Access:
    """An element of an array: one affine subscript per dimension (none for a scalar)."""

    array: str
    subscripts: tuple[Affine, ...] = ()

    def __str__(self) -> str:
        return self.array + "".join(f"[{subscript}]" for subscript in self.subscripts)


@dataclass(frozen=True, slots=True)
class Operation:
    """A node of a statement's expression tree, with the C type of its value.

    ``kind``: an operator (``+``, ``*``, ``<``, ``?:``, ``-x`` ...), ``call`` (of function ``text``), ``read`` (of
    access number ``read`` of the statement), ``constant`` or ``iterator`` (``text``), ``cast`` (to ``type``).
    """

    kind: str
    type: str
    operands: tuple[Operation, ...] = ()
    text: str = ""
    read: int | None = None
    position: Position = field(default=Position(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One assignment or function call; it becomes one process.

    Attributes
    ----------
    name : unique in the program.
    reads, writes : accesses, one per argument, in the order in which they appear.
    function : called function, or "" for an assignment.
    value : expression tree; None for a call that writes through pointers.
    ii, latency : cycles, None where the source says nothing.
    path : names of the kernels from the outermost to the one that holds it.
    """

    name: str
    reads: tuple[Access, ...] = ()
    writes: tuple[Access, ...] = ()
    function: str = ""
    value: Operation | None = None
    ii: int | None = None
    latency: int | None = None
    path: tuple[str, ...] = ()
    position: Position = field(default=Position(), compare=False)


@dataclass(frozen=True, slots=True)
class Execution:
    """A statement in its place."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Guard:
    """``if``: the body where the condition holds, the otherwise where not."""

    condition: Condition
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """``for``: the iterator goes from its first value to its last one (included) by ``step``, which is not 0.

    With step > 0 it starts at the largest of ``first`` and ends at or before the smallest of ``last``; with step < 0 it
    starts at the smallest of ``first`` and ends at or after the largest of ``last``. An iterator name is unique along
    each path from the root.
    """

    iterator: str
    first: tuple[Affine, ...]
    last: tuple[Affine, ...]
    step: int = 1
    body: tuple[Node, ...] = ()
    position: Position = field(default=Position(), compare=False)


Node = Loop | Guard | Execution


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopProgram:
    """A kernel: its arrays and its loops, guards and statements in program order."""

    name: str
    arrays: tuple[Array, ...]
    body: tuple[Node, ...]
    file: str = ""

    def array(self, name: str) -> Array:
        """Return the array called ``name``; raise KeyError if there is none."""
        return {array.name: array for array in self.arrays}[name]

    def placed(self) -> Iterator[tuple[Statement, tuple[Loop | Condition, ...], tuple[int, ...]]]:
        """Yield each statement with the loops and conditions around it, outermost first, and its place.

        The place is the index in its parent's body at each level of loops: with the iterators in between it is the
        schedule in 2d + 1 form (guards add no level).
        """
        yield from _placed(self.body, (), (), [0])

    def statements(self) -> list[Statement]:
        """Return all statements in textual order."""
        return [statement for statement, _, _ in self.placed()]

    def replaced(self, change: Callable[[Statement], Statement]) -> LoopProgram:
        """Return the program with every statement changed."""
        return LoopProgram(
            name=self.name, arrays=self.arrays, file=self.file, body=tuple(_changed(n, change) for n in self.body)
        )


def _placed(
    nodes: tuple[Node, ...], around: tuple[Loop | Condition, ...], place: tuple[int, ...], count: list[int]
) -> Iterator[tuple[Statement, tuple[Loop | Condition, ...], tuple[int, ...]]]:
    for node in nodes:
        if isinstance(node, Guard):
            yield from _placed(node.body, (*around, node.condition), place, count)
            yield from _placed(node.otherwise, (*around, Not(node.condition)), place, count)
            continue
        here = (*place, count[0])
        count[0] += 1
        if isinstance(node, Execution):
            yield node.statement, around, here
        else:
            yield from _placed(node.body, (*around, node), here, [0])


def _changed(node: Node, change: Callable[[Statement], Statement]) -> Node:
    if isinstance(node, Execution):
        return Execution(change(node.statement))
    if isinstance(node, Guard):
        body = tuple(_changed(n, change) for n in node.body)
        return Guard(node.condition, body, tuple(_changed(n, change) for n in node.otherwise))
    return Loop(
        iterator=node.iterator, first=node.first, last=node.last, step=node.step, position=node.position,
        body=tuple(_changed(n, change) for n in node.body),
    )  # fmt: skip
