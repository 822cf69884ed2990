"""Finds side effects of expressions: reads of tokens, changes that other code sees, and loops in called functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.syntax import CType, Function, SyntaxNode

Functions = Mapping[str, Function]
_PLACES = ("name", "index", "member")


def takes(node: SyntaxNode) -> bool:
    """Return whether an expression reads a token, or passes a stream to a function."""
    return node.kind == "token" or (node.kind == "call" and any(_streams(each.type) for each in node.children))


def works(node: SyntaxNode, functions: Functions) -> bool:
    """Return whether an expression reads a token, or calls a function that changes non-local data."""
    return takes(node) or _calls(node, functions, _changes_others)


def acts(node: SyntaxNode, functions: Functions) -> bool:
    """Return whether an expression reads a token, or calls a function that has a loop or changes non-local data."""
    return takes(node) or _calls(node, functions, lambda each: each.kind in LOOPS or _changes_others(each))


def _calls(
    node: SyntaxNode, functions: Functions, wanted: Callable[[SyntaxNode], bool], around: tuple[str, ...] = ()
) -> bool:
    """Return whether an expression calls a function that reads a token or contains a ``wanted`` node.

    Functions of the project's own headers have neither; ``around`` are the functions that are being visited already.
    """
    called = functions.get(node.text) if node.kind == "call" else None
    if called is None or called.body is None or called.system or called.name in around:
        return False
    inside = (*around, called.name)
    return any(
        each.kind == "token" or wanted(each) or _calls(each, functions, wanted, inside) for each in called.body.walk()
    )


def _changes_others(node: SyntaxNode) -> bool:
    """Return whether a node changes a variable that is not local, or the target of a pointer or a reference."""
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
    """Return whether an expression is a call that gets a place as its argument: ``f(x)`` by reference, ``f(&x)``."""
    return node.kind == "call" and any(each.type.kind == "pointer" or each.kind in _PLACES for each in node.children)


def _streams(of: CType) -> bool:
    inner = (of.element,) if of.element is not None else (each for _, each in of.fields)
    return of.kind == "stream" or any(_streams(each) for each in inner)
