"""Holds what names mean during the lowering of a kernel: places in arrays, and integers with an affine value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ppnsim.c.executed.named_variables import Visits
from ppnsim.c.lowering.two_ways import TwoWays
from ppnsim.c.lowering.values.piecewise import Range, Value
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.policy import STRICT, LoweringPolicy
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit, Variable, unsigned
from ppnsim.c.widths import token_bits
from ppnsim.errors import InputError
from ppnsim.loops.as_c.names import Names, unique
from ppnsim.loops.expressions import Affine, Condition
from ppnsim.loops.polynomials import Polynomial
from ppnsim.loops.program import DATA, Access, Array, Frame, Operation, Position

# Reserved words of isl's notation; iterators are written in that notation later.
_WORDS_OF_ISL = ("and", "ceil", "exists", "false", "floor", "floord", "infty", "max", "min", "mod", "not", "or", "true")

Sum = tuple[Affine | SyntaxNode, ...]
"""The terms whose sum is a subscript."""


@dataclass(frozen=True, slots=True)
class ArrayPlace:
    """An element or a part of an array; the last subscript of a ``pointer`` is the element that it points to.

    ``random``: any element, because a subscript is data (see `Access`). ``path``: the struct members that lead to the
    part of the element, ``cell.value``; "" for the whole element. ``index``: the sum that computes each subscript;
    empty if ``subscripts`` tell it. ``row``: a pointer to a row that was passed as an argument, ``f(m[i])``, and stays
    in that row.
    """

    array: str
    subscripts: tuple[Affine, ...] = ()
    pointer: bool = False
    random: bool = False
    path: str = ""
    index: tuple[Sum, ...] = field(default=(), compare=False)
    row: bool = False

    @property
    def computed(self) -> tuple[Sum, ...]:
        """The sums that compute the subscripts, as far as they are known."""
        return self.index or tuple(() if each == DATA else (each,) for each in self.subscripts)

    def access(self) -> Access:
        """Return the place as an access of a loop program."""
        return Access(self.array, self.subscripts, self.random)


@dataclass(slots=True)
class Spelling:
    """How arrays are spelled in the source; the C writer uses it to write a loop program as C.

    ``owners`` maps arrays to their variables, ``types`` to their C types, ``initials`` to their initialisers.
    ``members`` gives the outer array and the path of an array inside structs. ``results`` are the arrays of returned
    values. ``left_out`` are calls that do not belong to the kernel's work. ``recast`` are accesses through pointers of
    another type. ``anew``: the iterators around a declaration, of which each iteration has its own variable.
    """

    owners: dict[str, Variable] = field(default_factory=dict)
    types: dict[str, CType] = field(default_factory=dict)
    initials: dict[str, str] = field(default_factory=dict)
    members: dict[str, tuple[str, str]] = field(default_factory=dict)
    results: set[str] = field(default_factory=set)
    left_out: list[SyntaxNode] = field(default_factory=list)
    recast: list[SyntaxNode] = field(default_factory=list)
    anew: dict[Variable, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Context:
    """State that all calls within one program share.

    ``random``: subscripts of the statement may be data. ``access`` is the access mode that a pragma gives for pointer
    arguments of functions without a body in the statement; ``assumed`` holds a sentence for each such function without
    a pragma and each other assumption. ``undecided`` counts the conditions around the statement that may be false.
    ``control`` are the reads of annotated bounds and conditions around it. ``copies`` maps arrays, and paths in them,
    whose structs are copied whole to the first such statement. ``held`` maps the array and the path of each pointer in
    an object to its target. ``frames`` are the functions whose bodies have replaced calls. ``macros`` are the macros
    with an integer value. ``facts`` are the data conditions around the current statement, each with its truth.
    ``ranged``: another `Count` gives other iterations. ``branches`` are the ``guards`` with loops so far, by their
    number, and ``decided`` tells for some of them whether the first branch is taken. ``initials`` and ``constants`` are
    values of global constants, ``moving`` the offsets of global pointers. ``steering`` maps each function met so far to
    its control integers, the variables that it assigns, and those that others may. ``executed`` are the iterations of
    executed loops, ``counting`` the open iterators that only count, ``spaced`` the least value and the step of
    iterators whose loops data ends, ``passed`` the early exits that data decides, of loops that numbers end, and
    ``volatile`` the volatile variables of functions. ``bounds`` are the lower and upper ends of open iterators, and
    ``holding`` the affine conditions around the statement. ``before`` are the pragmas before functions.
    """

    unit: TranslationUnit
    pragmas: Pragmas
    settings: Mapping[str, int]
    arrays: dict[str, Array] = field(default_factory=dict)
    array_names: Names = field(default_factory=Names)
    statement_names: Names = field(default_factory=Names)
    open_iterators: list[str] = field(default_factory=list)
    path_names: Names = field(default_factory=Names)
    ranges: dict[str, Range] = field(default_factory=dict)
    globals: dict[Variable, ArrayPlace | Value] = field(default_factory=dict)
    moving: dict[Variable, SyntaxNode] = field(default_factory=dict)
    changed_globals: frozenset[Variable] = frozenset()
    members: dict[str, str] = field(default_factory=dict)
    held: dict[tuple[str, str], ArrayPlace] = field(default_factory=dict)
    spelling: Spelling = field(default_factory=Spelling)
    random: bool = False
    access: str = ""
    assumed: dict[str, str] = field(default_factory=dict)
    undecided: int = 0
    control: list[Access] = field(default_factory=list)
    copies: dict[tuple[str, str], SyntaxNode] = field(default_factory=dict)
    policy: LoweringPolicy = STRICT
    frames: list[Frame] = field(default_factory=list)
    macros: Mapping[str, int] = field(default_factory=dict)
    facts: list[tuple[SyntaxNode, bool]] = field(default_factory=list)
    ranged: bool = False
    steering: dict[Function, tuple[frozenset[Variable], ...]] = field(default_factory=dict)
    guards: int = 0
    branches: dict[int, TwoWays] = field(default_factory=dict)
    decided: Mapping[int, bool] = field(default_factory=dict)
    initials: dict[Variable, Value] = field(default_factory=dict)
    executed: dict[tuple[str, str], dict[tuple[str, ...], Visits]] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)
    volatile: dict[str, dict[str, None]] = field(default_factory=dict)
    counting: set[str] = field(default_factory=set)
    spaced: dict[Variable, tuple[int, int]] = field(default_factory=dict)
    bounds: dict[str, tuple[tuple[Affine, ...], tuple[Affine, ...]]] = field(default_factory=dict)
    holding: list[Condition] = field(default_factory=list)
    before: dict[Function, StatementTiming] = field(default_factory=dict)
    constants: dict[Variable, Value] = field(default_factory=dict)

    def counted(self, trips: Trips) -> int:
        """Return the iterations of a loop that the policy counts, and record whether another policy counts others."""
        self.ranged |= trips.least != trips.usual or trips.most != trips.usual
        return trips.of(self.policy.count)

    def value_is_used(self, name: str, value: int, function: Function) -> None:
        """Tell the value that the calls of a kernel give a parameter, because hardware takes any value."""
        if self.policy.data_subscripts:
            words = f"'{name}' is {value}, as in the calls of '{function.name}' in the source"
            self.assumed[f"value of {name}"] = f"{words}; --set {name}=N gives another value"

    def size_is_used(self, name: str, of: CType, function: Function) -> None:
        """Tell the size of the arrays that callers hand to a pointer: hardware without them does not know it."""
        if self.policy.own_memories and of.size is not None:
            words = f"'{name}' is an array of {of.size} elements, as in the calls of '{function.name}' in the source"
            self.assumed[f"size of {name}"] = f"{words}; declare it with its size, {name}[N], if it has another one"

    def last_is_used(self, *arrays: str) -> None:
        """Record that code outside of the kernel uses the final values of arrays and variables."""
        self.arrays |= {name: replace(self.arrays[name], static=True) for name in arrays}

    def new_iterator(self, name: str) -> str:
        """Return an iterator name that differs from the iterators of all loops around."""
        return unique(name, {*self.open_iterators, *_WORDS_OF_ISL})

    def pragma_before(self, function: Function) -> StatementTiming:
        """Return the pragma before a function."""
        if (known := self.before.get(function)) is not None:
            return known
        file, line = function.position.file, function.position.line
        before = line
        if self.pragmas.timing_lines(file, 0, line):  # of few sources, and a source may have thousands of functions
            same = [f for f in self.unit.functions.values() if f.position.file == file]
            before = max((f.end for f in same if f.position.line < line), default=0)
        found = self.before[function] = self.pragmas.timing(file, before, line)
        return found

    def new_array(
        self, name: str, shape: tuple[int, ...], of: CType, role: Literal["parameter", "local"],
        position: Position | None = None,
    ) -> ArrayPlace:  # fmt: skip
        """Add an array and return the place of the whole array."""
        base = of.base()
        if fifo_depth(of) and base.kind == "struct" and not base.fields:
            words = f"'{name}' is a stream of '{base.text}', which has no members: its tokens have no bits"
            raise InputError(f"{words} (give it one, ap_uint<1> x;)", where=str(position or ""))
        # Hardware stores a union as a single number with all its bits.
        text = unsigned(base.bits).text if base.shared and self.policy.vendor_types else base.text
        array = Array(
            name=self.array_names.unique(name), shape=shape, type=text, role=role, stream=fifo_depth(of),
            bits=token_bits(base) if fifo_depth(of) else base.bits, fields=() if base.shared else tuple(_numbers(base)),
            position=position or Position(),
        )  # fmt: skip
        self.arrays[array.name] = array
        self.spelling.types[array.name] = of
        return ArrayPlace(array.name)


def fifo_depth(of: CType) -> int:
    """Return the depth of a stream, 0 for other types."""
    if of.kind == "stream" and isinstance(of.size, int):
        return of.size
    return fifo_depth(of.element) if of.element else 0


SHADOWED = 256
"""Most elements of a member array that are also listed as numbers of the struct, for structs that are tokens."""


def _numbers(of: CType, path: str = "") -> Iterator[tuple[str, str, int]]:
    """Yield path, type and bits of each number in a struct; ``data.3`` is an element of its array ``data``.

    Member arrays are separate arrays. Their elements are numbers of the struct only in a token of a stream.
    """
    for name, inner in of.fields:
        if inner.fields:
            yield from _numbers(inner, f"{path}{name}.")
        elif inner.kind == "array":
            count, base = 1, inner
            while base.kind == "array" and base.element is not None:
                count, base = count * (base.size if isinstance(base.size, int) else 0), base.element
            for at in range(count) if count <= SHADOWED else ():
                if base.kind in ("integer", "real"):
                    yield f"{path}{name}.{at}", base.text, base.bits
                yield from _numbers(base, f"{path}{name}.{at}.")
        elif inner.kind != "stream" and "&" not in inner.text and (inner.kind, inner.bits) != ("struct", 8):
            yield f"{path}{name}", inner.text, inner.bits


@dataclass(slots=True)
class Scope:
    """One call of a kernel: ``path`` is its position in the call tree, ``calls`` are the functions around it.

    ``steering`` are the control integers, which stand for their values. ``iterators`` belong to open loops,
    ``finished`` to closed loops. ``counters`` are iterators of open loops whose values are data, with the name of the
    count and the value (`Operation.values`). ``dead`` are the first and last lines of branches that are never taken.
    ``moving`` are pointers that data moves, with the variables that count their offset, ``sites`` places of the calls
    around, ``others`` variables that pointers, references or calls may change, ``reached`` values of some variables.
    """

    context: Context
    function: Function
    path: tuple[str, ...]
    calls: tuple[str, ...]
    steering: frozenset[Variable]
    changed: frozenset[Variable]
    bindings: dict[Variable, ArrayPlace | Value] = field(default_factory=dict)
    inferred: Mapping[str, int | CType] = field(default_factory=dict)
    iterators: set[Variable] = field(default_factory=set)
    finished: set[Variable] = field(default_factory=set)
    counters: dict[Variable, tuple[str, Operation]] = field(default_factory=dict)
    formulas: dict[Variable, Polynomial] = field(default_factory=dict)
    depth: int = 0
    dead: list[tuple[int, int]] = field(default_factory=list)
    moving: dict[Variable, SyntaxNode] = field(default_factory=dict)
    sites: tuple[str, ...] = ()
    others: frozenset[Variable] = frozenset()
    reached: Mapping[Variable, ValueRange] = field(default_factory=dict)

    @property
    def ranges(self) -> dict[str, Range]:
        """Bounds of all iterators met so far."""
        return self.context.ranges
