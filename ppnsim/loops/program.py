"""The loop program (static affine nested loop program, SANLP): loops, guards and statements, in program order.

The C front-end makes it, transformations change it, and dependences, estimates and loop scheduling read it. Parameters
are bound and calls between kernels are inlined (the statements of each call keep their ``path``). A program therefore
has only loops with affine bounds, guards with affine conditions, and statements with affine subscripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from ppnsim.loops.expressions import Affine, Condition, Not
from ppnsim.loops.frames import Frame as Frame
from ppnsim.loops.frames import Region as Region
from ppnsim.loops.kept_hash import KeptHash
from ppnsim.loops.polynomials import Polynomial
from ppnsim.loops.position import Position as Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    """An array, or a scalar (no dimensions).

    ``role``: a ``parameter`` belongs to the caller of the kernel, a ``local`` one to the kernel. ``type`` is the C type
    of an element and ``bits`` its width. ``stream`` is the depth of a FIFO, or of each FIFO in an array of them, and 0
    for memory: a read takes the next token of a FIFO, a write appends one. ``fields`` are path, type and bits of each
    number in a struct. ``static``: what it has in the end is used, as it is static, volatile, returned or lets a loop
    end; ``outside``: it is declared outside of functions; ``volatile``: each load and each store of an element is one
    of the hardware; ``copied``: it is a parameter by its value; ``anew``: the iterators of the loops around its
    declaration, of which each iteration has its own. Other fields serve to write C. ``symbol`` is the name in the
    source around the loops (``x``, ``*p``; "" if declared among the loops), ``initial`` the initialiser of an array
    that exists at time 0, ``member`` the outer array and the path of an array in structs (``("grid", "cell.value")``).
    """

    name: str
    shape: tuple[int, ...] = ()
    type: str = "int"
    bits: int = 32
    role: Literal["parameter", "local"] = "local"
    stream: int = 0
    fields: tuple[tuple[str, str, int], ...] = ()
    static: bool = field(default=False, compare=False)
    outside: bool = field(default=False, compare=False, repr=False)
    volatile: bool = field(default=False, compare=False)
    symbol: str = field(default="", compare=False)
    initial: str = field(default="", compare=False)
    member: tuple[str, str] | None = field(default=None, compare=False)
    copied: bool = field(default=False, compare=False, repr=False)
    anew: tuple[str, ...] = field(default=(), compare=False, repr=False)
    position: Position = field(default=Position(), compare=False)


DATA = Affine.of("?")  # a subscript that is data
ADDRESSES = 1 << 32  # elements of an array whose size nobody knows, in a program that is read as hardware


@dataclass(frozen=True, slots=True)
class Access(KeptHash):
    """An element of an array: one affine subscript per dimension (none for a scalar).

    ``random``: data says which element, without subscripts: a read may need any that was written, and a later read such
    a write. Hardware has subscripts: `DATA` where they are data; the others choose one of several memories, or a FIFO.
    """

    array: str
    subscripts: tuple[Affine, ...] = ()
    random: bool = False

    __hash__ = KeptHash.__hash__

    def __str__(self) -> str:
        return _spelled(self)


@lru_cache(maxsize=4096)  # nodes of an unrolled body, and their ports, are called so
def _spelled(access: Access) -> str:
    if access.random and not access.subscripts:
        return f"{access.array}[?]"
    return access.array + "".join([f"[{subscript}]" for subscript in access.subscripts])


@dataclass(frozen=True, slots=True)
class Operation:
    """A node of a statement's expression tree, with the C type of its value.

    ``kind``: an operator of C (``+``, ``*``, ``<``, ``?:``, ``-x`` ...), ``call`` (of function ``text``, spelled as
    in the source, with all arguments in order), ``read`` (of access number ``read`` of the statement; what a random one
    is indexed by are its operands), ``constant`` or ``iterator`` (``text``), ``cast`` (to ``type``), ``member``
    (``text``, of a struct), ``list`` (the members of a new struct), ``address`` or, in C++, ``reference`` (an argument
    through which a function writes, or reads: to ``place`` and there to member ``text`` if that is not ""; its operands
    are the reads through it). ``values``: of an iterator that only counts, the variable in C by the count, or ``data``.
    """

    kind: str
    type: str
    operands: tuple[Operation, ...] = ()
    text: str = ""
    read: int | None = None
    place: Access | None = None
    position: Position = field(default=Position(), compare=False)
    values: Operation | None = field(default=None, compare=False, repr=False)

    def walk(self) -> Iterator[Operation]:
        """Yield the node and all nodes below it, in textual order."""
        yield self
        for operand in self.operands:
            yield from operand.walk()

    def on(self, operands: tuple[Operation, ...], read: int | None) -> Operation:
        """Return the operation on other operands, and of another read: what `replace` makes, at a third of its time."""
        return Operation(self.kind, self.type, operands, self.text, read, self.place, self.position, self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One assignment or function call. It becomes one process, or a part of one.

    Attributes
    ----------
    name : unique in the program.
    reads, writes : accesses, one per argument, in textual order; the last reads are of annotated bounds around it.
    function : called function, or "" for an assignment.
    value : expression tree of the value that an assignment writes to ``writes[0]``, or of the call.
    member : the part of the struct that an assignment writes, "" for all of it; None for a call that stands alone.
    index : subscripts of a random ``writes[0]``; their reads are among ``reads``.
    ii, latency : cycles, None where the source says nothing.
    path : names of the kernels from the outermost to the one that holds it.
    process : the process that it shares with other statements, "" for one of its own, called like the statement.
    """

    name: str
    reads: tuple[Access, ...] = ()
    writes: tuple[Access, ...] = ()
    function: str = ""
    value: Operation | None = None
    member: str | None = ""
    index: tuple[Operation, ...] = ()
    ii: int | None = None
    latency: int | None = None
    path: tuple[str, ...] = ()
    process: str = ""
    position: Position = field(default=Position(), compare=False)

    @property
    def owner(self) -> str:
        """Name of the process that executes it."""
        return self.process or self.name


