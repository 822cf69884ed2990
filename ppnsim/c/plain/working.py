"""Which expressions do more than to have a value: they are evaluated only where C says so."""

from __future__ import annotations

from ppnsim.c.executed.named import root
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.together import Functions
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable


def works(node: SyntaxNode, functions: Functions) -> bool:
    """Return whether an expression takes a token, or calls a function that has effects."""
    if node.kind != "call":
        return node.kind == "token"
    function = functions.get(node.text)
    return any(_streams(each.type) for each in node.children) or (
        function is not None and _changes(function, functions)
    )


def _changes(function: Function, functions: Functions, around: tuple[str, ...] = ()) -> bool:
    """Return whether a function changes what is outside of it; ``around`` are those that call it."""
    if function.system or function.name in around:
        return False
    for each in function.walk():
        if each.kind == "token":
            return True
        changes = each.kind == "assign" or (each.kind == "unary" and each.text in STEPS)
        if changes and _is_outside(root(each.children[0])):
            return True
        called = functions.get(each.text) if each.kind == "call" else None
        if called is not None and _changes(called, functions, (*around, function.name)):
            return True
    return False


def _is_outside(variable: Variable | None) -> bool:
    """Return whether what a function assigns is there behind its call: a static, or what it has a way to."""
    if variable is None or variable.scope in ("global", "static"):
        return variable is not None
    return variable.type.kind == "pointer" or (variable.type.kind == "array" and variable.scope == "parameter")


def _streams(of: CType) -> bool:
    inner = (of.element,) if of.element is not None else (each for _, each in of.fields)
    return of.kind == "stream" or any(_streams(each) for each in inner)
