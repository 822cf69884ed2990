"""Which function of a file has a name, and why none has; which ones directives name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ppnsim.c.lowering.scope import Context
from ppnsim.c.pragmas.macros import stands_for
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import Function, TranslationUnit


def called_so(name: str, bodies: list[Function], context: Context) -> list[Function]:
    """Return the function of a name: its overload with a body, or the one that a macro of the name stands for."""
    found = [f for f in bodies if f.name == name]
    if not found and name in context.unit.functions:  # a header declares another one of the name
        numbered = [f for f in bodies if re.fullmatch(rf"{re.escape(name)}_\d+", f.name)]
        overloads = [f for f in numbered if not _is_spelt_so(f, context.unit)]
        found = overloads if len(overloads) == 1 else []
    if not found and (alias := stands_for(name, context.unit.active)):
        found = [f for f in bodies if f.name == alias]
    return found


def _is_spelt_so(function: Function, unit: TranslationUnit) -> bool:
    """Return whether the source itself calls a function ``f_2``: it is no overload then, which gets its number here."""
    at = function.position
    lines = unit.sources.get(at.file, "").splitlines()[at.line - 1 : at.line]
    return any(re.match(rf"{re.escape(function.name)}\b", line[at.column - 1 :]) for line in lines)


def left_out(name: str, unit: TranslationUnit) -> str:
    """Return where an ``#if`` leaves a function out, with its condition; "" where none does."""
    for file, ranges in unit.left_out.items():
        lines = unit.sources[file].splitlines()
        for first, last in ranges:
            if re.search(rf"^[\w \t*&:<>,]*\b{re.escape(name)}[ \t]*\(", "\n".join(lines[first:last]), re.MULTILINE):
                words = f"'{lines[first - 1].strip()}' in line {first} leaves it out"
                return f": {words}; name another function, or change the condition with -D"
    return ""


def named_tops(
    unit: TranslationUnit, directives: Iterable[PragmaLine], kernels: Iterable[Function]
) -> frozenset[str]:  # fmt: skip
    """Return the kernels that ``#pragma HLS top`` stands in, or names outside of functions."""
    tops = [each for each in directives if each.name == "top"]

    def holds(function: Function, each: PragmaLine) -> bool:
        at = function.position
        return at.file == each.position.file and at.line <= each.position.line <= function.end

    bodies = [each for each in unit.functions.values() if each.body is not None]
    outside = [each for each in tops if not any(holds(function, each) for function in bodies)]
    named = {dict(each.clauses).get("name") for each in outside}
    return frozenset(each.name for each in kernels if each.name in named or any(holds(each, top) for top in tops))
