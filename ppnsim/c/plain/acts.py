"""What an expression does besides having a value: it takes tokens, changes what others see, runs loops."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.syntax import CType, Function, SyntaxNode

Functions = Mapping[str, Function]
_PLACES = ("name", "index", "member")


def takes(node: SyntaxNode) -> bool:
    """Return whether an expression takes a token, or a function may take one in it."""
    return node.kind == "token" or (node.kind == "call" and any(_streams(each.type) for each in node.children))


def acts(node: SyntaxNode, functions: Functions, open_: tuple[str, ...] = ()) -> bool:
    """Return whether an expression calls a function that changes what is not its own, takes a token or has a loop.

    ``open_`` are the functions of which that is being asked.
    """
    called = functions.get(node.text) if node.kind == "call" else None
    if called is None or called.body is None or called.name in open_:
        return False
    inside = (*open_, called.name)
    return any(
        each.kind == "token" or each.kind in LOOPS or _changes_others(each) or acts(each, functions, inside)
        for each in called.body.walk()
    )


def _changes_others(node: SyntaxNode) -> bool:
    """Return whether a node changes a variable that is no local one, or what a pointer or a reference leads to."""
    if node.kind != "assign" and not (node.kind == "unary" and node.text in STEPS):
        return False
    place = node.children[0].bare
    while place.children and place.kind in ("index", "member", "unary", "bits", "cast"):
        place = place.children[0]
    of = place.variable
    return of is None or of.scope not in ("local", "parameter") or of.type.kind == "pointer" or (
        of.scope == "parameter" and of.type.kind == "array"
    )  # fmt: skip


def may_change(node: SyntaxNode) -> bool:
    """Return whether an expression is a call that is handed a place: ``f(x)`` with a reference, ``f(&x)``."""
    return node.kind == "call" and any(each.type.kind == "pointer" or each.kind in _PLACES for each in node.children)


def _streams(of: CType) -> bool:
    inner = (of.element,) if of.element is not None else (each for _, each in of.fields)
    return of.kind == "stream" or any(_streams(each) for each in inner)
