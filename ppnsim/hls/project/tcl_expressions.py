"""Values of Tcl expressions, as scripts use them in conditions."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ppnsim.errors import InputError
from ppnsim.hls.project.tcl_words import items

_VARIABLE = re.compile(r"\$(?:\{[^}]*\}|(?:::)?\w+(?:::\w+)*(?:\([^)]*\))?)")
_OPERATOR = re.compile(r"&&|\|\||[<>=!]=|(?:eq|ne|in|ni)\b|[-+*/%<>!()?:,]")
_NUMBER = re.compile(r"\s*[-+]?(?:0[xX][\da-fA-F]+|\d+)\s*")
_BARE = re.compile(r"[\w.]+")
_CALL = re.compile(r"([a-z]+\d*)\s*(?=\()")


_Text = Callable[[], str]
"""A value that is computed on demand: a part of ``a && b``, ``a || b`` or ``a ? b : c`` may not be needed."""


@dataclass(frozen=True, slots=True)
class _Value:
    text: _Text


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of numbers, before its arguments."""

    of: Callable[..., float]


_Token = _Value | _Function | str
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "int": int, "entier": int, "wide": int, "double": float, "abs": abs, "round": lambda a: math.floor(a + 0.5),
    "floor": lambda a: float(math.floor(a)), "ceil": lambda a: float(math.ceil(a)), "min": min, "max": max,
    "pow": lambda a, b: a**b, "sqrt": math.sqrt, "fmod": math.fmod, "log": math.log, "log10": math.log10,
}  # fmt: skip
_LAZY: dict[str, Callable[[_Text, _Text], object]] = {
    "||": lambda a, b: truth(a()) or truth(b()), "&&": lambda a, b: truth(a()) and truth(b()),
}  # fmt: skip
_LEVELS: tuple[dict[str, Callable[[str, str], object]], ...] = (
    {"in": lambda a, b: a in items(b, ""), "ni": lambda a, b: a not in items(b, "")},
    {"eq": operator.eq, "ne": operator.ne},
    {"==": lambda a, b: _same(a, b), "!=": lambda a, b: not _same(a, b)},
    {
        "<": lambda a, b: _number(a) < _number(b), ">": lambda a, b: _number(a) > _number(b),
        "<=": lambda a, b: _number(a) <= _number(b), ">=": lambda a, b: _number(a) >= _number(b),
    },
    {"+": lambda a, b: _number(a) + _number(b), "-": lambda a, b: _number(a) - _number(b)},
    {
        "*": lambda a, b: _number(a) * _number(b), "/": lambda a, b: _divided(a, b),
        "%": lambda a, b: _number(a) % _number(b),
    },
)  # fmt: skip


def value(text: str, where: str, replaced: Callable[[str], str] = str) -> str:
    """Return the value of an expression; ``replaced`` gives the values of variables, commands and quoted strings.

    Raises
    ------
    InputError
        If it is not an expression.

    Examples
    --------
    >>> value('"csim" == "csim" && (2 + 3 * 2 > 7)', "x.tcl:1"), value("10 / 4", "x.tcl:1"), value("$a ne {}", "", len)
    ('1', '2', '1')
    >>> value("max(int(7.9), 2) + 1", "x.tcl:1")
    '8'
    """
    try:
        meant, rest = _chosen(_tokens(text, replaced))
        found = "" if rest else meant()
    except (ValueError, IndexError, ZeroDivisionError):
        rest = [text]
    if rest:
        raise InputError(f"'{text.strip()}' is not an expression that is understood here", where=where)
    return found


def truth(text: str) -> bool:
    """Return whether a value is true in Tcl."""
    if text.strip().lower() in ("true", "yes", "on"):
        return True
    if text.strip().lower() in ("false", "no", "off"):
        return False
    return bool(_number(text))


