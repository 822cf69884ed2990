"""Finds the interface directives that callers of a function give to its array arguments: buses, partitions (R6.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.pragmas.numbers import number
from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit, Variable

_MEMORIES = {"array_partition": "variable", "array_reshape": "variable", "interface": "port"}
"""Directives that describe the memory of an array, with the clause that names the array."""
_NUMBERS = frozenset(("factor", "dim", "latency", "num_read_outstanding", "num_write_outstanding",
    "max_read_burst_length", "max_write_burst_length"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Handed:
    """A directive that the callers of a function have for the array that is its parameter ``name``."""

    name: str
    text: str
    caller: str


def handed(function: Function, unit: TranslationUnit, macros: Mapping[str, int]) -> tuple[Handed, ...]:
    """Return the callers' directives for the arrays of a function, unless two calls have different directives.

    A function that another one calls is a module of that design: its arrays are the memories and buses of its caller. A
    parameter with its own interface directive belongs to a kernel, whose callers are a testbench.
    """
    pragmas = [each for file, text in sorted(unit.active.items()) for each in hls_pragmas(file, text)]
    found = []
    for place, parameter in enumerate(function.parameters):
        if parameter.type.kind not in ("array", "pointer") or _directives(function, parameter, pragmas, "interface"):
            continue
        said = _of_callers(function, place, unit, pragmas, (function,))
        if said is not None:
            caller, directives = said
            texts = [_text(each, parameter.name, macros) for each in directives]
            found += [Handed(parameter.name, text, caller) for text in texts if text]
    return tuple(found)


def _of_callers(
    function: Function, place: int, unit: TranslationUnit, pragmas: Sequence[PragmaLine], around: tuple[Function, ...]
) -> tuple[str, list[PragmaLine]] | None:
    """Return the directives for an argument on which all calls agree, with one of the callers."""
    found = [
        (caller.name, _of_argument(caller, call.children[place], unit, pragmas, around))
        for caller in unit.functions.values()
        if caller not in around and caller.name != "main"
        for call in caller.calls()
        if call.text == function.name and place < len(call.children)
    ]
    words = {tuple((each.name, _without_name(each)) for each in directives) for _, directives in found}
    return found[0] if len(words) == 1 else None


def _of_argument(
    caller: Function, argument: SyntaxNode, unit: TranslationUnit, pragmas: Sequence[PragmaLine],
    around: tuple[Function, ...],
) -> list[PragmaLine]:  # fmt: skip
    """Return the directives of an argument; for a part of an array, only those that tell its bus."""
    whole, variable = _array(argument)
    if variable is None:
        return []
    found = [each for name in _MEMORIES for each in _directives(caller, variable, pragmas, name)]
    if variable in caller.parameters and not any(each.name == "interface" for each in found):
        above = _of_callers(caller, caller.parameters.index(variable), unit, pragmas, (*around, caller))
        found += above[1] if above is not None else []
    return [each for each in found if each.name == "interface" or whole]


def _array(argument: SyntaxNode) -> tuple[bool, Variable | None]:
    """Return whether an argument is a whole array, and the array; ``a + i``, ``&a[i]`` and ``a[i]`` are parts."""
    node, whole = argument.bare, True
    while node.kind in ("index", "unary", "binary") and node.children:
        if node.kind == "binary" and (node.text not in ("+", "-") or node.type.kind != "pointer"):
            break
        node, whole = node.children[0].bare, False
    known = node.kind == "name" and node.variable is not None and node.variable.type.kind in ("array", "pointer")
    return whole, node.variable if known else None


def _directives(function: Function, variable: Variable, pragmas: Sequence[PragmaLine], name: str) -> list[PragmaLine]:
    """Return the directives of one kind that a function has for one of its arrays."""
    return list(_in_function(function, variable.name, pragmas, name))


def _in_function(function: Function, variable: str, pragmas: Sequence[PragmaLine], name: str) -> Iterator[PragmaLine]:
    for each in pragmas:
        file, line = each.position.file, each.position.line
        inside = file == function.position.file and function.position.line <= line <= function.end
        said = dict(each.clauses).get(_MEMORIES[name], "").removeprefix("&")
        if inside and each.name == name and not each.condition and said == variable:
            yield each


def _without_name(directive: PragmaLine) -> tuple[tuple[str, str], ...]:
    return tuple(each for each in directive.clauses if each[0] != _MEMORIES[directive.name])


def _text(directive: PragmaLine, name: str, macros: Mapping[str, int]) -> str:
    """Return a directive for a parameter; "" if a number in it is not known, or an interface is not a bus."""
    if directive.name == "interface" and not directive.bus:
        return ""
    words = [directive.name, f"{_MEMORIES[directive.name]}={name}"]
    for clause, value in _without_name(directive):
        if clause in _NUMBERS:
            found = number(value, macros)
            if found is None:
                return ""
            words.append(f"{clause}={found}")
        elif clause not in ("offset", "depth", "register"):
            words.append(f"{clause}={value}" if value else clause)
    return " ".join(words)
