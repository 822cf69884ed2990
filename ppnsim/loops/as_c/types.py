"""The implicit conversions between numbers in C, which need no cast in the text."""

from __future__ import annotations

import struct

_REALS = ("float", "double", "long double")
_WHOLE = ("int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long")
_SMALL = ("char", "signed char", "unsigned char", "short", "unsigned short", "_Bool", "bool")
_SUFFIXES = dict(zip(_WHOLE, ("", "u", "L", "UL", "LL", "ULL"), strict=True))


def promoted(of: str) -> str | None:
    """Return the type of an operand after promotion; None for a type that C does not promote."""
    return "int" if of in _SMALL else of if of in _WHOLE or of in _REALS else None


def common(one: str, other: str) -> str | None:
    """Return the type in which an operator of two numbers works (``long`` has 64 bits).

    Examples
    --------
    >>> common("int", "double"), common("unsigned int", "long"), common("char", "short")
    ('double', 'long', 'int')

    Source: ISO C, 6.3.1.8, the usual arithmetic conversions.
    """
    left, right = promoted(one), promoted(other)
    if left is None or right is None:
        return None
    if {left, right} == {"unsigned long", "long long"}:
        return "unsigned long long"
    ranks = (*_WHOLE, *_REALS)
    return max(left, right, key=ranks.index)


def constant_text(text: str, of: str) -> str:
    """Return a constant in C, with the suffix that gives it its type.

    Examples
    --------
    >>> constant_text("0.10000000149011612", "float"), constant_text("3", "unsigned long"), constant_text("97", "char")
    ('0.1f', '3UL', '(char)97')
    """
    if of in _REALS:
        return _real(text, of)
    if of == "bool":
        return "true" if int(text) else "false"
    if of in _SMALL:
        return f"({of}){text}"
    number = text.lstrip("-")
    if of not in _SUFFIXES or not number.isdecimal():
        return text
    if text.startswith("-") and int(number) in (1 << 31, 1 << 63):
        return f"(-{int(number) - 1}{_SUFFIXES[of]} - 1)"
    return f"{text}{_SUFFIXES[of]}"


def _real(text: str, of: str) -> str:
    if text.lstrip("-") in ("inf", "nan"):
        return text.replace("inf", "(1.0 / 0.0)").replace("nan", "(0.0 / 0.0)")
    if of != "float":
        return text + ("L" if of == "long double" else "")
    value = struct.unpack("f", struct.pack("f", float(text)))[0]
    short = next(t for digits in range(1, 18) if _as_float(t := f"{value:.{digits}g}") == value)
    return (short if any(mark in short for mark in ".e") else f"{short}.0") + "f"


def _as_float(text: str) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", float(text)))[0])
    except OverflowError:
        return float("inf")
