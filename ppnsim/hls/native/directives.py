"""The directives of a source that is executed: those that hold, numbers in place of macros, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas, holds, macro_values, number
from ppnsim.c.syntax import SyntaxNode, TranslationUnit, refuse

_COUNTS = frozenset(("ii", "depth", "factor", "dim", "min", "max"))


def pragmas_in(unit: TranslationUnit, defines: Mapping[str, str]) -> list[PragmaLine]:
    """Return the pragmas of all sources whose conditions hold, with the values of macros in numbers."""
    macros, found = macro_values(unit.sources, defines), []
    for file, text in sorted(unit.sources.items()):
        for pragma in hls_pragmas(file, text):
            around = [f.values for f in unit.functions.values() if f.body is not None and inside(pragma, f.body)]
            values = {**macros, **{name: value for each in around for name, value in each}}
            if holds(pragma, values):
                clauses = tuple((name, _constant(name, words, values)) for name, words in pragma.clauses)
                found.append(replace(pragma, clauses=clauses))
    return found


def _constant(clause: str, text: str, values: Mapping[str, int]) -> str:
    """Return the text of a clause, as a plain number if it counts something and is one."""
    value = number(text, values) if clause in _COUNTS else None
    return text if value is None else str(value)


def inside(pragma: PragmaLine, node: SyntaxNode) -> bool:
    """Return whether a pragma stands in a statement."""
    return pragma.position.file == node.position.file and node.position.line <= pragma.position.line <= node.end


def count(pragma: PragmaLine, clause: str) -> int | None:
    """Return the whole number of a clause, None without the clause; refuse what is not a number from 1 on."""
    text = dict(pragma.clauses).get(clause)
    if text is not None and (not text.isdecimal() or not int(text)):
        refuse(pragma.position, f"{clause} = {text or 'nothing'} is not a whole number from 1 on")
    return None if text is None else int(text)
