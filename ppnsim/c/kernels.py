"""Finds the kernels of a file, and derives parameter values and array types from the calls of a kernel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ppnsim.c.find_function import called_so, left_out
from ppnsim.c.kinds import OUR_HEADERS
from ppnsim.c.lowering.functions.inline import entered
from ppnsim.c.lowering.places.bindings import allocated
from ppnsim.c.lowering.scope import Context, Scope
from ppnsim.c.lowering.values.affine import read
from ppnsim.c.lowering.values.constants import is_formula
from ppnsim.c.lowering.variables.uses import has_loop, is_kernel
from ppnsim.c.plain.narrow_views import FORM_OF
from ppnsim.c.syntax import CType, Function, SyntaxNode
from ppnsim.errors import InputError, UnknownFunctionError, did_you_mean
from ppnsim.loops.expressions import Affine

_PRINTING = ("printf", "fprintf", "puts", "putchar", "fputs")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A function that has loops but is left out, with the reason."""

    function: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The kernels to read, in the order of the file, and the functions with loops that are left out.

    ``asked``: the caller or the file names exactly these kernels.
    """

    kernels: list[Function]
    skipped: list[Skipped]
    asked: bool


def chosen(context: Context, function: str | None) -> Chosen:
    """Return the kernels of a file; raise InputError if there are none."""
    bodies = [f for f in context.unit.functions.values() if f.body is not None and not f.system]
    if function == "":
        raise InputError("'' names no function (is a variable of the shell empty?)", where="--function")
    if function is not None:
        found = called_so(function, bodies, context)
        if not found:
            known = did_you_mean(function, [*dict.fromkeys(f.instance or f.name for f in bodies)])
            message = f"no function '{function}' with a body{left_out(function, context.unit) or known}"
            raise UnknownFunctionError(message, where=context.unit.file)
        return Chosen(found, [], asked=True)
    marked = [f for f in bodies if _marked(f, bodies, context)] or [f for f in bodies if scops(f, context)]
    return Chosen(marked, [], asked=True) if marked else _unmarked(bodies, context)


def scops(function: Function, context: Context) -> list[tuple[int, int]]:
    """Return the lines of the ``#pragma scop`` regions in a function."""
    return context.pragmas.scops(function.position.file, function.position.line, function.end)


def _marked(function: Function, bodies: list[Function], context: Context) -> bool:
    file, line = function.position.file, function.position.line
    before = [f.end for f in bodies if f.position.file == file and f.position.line < line]
    return context.pragmas.marks_kernel(file, max(before, default=0), line)


def _unmarked(bodies: list[Function], context: Context) -> Chosen:
    circles = {f.name: _recursion(f, context, ()) for f in bodies}
    candidates = _candidates(bodies, context)
    straight = [f for f in candidates if not circles[f.name]]
    kernels = [f for f in straight if f.name != "main" and not _prints(f)] or straight  # work and code around are one
    called = _called(kernels)
    result = [f for f in kernels if f.name not in called]
    if not result:
        raise _no_kernel(circles.values(), context)
    skipped = [Skipped(f.name, circles[f.name]) for f in candidates if circles[f.name]]
    for f in straight:
        if f not in kernels:
            why = "prints in a loop" if _prints(f) else "is the main program around the kernels"
            skipped.append(Skipped(f.name, f"{f.position}: '{f.name}' {why}; choose it with --function"))
    return Chosen(result, skipped, asked=False)


def _candidates(bodies: list[Function], context: Context) -> list[Function]:
    """Return the functions with loops over arrays; a policy that opens calls also accepts programs without loops."""
    bodies = [f for f in bodies if OUR_HEADERS not in f.position.file and not _makes_object(f, context)]
    found = [f for f in bodies if has_loop(f) or is_kernel(f, context.unit.functions)]
    if found or not context.policy.opens_calls:
        return found
    called = _called(bodies)
    return [f for f in bodies if f.name not in called and f.name != "main"]


def _makes_object(function: Function, context: Context) -> bool:
    """Return whether a function is a constructor or a generated function that makes an object in an expression."""
    others = (context.unit.functions.get(name) for name in (function.name.removeprefix("new_"), f"new_{function.name}"))
    return any(each is not None and each is not function and each.position == function.position for each in others)


def _called(functions: list[Function]) -> set[str]:
    forms = {form.removeprefix(FORM_OF) for each in functions for form in each.attributes if form.startswith(FORM_OF)}
    return forms | {call.text for function in functions for call in function.calls()}


def _no_kernel(circles: Iterable[str], context: Context) -> InputError:
    if circle := next(filter(None, circles), ""):
        return InputError(circle)
    how = "main and functions that print do not count; choose one with --function"
    return InputError(f"no kernel in it: no function with a for loop ({how})", where=context.unit.file)


def _recursion(function: Function, context: Context, around: tuple[str, ...]) -> str:
    """Return the message about a cycle in the call graph below a function, "" if there is none."""
    around = (*around, function.name)
    for node in function.calls():
        if node.text not in context.unit.functions:
            continue
        if context.policy.opens_calls and is_formula(context.unit.functions[node.text]):
            continue  # constant arguments give a constant result
        if node.text in around:
            circle = " -> ".join((*around[around.index(node.text) :], node.text))
            words = "a process network has a fixed number of processes; write it as a loop"
            return f"{node.position}: recursion: {circle}; {words}"
        if found := _recursion(context.unit.functions[node.text], context, around):
            return found
    return ""


def _prints(function: Function) -> bool:
    loops = [node for node in function.walk() if node.kind == "for"]
    return any(inner.kind == "call" and inner.text in _PRINTING for loop in loops for inner in loop.walk())


def inferred(function: Function, context: Context, around: tuple[Function, ...] = ()) -> dict[str, int | CType]:
    """Return what the calls of a kernel tell about its parameters: constant values, and the types of arrays.

    A benchmark's ``main`` calls ``kernel(n, m, A)`` with constants; then the kernel needs no ``--set``. A parameter
    stays unknown if two calls pass different values. If a caller passes its own parameter on, the calls of that caller
    tell the value; ``around`` are the functions that are being followed already. The sizes of arrays in ``main`` are
    those of a testbench, which hardware does not know (R6.26 of hls).
    """
    found: dict[str, list[int | CType | None]] = {}
    around = (*around, function)
    for caller in context.unit.functions.values():
        for call in caller.calls() if caller not in around else ():
            if call.text == function.name:
                scope = entered(caller, Context(context.unit, context.pragmas, context.settings))
                scope.inferred = inferred(caller, context, around)
                for parameter, argument in zip(function.parameters, call.children, strict=False):
                    values = found.setdefault(parameter.name, [])
                    tested = caller.name == "main" and context.policy.own_memories
                    facts = _argument_facts(argument, caller, scope)
                    values += (said := [each for each in facts if not (tested and isinstance(each, CType))])
                    if not said and parameter.type.kind == "integer":
                        values.append(None)  # an unknown value counts as a different value
    agreed = {name: each[0] for name, each in found.items() if each and all(v == each[0] for v in each)}
    return {name: value for name, value in agreed.items() if value is not None}


def _argument_facts(argument: SyntaxNode, caller: Function, scope: Scope) -> list[int | CType]:
    inner = argument.bare
    if inner.type.kind == "array":
        return [inner.type]
    if inner.type.kind == "pointer":
        handed = scope.inferred.get(inner.variable.name) if inner.variable in caller.parameters else None
        return [handed] if isinstance(handed, CType) else _allocated(inner, caller, scope)
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
    """Return the type of the array that a caller has allocated for a pointer, an empty list if it is not known."""
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