@dataclass(frozen=True, slots=True)
class Execution:
    """A statement in its place."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Guard:
    """An ``if``: ``body`` executes where the condition holds, ``otherwise`` where it does not."""

    condition: Condition
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A ``for``: the iterator goes from its first to its last value (included) by ``step``, which is not 0.

    With step > 0 it starts at the largest of ``first`` and ends at or before the smallest of ``last``; with step < 0 at
    the smallest of ``first``, at or after the largest of ``last``. Iterators are unique along each path from the root.
    ``assumed``: its bounds are data, an annotation gives its trips; ``unlimited``: nothing limits them; ``endless``:
    nor ends it. ``end`` is its last line, ``leaves`` where code behind it finds the iterator, "" for none, ``ended``
    hold tests of its ways out, ``left``: data may end it early; ``under`` is an ``if`` on data around it. ``runs``,
    ``begins``: trips and first value by arguments and iterators (`summed.ITERATOR` before them), if known.
    """

    iterator: str
    first: tuple[Affine, ...]
    last: tuple[Affine, ...]
    step: int = 1
    body: tuple[Node, ...] = ()
    assumed: bool = False
    reads: tuple[Access, ...] = ()
    position: Position = field(default=Position(), compare=False)
    end: int = field(default=0, compare=False)
    leaves: str = field(default="", compare=False, repr=False)
    ended: tuple[str, ...] = field(default=(), compare=False, repr=False)
    left: bool = field(default=False, compare=False, repr=False)
    runs: Polynomial | None = field(default=None, compare=False, repr=False)
    begins: Polynomial | None = field(default=None, compare=False, repr=False)
    unlimited: bool = field(default=False, compare=False)
    endless: bool = field(default=False, compare=False, repr=False)
    under: Condition | None = field(default=None, compare=False, repr=False)


Node = Loop | Guard | Execution


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopProgram:
    """A kernel: its arrays and its loops, guards and statements in program order.

    ``region`` is its place in the source, if it has one, ``frames`` are the functions whose bodies are in it, itself
    first. ``left_out`` are lines that the preprocessor leaves out of each file.
    """

    name: str
    arrays: tuple[Array, ...]
    body: tuple[Node, ...]
    file: str = ""
    region: Region | None = field(default=None, compare=False)
    frames: tuple[Frame, ...] = field(default=(), compare=False)
    left_out: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict, compare=False)

    def array(self, name: str) -> Array:
        """Return the array called ``name``; raise KeyError if there is none."""
        return {array.name: array for array in self.arrays}[name]

    def placed(self) -> Iterator[tuple[Statement, tuple[Loop | Condition, ...], tuple[int, ...]]]:
        """Yield each statement, the loops and conditions around it, outermost first, and its place in their bodies.

        With the iterators, the place is the schedule in 2d + 1 form: an index per level of loops; guards add no level.
        """
        yield from _placed(self.body, (), (), [0])

    def statements(self) -> list[Statement]:
        """Return all statements in textual order."""
        return [statement for statement, _, _ in self.placed()]

    def replaced(self, change: Callable[[Statement], Statement]) -> LoopProgram:
        """Return the program with every statement changed."""
        return self.rewritten(lambda n: (Execution(change(n.statement)),) if isinstance(n, Execution) else None)

    def rewritten(self, change: Callable[[Node], tuple[Node, ...] | None]) -> LoopProgram:
        """Return the program with nodes replaced by others, outermost first; None keeps a node and looks into it."""
        return replace(self, body=tuple(_rewritten(self.body, change)))


def _placed(
    nodes: tuple[Node, ...], around: tuple[Loop | Condition, ...], place: tuple[int, ...], count: list[int]
) -> Iterator[tuple[Statement, tuple[Loop | Condition, ...], tuple[int, ...]]]:
    for node in nodes:
        if isinstance(node, Guard):
            yield from _placed(node.body, (*around, node.condition), place, count)
            yield from _placed(node.otherwise, (*around, Not(node.condition)), place, count)
            continue
        here, count[0] = (*place, count[0]), count[0] + 1
        if isinstance(node, Execution):
            yield node.statement, around, here
        else:
            yield from _placed(node.body, (*around, node), here, [0])


def _rewritten(nodes: tuple[Node, ...], change: Callable[[Node], tuple[Node, ...] | None]) -> Iterator[Node]:
    for node in nodes:
        if (new := change(node)) is not None:
            yield from new
        elif isinstance(node, Guard):
            yield Guard(node.condition, *(tuple(_rewritten(side, change)) for side in (node.body, node.otherwise)))
        else:
            yield node if isinstance(node, Execution) else replace(node, body=tuple(_rewritten(node.body, change)))
