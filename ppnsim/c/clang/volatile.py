"""Finds volatile variables: hardware performs each access to them."""

from __future__ import annotations

from typing import Any

from ppnsim.c.clang.names import THROUGH


def is_volatile(of: Any) -> tuple[bool, bool]:
    """Return whether a type, or that of elements, members or a target, is volatile, and whether only some are."""
    while (plain := of.get_canonical()).kind.name in THROUGH and not plain.is_volatile_qualified():
        of = plain.element_type if plain.kind.name == "CONSTANTARRAY" else plain.get_pointee()
    if plain.is_volatile_qualified():
        return True, False
    found = [_has_volatile(each) for each in _members(plain)]
    return any(found), any(found) and not all(found)


def _has_volatile(of: Any) -> bool:
    """Return whether a member is volatile, or has volatile members; pointers are not followed, because of recursion."""
    while (plain := of.get_canonical()).kind.name == "CONSTANTARRAY" and not plain.is_volatile_qualified():
        of = plain.element_type
    return plain.is_volatile_qualified() or any(map(_has_volatile, _members(plain)))


def _members(record: Any) -> list[Any]:
    """Return the types of the members and of the bases of a struct, none for other types."""
    bases = (each for each in record.get_declaration().get_children() if each.kind.name == "CXX_BASE_SPECIFIER")
    return [*(field.type for field in record.get_fields()), *(base.type for base in bases)]
