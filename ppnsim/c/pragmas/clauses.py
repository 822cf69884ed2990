"""Splits pragmas into clauses: their condition, their names and values, the variables that they name."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\s*(\"[^\"]*\"|&?(?:this->)?\w[\w.]*(?:::\w+)*(?:\[\w+\])*|<<|>>|[-+*/%()=,]|\S)")
_NAMING = ("variable", "port")
_JOINS = frozenset(("+", "-", "*", "/", "%", "<<", ">>", ","))

_NAME = re.compile(r"(?:^|[-+*/%<>(,])[A-Za-z_]\w*$")


def of_each(found: tuple[tuple[str, str], ...]) -> list[tuple[tuple[str, str], ...]]:
    """Return the clauses separately for each variable that they name.

    Examples
    --------
    >>> of_each((("variable", "a,b"), ("complete", "")))
    [(('variable', 'a'), ('complete', '')), (('variable', 'b'), ('complete', ''))]
    """
    names = next((value.split(",") for name, value in found if name.lower() in _NAMING), [""])
    if len(names) == 1:
        return [found]
    return [tuple((name, each if name.lower() in _NAMING else value) for name, value in found) for each in names]


def conditional(text: str) -> tuple[str, str]:
    """Return the condition of a pragma and its conditional part.

    Examples
    --------
    >>> conditional("if (A == (1)) pipeline II=1"), conditional("unroll"), conditional("if (A pipeline")
    (('A == (1)', 'pipeline II=1'), ('', 'unroll'), ('', 'if (A pipeline'))
    """
    if not re.match(r"if\s*\(", text, re.IGNORECASE):
        return "", text
    open_, start = 0, text.index("(")
    for at in range(start, len(text)):
        open_ += (text[at] == "(") - (text[at] == ")")
        if not open_:
            return text[start + 1 : at], text[at + 1 :].strip()
    return "", text


def clauses(text: str) -> tuple[tuple[str, str], ...]:
    """Return the clauses of a pragma; a value may be a sum or a product, with or without blanks.

    Examples
    --------
    >>> clauses("min = a * a max=(b + 1) register port = &x")
    (('min', 'a*a'), ('max', '(b+1)'), ('register', ''), ('port', '&x'))
    >>> clauses("function instances=f<short, 4> limit=1")
    (('function', ''), ('instances', 'f<short,4>'), ('limit', '1'))
    """
    tokens: list[str] = [match[1] for match in _TOKEN.finditer(text.rstrip("; \t"))]
    found: list[tuple[str, str]] = []
    while tokens:
        name = tokens.pop(0)
        value = ""
        if tokens[:1] == ["="]:
            tokens.pop(0)
            value = _value(tokens)
            if name.lower() == "instances" and tokens[:1] == ["<"] and ">" in tokens:  # a template instance: ``f<int>``
                end = len(tokens) - tokens[::-1].index(">")
                value += "".join(tokens[:end])
                del tokens[:end]
        found.append((name.lower(), value))
    return tuple(found)


def _value(tokens: list[str]) -> str:
    """Remove a value, that is operands with operators between them, from the tokens and return it."""
    found, open_ = "", 0
    while tokens:
        token = tokens[0]
        begins = not found or found.endswith((*_JOINS, "("))
        calls = token == "(" and _NAME.search(found) is not None
        if not (open_ or begins or calls or token in _JOINS):
            break
        open_ += (token == "(") - (token == ")")
        found += tokens.pop(0)
    return found
