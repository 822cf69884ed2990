"""Finds virtual methods whose callee depends on the object behind a pointer or a reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.library import foreign

_CLASSES = ("CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE")
_AROUND = ("TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC", *_CLASSES)


def is_exact(target: Any) -> bool:
    """Return whether the object of a call is itself a variable or a member, so that its class is known."""
    while target is not None and target.kind.name in names.LOOKED_THROUGH:
        target = next(iter(target.get_children()), None)
    named = target.referenced if target is not None else None
    if named is None or named.kind.name not in ("VAR_DECL", "PARM_DECL", "FIELD_DECL"):
        return False
    return bool(named.type.get_canonical().kind.name == "RECORD")


def is_overridden(method: Any) -> bool:
    """Return whether another class of the source has a virtual method of the same name."""
    others = (each for each in _methods(method.translation_unit.cursor) if each.spelling == method.spelling)
    return any(each.get_usr() != method.get_usr() for each in others)


def _methods(cursor: Any) -> Iterator[Any]:
    """Yield the virtual methods of the classes of a source."""
    for each in cursor.get_children():
        kind = each.kind.name
        if kind == "CXX_METHOD" and each.is_virtual_method():
            yield each
        elif kind in _AROUND and not foreign(each.location):
            yield from _methods(each)
