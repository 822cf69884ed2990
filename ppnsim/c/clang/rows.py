"""Reads local arrays of pointers that only name arrays: ``int *p[2] = {a, b}; .. p[1][i]`` is ``b[i]``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang.calls import Calls
from ppnsim.c.clang.library import evaluated, position
from ppnsim.c.syntax import SyntaxNode, Variable


class NamedArrays(Calls):
    """The part of the reader of cursors that reads arrays of pointers."""

    rows: dict[Variable, Sequence[SyntaxNode]]
    """The arrays that the elements of an array of pointers name."""

    def rowed(self, cursor: Any, variable: Variable) -> list[SyntaxNode]:
        """Return nothing for an array of pointers that only name arrays: its elements stand for these."""
        of, initial = variable.type, variable.initial.bare if variable.initial is not None else None
        pointers = of.kind == "array" and of.element is not None and of.element.kind == "pointer"
        if not pointers or variable.scope != "local" or initial is None or initial.kind != "list":
            return []
        named = [each.bare for each in initial.children]
        if not named or any(each.kind != "name" or each.type.kind != "array" for each in named):
            return []
        if not _only_read(cursor, len(named)):
            words = f"'{cursor.spelling}', an array of pointers with other uses than {cursor.spelling}[0][i]"
            return [self._made(cursor, "other", text=f"{words} (name the arrays, or copy them into one)")]
        self.rows[variable] = named
        return [self._made(cursor, "empty")]

    def indexed(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return an element of an array; one of an array of pointers is the array that it names."""
        base, subscript = map(self.node, inner)
        rows = self.rows.get(base.bare.variable) if base.bare.variable is not None else None
        if rows is None or base.bare.kind != "name":
            return self._made(cursor, "index", (base, subscript))
        row: SyntaxNode = rows[evaluated(inner[1], "AsLongLong")]
        return replace(row, position=position(cursor.location))


def _only_read(declared: Any, count: int) -> bool:
    """Return whether all that a function does with an array is to read elements of it at constant places."""
    function = declared.semantic_parent
    uses = [each for each in function.walk_preorder() if _names(each, declared)]
    read = 0
    for each in function.walk_preorder():
        inner = list(each.get_children())
        if each.kind.name == "UNEXPOSED_EXPR" and len(inner) == 1 and inner[0].kind.name == "ARRAY_SUBSCRIPT_EXPR":
            base, subscript = inner[0].get_children()
            at = evaluated(subscript, "AsLongLong")
            inside = [one for one in base.walk_preorder() if _names(one, declared)]
            direct = all(one.kind.name in ("UNEXPOSED_EXPR", "DECL_REF_EXPR") for one in base.walk_preorder())
            read += bool(inside and direct and at is not None and 0 <= at < count)
    return read == len(uses)


def _names(cursor: Any, declared: Any) -> bool:
    return bool(cursor.kind.name == "DECL_REF_EXPR" and cursor.referenced == declared)
