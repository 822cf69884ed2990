"""Directives of an executed source: those that apply, with numbers in place of macros, and their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import LOOPS
from ppnsim.c.pragmas.numbers import holds, macro_values, no_number, number
from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas
from ppnsim.c.syntax import SyntaxNode, TranslationUnit, refuse
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Scope
from ppnsim.hls.pragmas.labels import labels
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.loops.program import Loop, Position

_COUNTS = frozenset(("ii", "depth", "factor", "dim", "min", "max"))


def pragmas_in(unit: TranslationUnit, defines: Mapping[str, str]) -> list[PragmaLine]:
    """Return the pragmas that preprocessor conditions keep, with numbers in place of macros and constants."""
    constants = {
        each.name: each.initial.value for each in unit.variables
        if each.type.const and each.initial is not None and each.initial.value is not None
    }  # fmt: skip
    macros, found = constants | macro_values(unit.active, defines), []
    for file, text in sorted(unit.active.items()):
        for pragma in hls_pragmas(file, text):
            around = [f.values for f in unit.functions.values() if f.body is not None and inside(pragma, f.body)]
            values = {**macros, **{name: value for each in around for name, value in each}}
            if holds(pragma, values):
                clauses = tuple((name, _constant(name, words, values)) for name, words in pragma.clauses)
                found.append(replace(pragma, clauses=clauses))
    return found


def placed_in(unit: TranslationUnit, placed: Sequence[PlacedDirective]) -> list[PragmaLine]:
    """Return the directives of a project's script as pragmas at the functions and labelled loops that they name.

    Raises
    ------
    InputError
        If there is no such function or label.
    """
    found = []
    for each in placed:
        (pragma,) = hls_pragmas(unit.file, f"#pragma HLS {each.text}")
        bodies = [f.body for name, f in unit.functions.items() if each.function in (name, name.rpartition("::")[2])]
        loops = [node for body in bodies if body is not None for node in body.walk() if node.kind in LOOPS]
        named = labels(unit.sources, [Loop(iterator="", first=(), last=(), position=node.position) for node in loops])
        places = [node.position for node in loops if named.get(_scope(node.position)) == each.label]
        if not each.label:
            places = [body.position for body in bodies if body is not None]
        if not places:
            kind = "label" if each.label and loops else "function"
            raise InputError(
                f"{pragma.name}: no {kind} '{each.label or each.function}' in {unit.file}", where=each.where
            )
        found += [replace(pragma, position=place) for place in places[:1]]
    return found


def _scope(place: Position) -> Scope:
    return place.file, place.line, place.column


def _constant(clause: str, text: str, values: Mapping[str, int]) -> str:
    """Return the text of a clause, as a plain number if the clause is a count and the text is a constant."""
    value = number(text, values) if clause in _COUNTS else None
    return text if value is None else str(value)


def inside(pragma: PragmaLine, node: SyntaxNode) -> bool:
    """Return whether a pragma is inside a statement."""
    return pragma.position.file == node.position.file and node.position.line <= pragma.position.line <= node.end


def count(pragma: PragmaLine, clause: str) -> int | None:
    """Return the integer of a clause, None without the clause; refuse anything but an integer from 1 on."""
    text = dict(pragma.clauses).get(clause)
    if text is not None and (not text.isdecimal() or not int(text)):
        refuse(pragma.position, no_number(clause, text, 1, {}))
    return None if text is None else int(text)
