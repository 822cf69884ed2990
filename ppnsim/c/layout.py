"""Computes the memory layout of values: the bytes of a number or a struct, and the offsets of members."""

from __future__ import annotations

from ppnsim.c.syntax import CType


def held(bits: int) -> int:
    """Return the bits that a number takes in memory: those of the next larger C type, or whole words of 64 bits.

    Examples
    --------
    >>> [held(bits) for bits in (1, 28, 64, 100)]
    [8, 32, 64, 128]
    """
    return next((each for each in (8, 16, 32) if bits <= each), -(-bits // 64) * 64)


def laid_out(of: CType) -> tuple[int, int]:
    """Return the bytes that a value takes in memory, and its alignment in bytes.

    Examples
    --------
    >>> short, word = CType("integer", "short", 16), CType("integer", "int", 32)
    >>> laid_out(CType("struct", "S", 64, fields=(("a", short), ("b", word), ("c", short))))
    (12, 4)
    """
    if of.kind == "array" and of.element and isinstance(of.size, int):
        size, multiple = laid_out(of.element)
        return of.size * size, multiple
    if not of.fields or of.shared:
        size = held(of.bits) // 8
        return size, min(size, 8)
    end, most = 0, 1
    for _, member in of.fields:
        size, multiple = laid_out(member)
        end, most = -(-end // multiple) * multiple + size, max(most, multiple)
    return -(-end // most) * most, most


WIDTHS = (8, 16, 32, 64)


def offset_of(struct: CType, name: str) -> int | None:
    """Return the bit offset of a member in a struct of aligned integers; None for other structs."""
    found, at = None, 0
    for each, of in struct.fields:
        if of.kind != "integer" or of.bits not in WIDTHS:
            return None
        at += -at % of.bits
        found, at = (at if each == name else found), at + of.bits
    whole = max((of.bits for _, of in struct.fields), default=1)
    return found if not struct.shared and at + -at % whole == struct.bits else None