def _tokens(text: str, replaced: Callable[[str], str]) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char.isspace():
            at += 1
        elif char in '["{':
            end = _closed(text, at)
            part = text[at : end + 1]
            inside = part if char == "[" else part[1:-1]
            found.append(_Value(partial(str, inside) if char == "{" else partial(replaced, inside)))
            at = end + 1
        elif match := _VARIABLE.match(text, at):
            found.append(_Value(partial(replaced, match[0])))
            at = match.end()
        elif match := _OPERATOR.match(text, at):
            found.append(match[0])
            at = match.end()
        elif (match := _CALL.match(text, at)) and match[1] in _FUNCTIONS:
            found.append(_Function(_FUNCTIONS[match[1]]))
            at = match.end()
        elif match := _BARE.match(text, at):
            found.append(_Value(partial(str, match[0])))
            at = match.end()
        else:
            raise ValueError
    return found


def _closed(text: str, start: int) -> int:
    """Return the position where a bracket, a brace or a quote that opens here is closed."""
    if text[start] == '"':
        return text.index('"', start + 1)
    close, depth = {"[": "]", "{": "}"}[text[start]], 0
    for at in range(start, len(text)):
        depth += (text[at] == text[start]) - (text[at] == close)
        if not depth:
            return at
    raise ValueError


def _chosen(tokens: Sequence[_Token]) -> tuple[_Text, Sequence[_Token]]:
    condition, rest = _either(tokens, ("||", "&&"))
    if rest[:1] != ["?"]:
        return condition, rest
    yes, rest = _chosen(rest[1:])
    if rest[:1] != [":"]:
        raise ValueError
    no, rest = _chosen(rest[1:])
    return lambda: yes() if truth(condition()) else no(), rest


def _either(tokens: Sequence[_Token], names: Sequence[str]) -> tuple[_Text, Sequence[_Token]]:
    if not names:
        return _level(0, tokens)
    left, rest = _either(tokens, names[1:])
    while rest[:1] == [names[0]]:
        right, rest = _either(rest[1:], names[1:])
        left = partial(_lazily, names[0], left, right)
    return left, rest


def _lazily(name: str, left: _Text, right: _Text) -> str:
    return _written(_LAZY[name](left, right))


def _level(number: int, tokens: Sequence[_Token]) -> tuple[_Text, Sequence[_Token]]:
    if number == len(_LEVELS):
        return _unary(tokens)
    left, rest = _level(number + 1, tokens)
    while rest and isinstance(rest[0], str) and rest[0] in _LEVELS[number]:
        right, after = _level(number + 1, rest[1:])
        left, rest = partial(_worked_out, _LEVELS[number][rest[0]], left, right), after
    return left, rest


def _worked_out(of: Callable[[str, str], object], left: _Text, right: _Text) -> str:
    return _written(of(left(), right()))


def _unary(tokens: Sequence[_Token]) -> tuple[_Text, Sequence[_Token]]:
    first = tokens[0]
    if isinstance(first, _Value):
        return first.text, tokens[1:]
    if isinstance(first, _Function):
        return _call(first, tokens[1:])
    if first in ("!", "-", "+"):
        found, rest = _unary(tokens[1:])
        if first == "!":
            return lambda: _written(not truth(found())), rest
        return lambda: _written(_number(found()) * (-1 if first == "-" else 1)), rest
    if first != "(":
        raise ValueError
    found, rest = _chosen(tokens[1:])
    if rest[:1] != [")"]:
        raise ValueError
    return found, rest[1:]


def _call(function: _Function, tokens: Sequence[_Token]) -> tuple[_Text, Sequence[_Token]]:
    given: list[_Text] = []
    while tokens[0] != ")":  # the first token is the opening bracket, the others are commas
        one, tokens = _chosen(tokens[1:])
        given.append(one)
    return lambda: _written(function.of(*(_number(each()) for each in given))), tokens[1:]


def _number(text: str) -> float:
    return int(text, 0 if "x" in text.lower() else 10) if _NUMBER.fullmatch(text) else float(text)


def _same(left: str, right: str) -> bool:
    try:
        return _number(left) == _number(right)
    except ValueError:
        return left == right


def _divided(left: str, right: str) -> float:
    a, b = _number(left), _number(right)
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b


def _written(found: object) -> str:
    return str(int(found)) if isinstance(found, bool) else str(found)
