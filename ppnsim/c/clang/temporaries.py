"""Finds the references that a temporary object initialises: these hold it, as a variable does."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.clang.lambdas import value_type
from ppnsim.c.plain.nodes import is_nameless, is_recast
from ppnsim.c.syntax import CType, Function, SyntaxNode

_OPERATORS = "+ - * / % & | ^ << >> < > <= >= == != && ||".split()  # noqa: SIM905
_COMPUTED = {*(("binary", text) for text in _OPERATORS), *(("unary", text) for text in "-~!")}
_VALUES = ("integer", "real", "struct")


def type_held(of: CType, initial: SyntaxNode | None, functions: Mapping[str, Function]) -> CType:
    """Return the type of the object that a reference holds, if it holds a temporary; else the type of the reference."""
    return value_type(of) if initial is not None and is_temporary(initial, functions) else of


def is_temporary(initial: SyntaxNode, functions: Mapping[str, Function]) -> bool:
    """Return whether a reference is initialised with a temporary, which it then holds as a variable does.

    Such are computed and converted numbers, ``auto &&s = x + y``, tokens, results of functions, and copies, ``P(p)``.
    """
    made = initial.bare
    if made.kind == "choice":  # of two places, a place
        return any(is_temporary(each, functions) for each in made.children[1:])
    if made.kind == "call":
        called = functions.get(made.text)
        return called is not None and called.result.kind in _VALUES
    if made.type.kind == "struct":
        return is_nameless(initial)
    computed = made.kind in ("join", "integer", "real", "reduce", "token") or (made.kind, made.text) in _COMPUTED
    return made.type.kind in ("integer", "real") and (computed or is_recast(initial))
