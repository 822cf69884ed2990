"""The meaning of the names in a function at the end of its body, with which pragmas are read later."""

from __future__ import annotations

from contextlib import suppress

from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.affine import read
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.syntax import Function, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Frame


def frame_of(function: Function, scope: Scope) -> Frame:
    """Return the meaning of the names of a function at the end of its body."""
    names = {variable.name: "" for variable in (*function.parameters, *_declared(function))}
    for table in (scope.context.globals, scope.bindings):
        names |= {variable.name: known.array for variable, known in table.items() if isinstance(known, ArrayPlace)}
    return Frame(
        scope.path, function.position, function.end, tuple(sorted(names.items())),
        tuple(sorted(constants(scope).items())),
    )  # fmt: skip


def constants(scope: Scope) -> dict[str, int]:
    """Return the names that stand for whole numbers in a function: macros, constants, integers with a known value."""
    found = {**scope.context.macros, **dict(scope.function.values)}
    for variable in (*scope.context.unit.variables, *_declared(scope.function)):
        if variable.type.const and variable.initial is not None and variable.type.kind == "integer":
            with suppress(InputError):
                _note(found, variable, read(variable.initial, scope))
    for variable, known in scope.bindings.items():
        _note(found, variable, known)
    return found


def _note(found: dict[str, int], variable: Variable, known: ArrayPlace | Value) -> None:
    if isinstance(known, Affine) and known.is_constant:
        found[variable.name] = known.constant


def _declared(function: Function) -> list[Variable]:
    return [node.variable for node in function.walk() if node.kind == "declare" and node.variable]
