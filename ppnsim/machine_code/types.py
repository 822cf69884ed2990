"""What an expression of a kernel can be: a whole number, an array of them, or a tuple; each as registers of LLVM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Type: TypeAlias = "str | ArrayType | TupleType"
WHOLE, PLACE, TRUTH = "i64", "u64", "i1"
"""Numbers: 64 bits with a sign, 64 bits without one (a place in an array), and truth values."""

_ELEMENTS = {np.dtype(name): name for name in ("int8", "int16", "int32", "int64", "uint64", "bool")}
BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64, "uint64": 64, "bool": 8}  # of an element in memory


class KernelError(TypeError):
    """A kernel has a form that cannot be compiled, or is called with what none can take."""


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array without gaps, with its kind of elements and number of dimensions: a pointer and its extents."""

    element: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class TupleType:
    """Several values, which have names if they are a named tuple."""

    parts: tuple[Type, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A value of a type in registers, or as constants."""

    type: Type
    registers: tuple[str, ...]

    @property
    def register(self) -> str:
        """The only register of a number, the pointer of an array."""
        return self.registers[0]

    def parts(self) -> list[Held]:
        """Return the values of a tuple."""
        assert isinstance(self.type, TupleType)
        found, place = [], 0
        for part in self.type.parts:
            size = len(registers_of(part))
            found.append(Held(part, self.registers[place : place + size]))
            place += size
        return found


def number(value: int) -> Held:
    """Return a constant."""
    if not -(2**63) <= value < 2**63:
        raise KernelError(f"{value} has more than 64 bits")
    return Held(TRUTH, (str(value).lower(),)) if isinstance(value, bool) else Held(WHOLE, (str(value),))


def tuple_of(values: list[Held], names: tuple[str, ...] = ()) -> Held:
    """Return values as one."""
    kind = TupleType(tuple(each.type for each in values), names)
    return Held(kind, tuple(register for each in values for register in each.registers))


def registers_of(kind: Type) -> list[str]:
    """Return the types in LLVM of what holds a value."""
    if isinstance(kind, ArrayType):
        return ["ptr", *["i64"] * kind.dimensions]
    if isinstance(kind, TupleType):
        return [each for part in kind.parts for each in registers_of(part)]
    return ["i1" if kind == TRUTH else "i64"]


def type_of(argument: object) -> Type:
    """Return the type of what a kernel is called with.

    Examples
    --------
    >>> type_of(np.zeros((2, 3), dtype=np.int8))
    ArrayType(element='int8', dimensions=2)
    """
    if isinstance(argument, np.ndarray):
        if argument.dtype not in _ELEMENTS or not argument.flags.c_contiguous:
            raise KernelError(f"an array of {argument.dtype}, or with gaps, is no argument of a kernel")
        return ArrayType(_ELEMENTS[argument.dtype], argument.ndim)
    if isinstance(argument, tuple):
        return TupleType(tuple(map(type_of, argument)), getattr(argument, "_fields", ()))
    if isinstance(argument, bool | np.bool_):
        return TRUTH
    if isinstance(argument, np.uint64):
        return PLACE
    if isinstance(argument, int | np.integer):
        return WHOLE
    raise KernelError(f"{argument!r} is no argument of a kernel")


def words_of(argument: object) -> Iterator[int]:
    """Yield the numbers of 64 bits that a kernel is called with: its registers, pointers as addresses."""
    if isinstance(argument, np.ndarray):
        yield argument.__array_interface__["data"][0]
        yield from argument.shape
    elif isinstance(argument, tuple):
        for each in argument:
            yield from words_of(each)
    else:
        yield int(argument)  # type: ignore[call-overload]
