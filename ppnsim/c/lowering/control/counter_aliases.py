"""Finds aliases by which code in a loop may change the loop's counter; then the loop head does not tell the trips."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.variables.uses import written
from ppnsim.c.syntax import Function, SyntaxNode, Variable


def other_name(node: SyntaxNode, variable: Variable, scope: Scope) -> str:
    """Return what else may change a loop's counter: a pointer or reference to it, or a function; "" if nothing."""
    place = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if isinstance(place, ArrayPlace):
        for each in (name.variable for name in node.walk("name") if name.variable is not variable):
            other = scope.bindings.get(each) if each is not None else None
            if each is not None and isinstance(other, ArrayPlace) and other.array == place.array:
                return f"'{each.name}'"
    if variable.scope != "global":
        return ""
    return next(
        (f"'{each}'" for each in node.walk("call") if _sets(each, variable, scope.context.unit.functions, ())), ""
    )


def _sets(call: SyntaxNode, variable: Variable, functions: Mapping[str, Function], around: tuple[str, ...]) -> bool:
    """Return whether a called function, or one that it calls, assigns a global variable."""
    function = functions.get(call.text)
    if function is None or call.text in around:
        return False
    around = (*around, call.text)
    return variable in written(function) or any(_sets(each, variable, functions, around) for each in function.calls())
