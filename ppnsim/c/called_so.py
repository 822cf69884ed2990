"""Which function of a file has a name."""

from __future__ import annotations

import re

from ppnsim.c.lowering.scope import Context
from ppnsim.c.pragmas.macros import stands_for
from ppnsim.c.syntax import Function


def called_so(name: str, bodies: list[Function], context: Context) -> list[Function]:
    """Return the function of a name: its overload with a body, or the one that a macro of the name stands for."""
    found = [f for f in bodies if f.name == name]
    if not found and name in context.unit.functions:  # a header declares another one of the name
        overloads = [f for f in bodies if re.fullmatch(rf"{re.escape(name)}_\d+", f.name)]
        found = overloads if len(overloads) == 1 else []
    if not found and (alias := stands_for(name, context.unit.active)):
        found = [f for f in bodies if f.name == alias]
    return found
