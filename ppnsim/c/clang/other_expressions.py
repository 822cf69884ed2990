"""Reads conversions, and expressions of unsupported kinds: a number if clang can evaluate it, else a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.library import evaluated
from ppnsim.c.clang.operations import Operations
from ppnsim.c.kinds import BITS
from ppnsim.c.syntax import SyntaxNode

_WORDS = {
    "CXX_NEW_EXPR": "new (declare a variable, or an array of the largest size)",
    "CXX_DELETE_EXPR": "delete (declare a variable, or an array of the largest size, in place of new)",
    "CXX_THROW_EXPR": "throw (return a flag: hardware has no exceptions)",
    "CXX_DYNAMIC_CAST_EXPR": "dynamic_cast (name the object itself, or use static_cast)",
    "CXX_TYPEID_EXPR": "typeid (compare types by std::is_same)",
    "StmtExpr": "a statement expression ({ .. }) (write its statements before this one)",
    "ADDR_LABEL_EXPR": "the address of a label (write a switch)",
    "LAMBDA_EXPR": "a lambda as a value (call it, or hand it to a template)",
}


class Worded(Operations):
    """The part of the cursor reader that reads expressions and statements of unsupported kinds."""

    def conversion(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return a conversion; one of addresses to an integer, as in `offsetof`, is the number that clang knows."""
        made = self.node(inner[-1])  # the cursors before it belong to the type
        of = cursor.type.get_canonical().kind.name
        if of == "RECORD" and made.bare.kind in ("call", "list"):
            return made
        addresses = made.held & BITS["unary"] and any(each.text == "&" for each in made.walk("unary"))
        if addresses and of in names.INTEGERS and (value := evaluated(cursor, "AsLongLong")) is not None:
            return self._made(cursor, "integer", value=value)
        return self._made(cursor, "cast", [made], text=cursor.spelling)

    def unknown_kind(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return the value of an expression, ``sizeof...(T)``, else a node that is refused where it is used."""
        is_number = cursor.type.get_canonical().kind.name in names.INTEGERS
        if is_number and (value := evaluated(cursor, "AsLongLong")) is not None:
            return self._made(cursor, "integer", value=value)
        text = _WORDS.get(cursor.kind.name, cursor.kind.name)
        return self._made(cursor, "other", map(self.node, inner), text=text)
