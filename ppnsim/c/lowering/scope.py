"""What names mean while a kernel is lowered: places in arrays, and integers with an affine value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.c.lowering.values.piecewise import Range, Value
from ppnsim.c.policy import STRICT, LoweringPolicy
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit, Variable
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Frame

# Iterators are written in isl's notation later on, where these mean something else.
_WORDS_OF_ISL = ("and", "ceil", "exists", "false", "floor", "floord", "infty", "max", "min", "mod", "not", "or", "true")


@dataclass(frozen=True, slots=True)
class ArrayPlace:
    """An element or a part of an array; as a ``pointer``, the last subscript is where counting starts.

    ``random``: any element, because a subscript is data; what is known of it, see `Access`.
    """

    array: str
    subscripts: tuple[Affine, ...] = ()
    pointer: bool = False
    random: bool = False

    def access(self) -> Access:
        """Return it as an access of a loop program."""
        return Access(self.array, self.subscripts, self.random)


class Names:
    """Gives out names that are unique: ``y``, ``y_2``, ``y_3``."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str) -> str:
        """Return a name, with a number if it is taken."""
        result, number = name, 1
        while result in self._taken:
            number += 1
            result = f"{name}_{number}"
        self._taken.add(result)
        return result


@dataclass(slots=True)
class Spelling:
    """How the source spells what a loop program has other names for, so that C can be written from it again.

    By array: the variable that it was made for (``owners``), its initialiser, and the array whose structs hold it with
    the path to it. ``results`` are the arrays that stand for what the kernel returns, ``left_out`` are calls that are
    no part of a kernel's work.
    """

    owners: dict[str, Variable] = field(default_factory=dict)
    initials: dict[str, str] = field(default_factory=dict)
    members: dict[str, tuple[str, str]] = field(default_factory=dict)
    results: set[str] = field(default_factory=set)
    left_out: list[SyntaxNode] = field(default_factory=list)


@dataclass(slots=True)
class Context:
    """What all calls within one program share.

    ``random`` is whether the statement that is being lowered may have subscripts that are data; ``control`` is the data
    in the annotated bounds and conditions around it. ``copies`` are the arrays whose structs are copied whole, each
    with the first statement that does it. ``frames`` are the functions whose bodies were put in place of calls,
    ``macros`` those that are whole numbers.
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
    changed_globals: frozenset[Variable] = frozenset()
    members: dict[str, str] = field(default_factory=dict)
    spelling: Spelling = field(default_factory=Spelling)
    random: bool = False
    control: list[Access] = field(default_factory=list)
    copies: dict[str, SyntaxNode] = field(default_factory=dict)
    policy: LoweringPolicy = STRICT
    frames: list[Frame] = field(default_factory=list)
    macros: Mapping[str, int] = field(default_factory=dict)

    def new_iterator(self, name: str) -> str:
        """Return a name that no loop around has."""
        names, number = {*self.open_iterators, *_WORDS_OF_ISL}, 1
        result = name
        while result in names:
            number += 1
            result = f"{name}_{number}"
        return result

    def new_array(
        self, name: str, shape: tuple[int, ...], of: CType, role: Literal["parameter", "local"]
    ) -> ArrayPlace:
        """Add an array and return the place of all of it."""
        base = of.base()
        array = Array(
            name=self.array_names.unique(name), shape=shape, type=base.text, bits=base.bits, role=role,
            stream=_depth(of), fields=tuple(_numbers(base)),
        )  # fmt: skip
        self.arrays[array.name] = array
        return ArrayPlace(array.name)


def _depth(of: CType) -> int:
    """Return the depth of a stream, 0 for other types."""
    if of.kind == "stream" and isinstance(of.size, int):
        return of.size
    return _depth(of.element) if of.element else 0


def _numbers(of: CType, path: str = "") -> Iterator[tuple[str, str, int]]:
    """Yield path, type and bits of each number in a struct; arrays in it are arrays of their own."""
    for name, inner in of.fields:
        if inner.fields:
            yield from _numbers(inner, f"{path}{name}.")
        elif inner.kind != "array":
            yield f"{path}{name}", inner.text, inner.bits


@dataclass(slots=True)
class Scope:
    """One call of a kernel.

    ``path`` is where it is in the tree of calls, ``calls`` the functions around it; ``steering`` are the integers that
    stand for their value, ``iterators`` those of the loops that are open, ``finished`` those of loops that are closed,
    ``counters`` those of open loops whose values are data, each with the name of its count.
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
    counters: dict[Variable, str] = field(default_factory=dict)
    depth: int = 0

    @property
    def ranges(self) -> dict[str, Range]:
        """Bounds of all iterators met so far."""
        return self.context.ranges
