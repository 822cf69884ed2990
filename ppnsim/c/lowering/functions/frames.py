"""Records the meaning of a function's names at the end of its body, because pragmas are read later with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress

from ppnsim.c.lowering.places.bindings import rows
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.affine import stored
from ppnsim.c.lowering.values.constants import Formulas
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.lowering.variables.named import named_constants
from ppnsim.c.pragmas.called import calls_in
from ppnsim.c.syntax import Function, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Frame


def frame_of(function: Function, scope: Scope) -> Frame:
    """Return the meaning of the names of a function at the end of its body."""
    names = {variable.name: "" for variable in (*function.parameters, *_declared(function))}
    seen = {variable: scope.context.globals[variable] for variable in _own_last(scope.context.globals, function)}
    for table in (seen, scope.bindings):
        names |= {variable.name: known.array for variable, known in table.items() if isinstance(known, ArrayPlace)}
    parts = [
        (variable.name, f"{known.array}.{known.path}") for variable, known in scope.bindings.items()
        if isinstance(known, ArrayPlace) and known.path and variable.name in names
    ]  # fmt: skip
    values, place = constants(scope), function.position
    lines = scope.context.pragmas.by_line.within(place.file, place.line, function.end)
    values |= named_constants(lines, values, scope)
    values |= calls_in(lines, values, Formulas(scope.context.unit.functions).result)
    line, column = _place(scope.sites)
    return Frame(
        scope.path, place, function.end, tuple(sorted([*names.items(), *parts])), tuple(sorted(values.items())),
        tuple(scope.dead), rows(scope.bindings), line, _again(function, scope), column,
    )  # fmt: skip


def _again(function: Function, scope: Scope) -> tuple[tuple[str, int, str], ...]:
    """Return the declarations of names that several blocks of a function declare: name, line and array."""
    places = ((each, scope.bindings.get(each)) for each in _declared(function))
    found = [(each.name, each.position.line, at.array) for each, at in places if isinstance(at, ArrayPlace)]
    times = Counter(name for name, _, _ in found)
    return tuple(sorted(each for each in found if times[each[0]] > 1))


def _place(sites: Sequence[str]) -> tuple[int, int]:
    """Return line and column of the innermost call, ``file:line:column name``, zeros without one."""
    found = re.search(r":(\d+):(\d+) ", sites[-1]) if sites else None
    return (int(found[1]), int(found[2])) if found else (0, 0)


def constants(scope: Scope) -> dict[str, int]:
    """Return the names with a known integer value in a function: macros, constants, integer variables."""
    found = {**scope.context.macros, **dict(scope.function.values)}
    known: list[tuple[Variable, ArrayPlace | Value]] = []
    outside = scope.context.constants
    for variable in (*_own_last(scope.context.unit.variables, scope.function), *_declared(scope.function)):
        if variable.type.const and variable.initial is not None and variable.type.kind == "integer":
            if (given := outside.get(variable)) is None:
                with suppress(InputError):
                    given = stored(variable.initial, variable.type, scope)
            if given is not None:
                known.append((variable, given))
                outside |= {variable: given} if variable.scope == "global" else {}
    own = {name for name, _ in scope.function.values}  # values of templates and classes hide outer names
    for variable, value in (*known, *scope.bindings.items()):
        hidden = variable.scope == "global" and variable.name in own
        if isinstance(value, Affine) and value.is_constant and not hidden:
            found[variable.name] = value.constant
    return found


def _own_last(variables: Iterable[Variable], function: Function) -> list[Variable]:
    """Return variables with those of the function's source last, because other sources may reuse their names."""
    return sorted(variables, key=lambda each: each.position.file == function.position.file)


def _declared(function: Function) -> list[Variable]:
    return [node.variable for node in function.walk("declare") if node.variable]
