"""The door of the front-end: a C file in, its loop programs out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ppnsim.affine.program import Array, LoopProgram
from ppnsim.affine.program import Node as Lowered
from ppnsim.errors import InputError
from ppnsim.frontend.c_parser import parse
from ppnsim.frontend.inline import entered, timing_of
from ppnsim.frontend.kernels import chosen, inferred, scops
from ppnsim.frontend.lower import block
from ppnsim.frontend.pragmas import Pragmas, Timing
from ppnsim.frontend.scope import Context, Place, Scope
from ppnsim.frontend.syntax import Function, Node
from ppnsim.frontend.uses import written

_NONE: Mapping[str, str] = MappingProxyType({})
_NO_SETTINGS: Mapping[str, int] = MappingProxyType({})


_SUFFIXES = (".c", ".h", ".cc", ".cpp", ".cxx", ".C", ".hh", ".hpp")


def load_programs(
    path: str, *, function: str | None = None, defines: Mapping[str, str] = _NONE, include: Sequence[str] = (),
    settings: Mapping[str, int] = _NO_SETTINGS,
) -> list[LoopProgram]:  # fmt: skip
    """Return the loop programs of the kernels of a C or C++ file, in the order of the file.

    Kernels are the functions marked with ``#pragma ppnsim kernel``; else those that hold a ``#pragma scop``; else all
    with loops that no other kernel calls, ``main`` and printing code left out.

    Parameters
    ----------
    path : the file.
    function : the only function to look at.
    defines : macros, as with ``-D``.
    include : folders to look for headers in.
    settings : values of integer parameters and global variables.

    Raises
    ------
    InputError
        With file, line, column, the expression and the reason, if it is no C, no affine program, or has no kernel.
    """
    _check_name(path)
    unit = parse(path, defines, include)
    pragmas = Pragmas(unit.sources)
    changed = frozenset(v for f in unit.functions.values() for v in written(f) if v.scope == "global")
    try:
        kernels = chosen(Context(unit, pragmas, settings), function)
        return [_program(kernel, Context(unit, pragmas, settings, changed_globals=changed)) for kernel in kernels]
    except RecursionError:
        raise InputError("nested too deeply to be read", where=path) from None


def _check_name(path: str) -> None:
    """Refuse what clang would take for something else than a C or C++ source."""
    if Path(path).suffix not in _SUFFIXES or path.startswith("-"):
        raise InputError(f"is no name of a C or C++ source (suffixes: {', '.join(_SUFFIXES)})", where=path)
    if not path.isprintable():
        raise InputError("has a name that is no text", where=path.encode(errors="backslashreplace").decode())
    if Path(path).is_dir():
        raise InputError("is a directory, not a file", where=path)


def _program(kernel: Function, context: Context) -> LoopProgram:
    scope = entered(kernel, context)
    scope.inferred = inferred(kernel, context)
    timing = timing_of(kernel, scope, Timing())
    assert kernel.body is not None
    body: list[Lowered] = []
    regions = scops(kernel, context)
    if not regions:
        body += block(kernel.body.children, scope, timing, kernel.body.position.line)
    for first, last in regions:
        _declare(kernel.body, scope, first)
        body += block(_within(kernel.body, first, last), scope, timing, first)
    arrays = _ordered(kernel, scope, context.arrays)
    return LoopProgram(name=kernel.name, arrays=arrays, body=tuple(body), file=context.unit.file)


def _declare(node: Node, scope: Scope, line: int) -> None:
    """Bind the integers that are declared before a scop; what it computes is none of the scop's work."""
    for inner in node.walk():
        if inner.kind == "declare" and inner.position.line < line and inner.variable in scope.steering:
            block([inner], scope, Timing(), line)


def _within(node: Node, first: int, last: int) -> list[Node]:
    """Return the outermost statements between two lines."""
    found = []
    for child in node.children:
        if first < child.position.line and child.end < last:
            found.append(child)
        elif child.position.line < first and child.end > last:
            found += _within(child, first, last)
    return found


def _ordered(kernel: Function, scope: Scope, arrays: Mapping[str, Array]) -> tuple[Array, ...]:
    """Return the arrays: parameters in their order, then all others in the order of their first use."""
    first: list[str] = []
    for parameter in kernel.parameters:
        bound = scope.bindings.get(parameter)
        if isinstance(bound, Place) and bound.array in arrays:
            first.append(bound.array)
    return tuple(arrays[name] for name in first) + tuple(a for name, a in arrays.items() if name not in first)
