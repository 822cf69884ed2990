"""Finds the kernels of a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ppnsim.c.lowering.scope import Context
from ppnsim.c.lowering.variables.uses import has_loop, is_kernel
from ppnsim.c.syntax import Function
from ppnsim.errors import InputError, did_you_mean

_PRINTING = ("printf", "fprintf", "puts", "putchar", "fputs")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A function that is left out although it has loops, with the reason."""

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
    bodies = [f for f in context.unit.functions.values() if f.body is not None]
    if function is not None:
        found = [f for f in bodies if f.name == function]
        if not found:
            message = f"no function '{function}' with a body{did_you_mean(function, [f.name for f in bodies])}"
            raise InputError(message, where=context.unit.file)
        return Chosen(found, [], asked=True)
    marked = [f for f in bodies if _marked(f, bodies, context)]
    marked = marked or [f for f in bodies if scops(f, context)]
    return Chosen(marked, [], asked=True) if marked else _unmarked(bodies, context)


def scops(function: Function, context: Context) -> list[tuple[int, int]]:
    """Return the lines of the ``#pragma scop`` regions in a function."""
    return context.pragmas.scops(function.position.file, function.position.line, function.end)


def _marked(function: Function, bodies: list[Function], context: Context) -> bool:
    file, line = function.position.file, function.position.line
    before = [f.end for f in bodies if f.position.file == file and f.position.line < line]
    return context.pragmas.marks_kernel(file, max(before, default=0), line)


def _unmarked(bodies: list[Function], context: Context) -> Chosen:
    circles = {f.name: _circle(f, context, ()) for f in bodies}
    candidates = _candidates(bodies, context)
    straight = [f for f in candidates if not circles[f.name]]
    kernels = [f for f in straight if f.name != "main" and not _prints(f)]
    kernels = kernels or straight  # then the work and what is around it are in one function
    called = _called(kernels)
    result = [f for f in kernels if f.name not in called]
    if not result:
        raise _no_kernel(circles.values(), context)
    skipped = [Skipped(f.name, circles[f.name]) for f in candidates if circles[f.name]]
    skipped += [Skipped(f.name, _around(f)) for f in straight if f not in kernels]
    return Chosen(result, skipped, asked=False)


def _candidates(bodies: list[Function], context: Context) -> list[Function]:
    """Return the functions with loops over arrays; a reader that opens calls also takes programs without loops."""
    found = [f for f in bodies if has_loop(f) or is_kernel(f, context.unit.functions)]
    if found or not context.policy.opens_calls:
        return found
    called = _called(bodies)
    return [f for f in bodies if f.name not in called and f.name != "main"]


def _called(functions: Iterable[Function]) -> set[str]:
    return {call.text for function in functions for call in function.calls()}


def _no_kernel(circles: Iterable[str], context: Context) -> InputError:
    if circle := next(filter(None, circles), ""):
        return InputError(circle)
    message = (
        "no kernel in it: no function with a for loop (main and functions that print do not count; "
        "choose one with --function)"
    )
    return InputError(message, where=context.unit.file)


def _around(function: Function) -> str:
    why = "prints in a loop" if _prints(function) else "is the main program around the kernels"
    return f"{function.position}: '{function.name}' {why}; choose it with --function"


def _circle(function: Function, context: Context, around: tuple[str, ...]) -> str:
    """Return the message about a circle of calls below a function, "" if there is none."""
    around = (*around, function.name)
    for node in function.calls():
        if node.text not in context.unit.functions:
            continue
        if node.text in around:
            circle = " -> ".join((*around[around.index(node.text) :], node.text))
            return f"{node.position}: recursion: {circle}; a process network has a fixed number of processes"
        if found := _circle(context.unit.functions[node.text], context, around):
            return found
    return ""


def _prints(function: Function) -> bool:
    loops = [node for node in function.walk() if node.kind == "for"]
    return any(inner.kind == "call" and inner.text in _PRINTING for loop in loops for inner in loop.walk())
