"""Finds the function of a file with a given name, explains why there is none, and finds named top functions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ppnsim.c.lowering.scope import Context
from ppnsim.c.pragmas.macros import stands_for
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.suffixes import HEADERS
from ppnsim.c.syntax import Function, TranslationUnit
from ppnsim.errors import InputError

_SHOWN = 8  # most instances of a template that a message lists


def called_so(name: str, bodies: list[Function], context: Context) -> list[Function]:
    """Return the function of a name: its overload with a body, or the function that a macro of the name stands for.

    Of several overloads with a body, the one that calls the others is returned; a name with parameters selects one:
    ``f(int *, int)``. Of several template instances, the one that no other instance calls is returned; template
    arguments select one: ``f<8>``.

    Raises
    ------
    InputError
        If several functions with a body, or instances of a template, have the name, and none calls all others.
    """
    if "<" in name.partition("(")[0]:
        return [f for f in bodies if _squeezed(name) == _squeezed(f.instance)][:1]
    plain, _, parameters = name.partition("(")
    found = _named(plain, bodies, context)
    if parameters:
        return [f for f in found if _squeezed(_signature(f, plain)) == _squeezed(name)]
    found = _of_overloads(found, name)
    if found and found[0].instance.startswith(f"{name}<"):
        return [_outermost(found[0], bodies)]
    if not found and (alias := stands_for(name, context.unit.active)):
        found = [f for f in bodies if f.name == alias]
    return found


def _named(name: str, bodies: list[Function], context: Context) -> list[Function]:
    """Return the functions with a body of a name in the source; for a template, its first instance."""
    found = [f for f in bodies if f.name == name]
    if found or name in context.unit.functions:  # a header may declare another function of this name
        numbered = [f for f in bodies if re.fullmatch(rf"{re.escape(name)}_\d+", f.name)]
        places = {f.position for f in found}
        found += [f for f in numbered if f.position not in places and not _is_spelt_so(f, context.unit)]
    return found


def _of_overloads(found: list[Function], name: str) -> list[Function]:
    """Return the overload that calls the others; raise `InputError` for several at different positions.

    Functions of a source take precedence over those of headers, because the top of a project is in one of its sources.
    """
    found = [f for f in found if not f.position.file.endswith(HEADERS)] or found
    called = {call.text for f in found for call in f.calls()}
    outer = [f for f in found if f.name not in called]
    if len(outer) == 1:
        return outer
    if len({f.position for f in found}) > 1:
        listed = " and ".join(f"'{_signature(f, name)}' in line {f.position.line}" for f in found)
        words = f"several functions '{name}' have a body: {listed}; name one with its parameters"
        raise InputError(f"{words}: --function '{_signature(found[0], name)}'", where=str(found[0].position))
    return found


def _outermost(first: Function, bodies: list[Function]) -> Function:
    """Return the instance of a template that no other instance calls."""
    same = {f.instance: f for f in reversed(bodies) if f.instance and f.position == first.position}
    called = {call.text for f in same.values() for call in f.calls() if call.text != f.name}
    outer = [f for f in same.values() if f.name not in called]
    if len(outer) != 1:
        names = sorted(same)
        listed = ", ".join(f"'{each}'" for each in names[:_SHOWN]) + (", .." if len(names) > _SHOWN else "")
        words = f"the template '{first.name}' has {len(names)} instances: {listed}; name one with its arguments"
        raise InputError(f"{words}: --function '{names[0]}'", where=str(first.position))
    return outer[0]


def _signature(function: Function, name: str) -> str:
    """Return the signature of a function as C declares it, with an object as its first parameter."""
    return f"{name}({', '.join(each.type.text for each in function.parameters)})"


def _squeezed(signature: str) -> str:
    return re.sub(r"\s", "", signature)


def _is_spelt_so(function: Function, unit: TranslationUnit) -> bool:
    """Return whether the source itself spells a name ``f_2``; otherwise the number is that of an overload."""
    at = function.position
    lines = unit.sources.get(at.file, "").splitlines()[at.line - 1 : at.line]
    return any(re.match(rf"{re.escape(function.name)}\b", line[at.column - 1 :]) for line in lines)


def left_out(name: str, unit: TranslationUnit) -> str:
    """Return the position and condition of an ``#if`` that leaves a function out; "" if there is none."""
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
    """Return the kernels that contain ``#pragma HLS top``, or that such a pragma outside of functions names."""
    tops = [each for each in directives if each.name == "top"]

    def holds(function: Function, each: PragmaLine) -> bool:
        at = function.position
        return at.file == each.position.file and at.line <= each.position.line <= function.end

    bodies = [each for each in unit.functions.values() if each.body is not None]
    outside = [each for each in tops if not any(holds(function, each) for function in bodies)]
    named = {dict(each.clauses).get("name") for each in outside}
    return frozenset(each.name for each in kernels if each.name in named or any(holds(each, top) for top in tops))
