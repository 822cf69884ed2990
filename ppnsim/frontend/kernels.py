"""Finds the kernels of a file, and what the rest of the file says about their parameters."""

from __future__ import annotations

from ppnsim.affine.expressions import Affine
from ppnsim.errors import InputError, did_you_mean
from ppnsim.frontend.affine_reader import read
from ppnsim.frontend.inline import entered
from ppnsim.frontend.scope import Context, Scope, refuse
from ppnsim.frontend.syntax import CType, Function, Node
from ppnsim.frontend.uses import has_loop, is_kernel

_PRINTING = ("printf", "fprintf", "puts", "putchar", "fputs")


def chosen(context: Context, function: str | None) -> list[Function]:
    """Return the kernels to look at, in the order of the file."""
    bodies = [f for f in context.unit.functions.values() if f.body is not None]
    if function is not None:
        found = [f for f in bodies if f.name == function]
        if not found:
            message = f"no function '{function}' with a body{did_you_mean(function, [f.name for f in bodies])}"
            raise InputError(message, where=context.unit.file)
        return found
    marked = [f for f in bodies if _marked(f, bodies, context)]
    marked = marked or [f for f in bodies if scops(f, context)]
    result = marked or _unmarked(bodies, context)
    if not result:
        raise InputError(
            "no kernel in it: no function with a for loop (functions that only main or printing code are do not count; "
            "choose one with --function)",
            where=context.unit.file,
        )
    return result


def scops(function: Function, context: Context) -> list[tuple[int, int]]:
    """Return the lines of the ``#pragma scop`` regions in a function."""
    return context.pragmas.scops(function.position.file, function.position.line, function.end)


def _marked(function: Function, bodies: list[Function], context: Context) -> bool:
    file, line = function.position.file, function.position.line
    before = [f.end for f in bodies if f.position.file == file and f.position.line < line]
    return context.pragmas.marks_kernel(file, max(before, default=0), line)


def _unmarked(bodies: list[Function], context: Context) -> list[Function]:
    for function in bodies:
        _refuse_circles(function, context, ())
    loops = [f for f in bodies if (has_loop(f) or is_kernel(f, context.unit.functions)) and not _prints(f)]
    kernels = [f for f in loops if f.name != "main"] or loops
    called = {node.text for f in kernels if f.body for node in f.body.walk() if node.kind == "call"}
    return [f for f in kernels if f.name not in called]


def _refuse_circles(function: Function, context: Context, around: tuple[str, ...]) -> None:
    around = (*around, function.name)
    for node in function.body.walk() if function.body else ():
        if node.kind != "call" or node.text not in context.unit.functions:
            continue
        if node.text in around:
            circle = " -> ".join((*around[around.index(node.text) :], node.text))
            refuse(node.position, f"recursion: {circle}; a process network has a fixed number of processes")
        _refuse_circles(context.unit.functions[node.text], context, around)


def _prints(function: Function) -> bool:
    loops = [n for n in function.body.walk() if n.kind == "for"] if function.body else []
    return any(inner.kind == "call" and inner.text in _PRINTING for loop in loops for inner in loop.walk())


def inferred(function: Function, context: Context) -> dict[str, int | CType]:
    """Return what the calls of a kernel say about its parameters: numbers, and the types of arrays.

    A benchmark's ``main`` calls ``kernel(n, m, A)`` with constants: the kernel needs no ``--set`` then. Where two
    calls differ, they say nothing.
    """
    found: dict[str, list[int | CType]] = {}
    for caller in context.unit.functions.values():
        if caller.body is None or caller is function:
            continue
        for node in caller.body.walk():
            if node.kind == "call" and node.text == function.name:
                scope = entered(caller, Context(context.unit, context.pragmas, context.settings))
                for parameter, argument in zip(function.parameters, node.children, strict=False):
                    found.setdefault(parameter.name, []).extend(_said(argument, caller, scope))
    return {name: values[0] for name, values in found.items() if values and all(v == values[0] for v in values)}


def _said(argument: Node, caller: Function, scope: Scope) -> list[int | CType]:
    inner = argument
    while inner.kind == "cast":
        inner = inner.children[0]
    if inner.type.kind == "array":
        return [inner.type]
    if inner.type.kind != "integer":
        return []
    for node in caller.body.walk() if caller.body else ():
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
