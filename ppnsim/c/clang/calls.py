"""Reads the calls of C and C++: functions, operators and conversions of vendor numbers, copies of structs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.library import evaluated, position
from ppnsim.c.kinds import Kind
from ppnsim.c.syntax import CType, Function, SyntaxNode

# What the macros INFINITY, HUGE_VAL and NAN stand for.
_ENDLESS = frozenset("__builtin_inff __builtin_inf __builtin_huge_valf __builtin_huge_val __builtin_nanf".split())  # noqa: SIM905
# What a copy of a C++ struct is, by the number of arguments of the call.
_COPIES: tuple[Kind, ...] = ("empty", "cast", "assign", "other")


class Calls:
    """The part of the reader of cursors that reads calls; the reader has the functions read so far."""

    functions: dict[str, Function]

    def node(self, cursor: Any) -> SyntaxNode:
        """Return an expression or a statement."""
        raise AssertionError(cursor)

    def type(self, given: Any, sizes: Sequence[Any]) -> CType:
        """Return a type."""
        raise AssertionError(given, sizes)

    def name(self, cursor: Any) -> str:
        """Return the name of a function."""
        raise AssertionError(cursor)

    def function(self, cursor: Any) -> Function:
        """Return a function."""
        raise AssertionError(cursor)

    def call(self, cursor: Any, _: Sequence[Any]) -> SyntaxNode:
        """Return the node of a call: of a function, an operator, a method, a constructor."""
        if (of_vendor := names.method(cursor, self.node)) is not None:
            return of_vendor
        arguments = [self.node(c) for c in cursor.get_arguments()]
        called = cursor.referenced
        if cursor.spelling in _ENDLESS:
            return self._made(cursor, "real", text=repr(evaluated(cursor, "AsDouble")))
        if found := names.operator(cursor, len(arguments)):
            kind, text = found
            return self._made(cursor, kind, arguments[:1] if kind == "unary" else arguments, text=text)
        if cursor.spelling == "operator=" or (called and called.kind.name == "CONSTRUCTOR"):
            # C++ copies structs by implicit calls.
            copy = _COPIES[min(len(arguments), 3)]
            return self._made(cursor, copy, arguments, text="=")
        if names.is_conversion(cursor):
            value = next(cursor.get_children())
            while value.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR", "MEMBER_REF_EXPR"):
                value = next(value.get_children())
            return self._made(cursor, "cast", [self.node(value)])
        if called and called.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION"):
            owner = called.semantic_parent.type.spelling
            return self._made(cursor, "other", arguments, text=f"{called.spelling}, a method of {owner}")
        if not called or called.kind.name != "FUNCTION_DECL":
            text = cursor.spelling or "a pointer to a function"
            return self._made(cursor, "call", arguments, text=text)
        name = self.name(called)
        if name not in self.functions:
            self.functions[name] = self.function(called)
        spelled = names.namespace(called) + str(called.spelling)
        return self._made(cursor, "call", arguments, text=name, spelled=spelled)

    def _made(self, cursor: Any, kind: Kind, children: Iterable[SyntaxNode] = (), **more: Any) -> SyntaxNode:
        first, end = cursor.extent.start.offset, cursor.extent.end
        return SyntaxNode(
            kind, position(cursor.location), self.type(cursor.type, ()), tuple(children), end=end.line,
            extent=(first, end.offset), **more,
        )  # fmt: skip
