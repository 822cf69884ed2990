"""Values of expressions: the steps that compute them, and the whole number if it is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ppnsim.c.syntax import CType
from ppnsim.loops.expressions import Affine

Steps = frozenset[int]
NONE: Steps = frozenset()
_LANES = {**dict(zip("xyzw", range(4), strict=True)), **dict(zip("rgba", range(4), strict=True))}


@dataclass(frozen=True, slots=True, eq=False)
class MemoryObject:
    """An array, a variable, or the target of a pointer argument; two memory objects never overlap.

    ``space`` is global, local, constant or private.
    """

    name: str
    space: str
    type: CType


@dataclass(frozen=True, slots=True)
class Value:
    """A number: the steps that compute it, and its symbolic value (`atoms`) if it is a whole number."""

    steps: Steps = NONE
    whole: Affine | None = None
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place: bytes from the start of a memory, and the members of structs below that."""

    memory: MemoryObject
    offset: Affine
    fields: tuple[str, ...] = ()
    steps: Steps = NONE

    def moved(self, by: Affine, steps: Steps = NONE) -> Pointer:
        """Return the place some bytes further."""
        total = self.offset + by
        ordered = Affine(tuple(sorted(total.terms, key=lambda term: str(term[0]))), total.constant)
        return replace(self, offset=ordered, steps=self.steps | steps)


Lanes = tuple[Value, ...]
AnyValue: TypeAlias = Value | Pointer | Lanes
Key = tuple[Affine, tuple[str, ...], int]  # offset, members, bits


@dataclass(slots=True)
class Cells:
    """What memories are known to hold: a second load of the same place costs no second access."""

    known: dict[MemoryObject, dict[Key, AnyValue]] = field(default_factory=dict)
    pending: dict[MemoryObject, Steps] = field(default_factory=dict)  # stores to local memory, until a barrier
    fences: dict[MemoryObject, Steps] = field(default_factory=dict)  # those before the last barrier

    def copy(self) -> Cells:
        """Return a copy that can change on its own."""
        known = {memory: dict(cells) for memory, cells in self.known.items()}
        return Cells(known, dict(self.pending), dict(self.fences))


def steps_of(value: AnyValue) -> Steps:
    """Return all steps that compute a value."""
    return frozenset().union(*(each.steps for each in value)) if isinstance(value, tuple) else value.steps


def wholes_of(value: AnyValue) -> list[Affine]:
    """Return the whole numbers that are known of a value, of a vector those of its lanes."""
    values = value if isinstance(value, tuple) else (value,)
    return [each.whole for each in values if isinstance(each, Value) and each.whole is not None]


def lane_count(of: CType) -> int:
    """Return the lanes of a vector type, 0 for another type."""
    return of.size if of.kind == "vector" and isinstance(of.size, int) else 0


def lanes_of(value: AnyValue, count: int) -> Lanes:
    """Return a value as that many lanes; a number is the same in all of them."""
    if isinstance(value, tuple):
        return value if len(value) == count else (Value(steps_of(value)),) * count
    return (value if isinstance(value, Value) else Value(value.steps),) * count


def typed(value: AnyValue, of: CType) -> AnyValue:
    """Return a value as one of a type: for a vector, all its lanes."""
    return lanes_of(value, count) if (count := lane_count(of)) else value


def joined(values: Iterable[AnyValue]) -> Value:
    """Return a number that is computed from all these values."""
    return Value(frozenset().union(*(steps_of(each) for each in values)))


def forgotten(value: AnyValue, after: Steps) -> AnyValue:
    """Return an unknown value that is computed by the same steps and those of ``after``."""
    if isinstance(value, tuple):
        return tuple(Value(each.steps | after) for each in value)
    return Value(steps_of(value) | after)


def lane_numbers(text: str, count: int) -> list[int]:
    """Return the lanes that a name means, of ``count``; all if the name is hidden.

    Examples
    --------
    >>> lane_numbers("wx", 4), lane_numbers("s0f", 16), lane_numbers("hi", 8), lane_numbers("odd", 4)
    ([3, 0], [0, 15], [4, 5, 6, 7], [1, 3])
    """
    half = (count + 1) // 2
    named = {"lo": range(half), "hi": range(half, count), "even": range(0, count, 2), "odd": range(1, count, 2)}
    if text in named:
        return list(named[text])
    if text[:1] in "sS" and text[1:]:
        return [int(digit, 16) for digit in text[1:]]
    return [_LANES[letter] for letter in text] if set(text) <= set(_LANES) else list(range(count))
