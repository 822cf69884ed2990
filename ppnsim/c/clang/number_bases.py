"""Represents a class that is derived from a number of the vendor, ``struct word : ap_uint<32>``, as one with a member.

The member holds the number; where the source uses the object as its base, the member is used.
"""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.syntax import CType, SyntaxNode

NUMBER = "ppnsim_number"
"""The member that holds the base."""
_NUMBERS = ("integer", "real")


def fields_of_base(of: CType) -> tuple[tuple[str, CType], ...]:
    """Return the members that a class has from a base: those of a class, or one for a number."""
    return ((NUMBER, replace(of, const=False)),) if of.kind in _NUMBERS else of.fields


def as_base(made: SyntaxNode, to: CType) -> SyntaxNode | None:
    """Return the number that an object, or what a pointer points to, is derived from; None for other conversions."""
    if to.kind == "pointer" and made.type.kind == "pointer":
        return None if (inner := _number_in(made.type.element, to.element)) is None else _member(made, inner)
    return None if (inner := _number_in(made.type, to)) is None else _member(made, inner)


def _number_in(of: CType | None, to: CType | None) -> CType | None:
    if of is None or to is None or of.kind != "struct" or to.kind not in _NUMBERS:
        return None
    held = dict(of.fields).get(NUMBER)
    return held if held is not None and held.text == to.text else None


def _member(made: SyntaxNode, of: CType) -> SyntaxNode:
    return replace(made, kind="member", type=of, children=(made,), text=NUMBER, variable=None, spelled="", value=None)
