"""What the calls of a kernel say about its parameters: numbers, and the types of arrays."""

from __future__ import annotations

from ppnsim.c.lowering.functions.inline import entered
from ppnsim.c.lowering.places.bindings import allocated
from ppnsim.c.lowering.scope import Context, Scope
from ppnsim.c.lowering.values.affine import read
from ppnsim.c.syntax import CType, Function, SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine


def inferred(function: Function, context: Context) -> dict[str, int | CType]:
    """Return what the calls of a kernel say about its parameters: numbers, and the types of arrays.

    A benchmark's ``main`` calls ``kernel(n, m, A)`` with constants; then the kernel needs no ``--set``. An argument
    that differs between two calls says nothing.
    """
    found: dict[str, list[int | CType]] = {}
    for caller in context.unit.functions.values():
        for call in caller.calls() if caller is not function else ():
            if call.text == function.name:
                scope = entered(caller, Context(context.unit, context.pragmas, context.settings))
                for parameter, argument in zip(function.parameters, call.children, strict=False):
                    found.setdefault(parameter.name, []).extend(_said(argument, caller, scope))
    return {name: values[0] for name, values in found.items() if values and all(v == values[0] for v in values)}


def _said(argument: SyntaxNode, caller: Function, scope: Scope) -> list[int | CType]:
    inner = argument.bare
    if inner.type.kind == "array":
        return [inner.type]
    if inner.type.kind == "pointer":
        return _allocated(inner, caller, scope)
    if inner.type.kind != "integer":
        return []
    for node in caller.walk():
        if node.kind == "declare" and node.variable is inner.variable and node.children and inner.variable:
            if inner.variable in scope.changed:
                return []
            inner = node.children[0]
            break
    try:
        value = read(inner, scope)
    except InputError:
        return []
    return [value.constant] if isinstance(value, Affine) and value.is_constant else []


def _allocated(argument: SyntaxNode, caller: Function, scope: Scope) -> list[int | CType]:
    """Return the type of the array that a caller has allocated for a pointer, nothing if that is not known."""
    found: list[int | CType] = []
    for node in caller.walk():
        if node.kind not in ("declare", "assign") or not node.children or argument.variable is None:
            continue
        variable = node.variable if node.kind == "declare" else node.children[0].variable
        if variable is not argument.variable or node.children[-1].bare.type.kind != "pointer":
            continue
        shape = allocated(node.children[-1], variable.type, scope)
        inner = variable.type.element
        if shape is None or inner is None:
            return []
        found.append(CType("array", f"{inner.text}[{shape[0]}]", element=inner, size=shape[0]))
    return found if len(found) == 1 else []
