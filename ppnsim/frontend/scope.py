"""What names mean while a kernel is lowered: places in arrays, and integers with an affine value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from ppnsim.affine.expressions import Affine
from ppnsim.affine.program import Access, Array, Position
from ppnsim.errors import InputError
from ppnsim.frontend.piecewise import Range, Value
from ppnsim.frontend.pragmas import Pragmas
from ppnsim.frontend.syntax import CType, Function, Unit, Variable

# Iterators are written in isl's notation later on, where these mean something else.
_WORDS_OF_ISL = ("and", "ceil", "exists", "false", "floor", "floord", "infty", "max", "min", "mod", "not", "or", "true")


@dataclass(frozen=True, slots=True)
class Place:
    """An element or a part of an array; as a ``pointer``, the last subscript is where counting starts."""

    array: str
    subscripts: tuple[Affine, ...] = ()
    pointer: bool = False

    def access(self) -> Access:
        """Return it as an access of a loop program."""
        return Access(self.array, self.subscripts)


def refuse(position: Position, message: str) -> NoReturn:
    """Raise an InputError at a place in the source."""
    raise InputError(message, where=str(position))


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
class Context:
    """What all calls within one program share."""

    unit: Unit
    pragmas: Pragmas
    settings: Mapping[str, int]
    arrays: dict[str, Array] = field(default_factory=dict)
    array_names: Names = field(default_factory=Names)
    statement_names: Names = field(default_factory=Names)
    open_iterators: list[str] = field(default_factory=list)
    path_names: Names = field(default_factory=Names)
    ranges: dict[str, Range] = field(default_factory=dict)
    globals: dict[Variable, Place | Value] = field(default_factory=dict)
    changed_globals: frozenset[Variable] = frozenset()
    members: dict[str, str] = field(default_factory=dict)

    def new_iterator(self, name: str) -> str:
        """Return a name that no loop around has."""
        names, number = {*self.open_iterators, *_WORDS_OF_ISL}, 1
        result = name
        while result in names:
            number += 1
            result = f"{name}_{number}"
        return result

    def new_array(self, name: str, shape: tuple[int, ...], of: CType, role: Literal["parameter", "local"]) -> Place:
        """Add an array and return the place of all of it."""
        base = of.base()
        array = Array(name=self.array_names.unique(name), shape=shape, type=base.text, bits=base.bits, role=role)
        self.arrays[array.name] = array
        return Place(array.name)


@dataclass(slots=True)
class Scope:
    """One call of a kernel.

    ``path`` is where it is in the tree of calls, ``calls`` the functions around it; ``steering`` are the integers that
    stand for their value, ``iterators`` those of the loops that are open, ``finished`` those of loops that are closed.
    """

    context: Context
    function: Function
    path: tuple[str, ...]
    calls: tuple[str, ...]
    steering: frozenset[Variable]
    changed: frozenset[Variable]
    bindings: dict[Variable, Place | Value] = field(default_factory=dict)
    inferred: Mapping[str, int | CType] = field(default_factory=dict)
    iterators: set[Variable] = field(default_factory=set)
    finished: set[Variable] = field(default_factory=set)
    depth: int = 0

    @property
    def ranges(self) -> dict[str, Range]:
        """Bounds of all iterators met so far."""
        return self.context.ranges
