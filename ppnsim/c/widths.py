"""Computes the bits of a FIFO's token in hardware, without the padding and whole bytes of C."""

from __future__ import annotations

from ppnsim.c.syntax import CType


def token_bits(of: CType) -> int:
    """Return the bits of a token of a type: one bit for a ``bool``, and all members of a struct without padding.

    A struct in a stream is aggregated without padding (UG1399, ``pragma HLS aggregate``: ``compact=bit``, Example 1);
    the ports of the interface, which are padded, are not FIFOs. The members of a union share their bits.

    Examples
    --------
    >>> from ppnsim.c.syntax import unsigned
    >>> fields = (("a", CType("array", element=unsigned(8), size=9)), ("b", CType("integer", "bool", 8)))
    >>> token_bits(CType("struct", "Pair", 80, fields=fields))
    73
    """
    if of.kind == "array" and of.element is not None and isinstance(of.size, int):
        return of.size * token_bits(of.element)
    if of.kind == "struct" and of.fields and not of.shared:
        parts = sum(token_bits(member) for _, member in of.fields)
        return min(parts, of.bits) if of.bits else parts  # bit fields are packed in C
    return 1 if of.text in ("bool", "_Bool") else of.bits
