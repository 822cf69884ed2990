"""Finds the values of integers that the directives in a function name and that no statement assigns again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import stored
from ppnsim.c.lowering.variables.uses import written
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine


def named_constants(lines: Sequence[PragmaLine], known: Mapping[str, int], scope: Scope) -> dict[str, int]:
    """Return the integers that directives name and that keep the constant value of their declaration."""
    named = {word for line in lines for _, text in line.clauses for word in re.findall(r"[A-Za-z_]\w*", text)}
    found: dict[str, int] = {}
    for node in scope.function.walk("declare") if named - known.keys() else ():
        variable = node.variable if node.children else None
        if variable is None or variable.type.kind != "integer" or variable.name not in named - known.keys():
            continue
        with suppress(InputError):
            value = stored(node.children[0], variable.type, scope)
            if variable not in written(scope.function) and isinstance(value, Affine) and value.is_constant:
                found[variable.name] = value.constant
    return found
