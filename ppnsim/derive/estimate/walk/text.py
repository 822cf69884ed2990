"""Affine expressions and conditions as Python source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Quotient


def affine_text(expression: Affine, names: Mapping[str, str], number: Callable[[int], str]) -> str:
    """Return an expression with its iterators renamed; ``number`` writes a constant.

    Examples
    --------
    >>> affine_text((Affine.of("i") + 1) // 2 * 3 + 7, {"i": "v0"}, str)
    '3 * ((v0 + 1) // 2) + 7'
    """
    parts = []
    for atom, coefficient in expression.terms:
        if isinstance(atom, str):
            if atom not in names:
                raise InputError(f"'{atom}' in '{expression}' is neither an iterator around it nor a bound parameter")
            text = names[atom]
        else:
            sign = "//" if isinstance(atom, Quotient) else "%"
            text = f"({_bracketed(affine_text(atom.of, names, number))} {sign} {atom.by})"
        parts.append(text if coefficient == 1 else f"{coefficient} * {text}")
    if expression.constant or not parts:
        parts.append(number(expression.constant))
    return " + ".join(parts)


def condition_text(condition: Condition, names: Mapping[str, str], number: Callable[[int], str]) -> str:
    """Return a condition with its iterators renamed.

    Examples
    --------
    >>> i = Affine.of("i")
    >>> condition_text(All((Compare(i - 1), Not(Compare(i % 2, "=")))), {"i": "v0"}, str)
    '(v0 + -1 >= 0) and (not ((v0 % 2) == 0))'
    """
    if isinstance(condition, Compare):
        sign = "==" if condition.relation == "=" else ">="
        return f"{affine_text(condition.left, names, number)} {sign} 0"
    if isinstance(condition, Not):
        return f"not ({condition_text(condition.part, names, number)})"
    word, empty = ("and", "True") if isinstance(condition, All) else ("or", "False")
    return f" {word} ".join(f"({condition_text(part, names, number)})" for part in condition.parts) or empty


def when(condition: str, lines: list[str]) -> list[str]:
    """Return lines under a condition; nothing for no lines."""
    return [f"if {condition}:", *indented(lines)] if lines else []


def indented(lines: Sequence[str]) -> list[str]:
    """Return lines one level deeper."""
    return ["    " + line for line in lines]


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text else text
