"""Evaluates integers in the text of directives: expressions of names, macros and calls with known values."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from ppnsim.c.pragmas.text import PragmaLine, without_comments
from ppnsim.errors import InputError

_CALL = re.compile(r"\b([A-Za-z_]\w*)\(([^()]*)\)")


def number(text: str, values: Mapping[str, int]) -> int | None:
    """Return an integer from its text, None for other text; ``values`` are the numbers of names and of calls.

    Examples
    --------
    >>> number("2*N + (1 << 3)", {"N": 8}), number("N", {}), number("0x10u", {}), number("C::n / 2", {"C::n": 6})
    (24, None, 16, 3)
    >>> number("2*up(N,3)", {"N": 8, called("up", (8, 3)): 3})
    6
    """
    if "(" in text:
        text = with_results(text, values, lambda name, given: values.get(called(name, given)))
    digits = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
    digits = digits.replace("&&", " and ").replace("||", " or ")
    digits = re.sub(r"!(?!=)", " not ", digits)
    digits = re.sub(r"\w+(?:::\w+)+", lambda name: str(values.get(name[0], name[0])), digits)
    try:
        return _evaluated(ast.parse(digits.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, KeyError, ZeroDivisionError, RecursionError):
        return None


def called(name: str, given: Sequence[int]) -> str:
    """Return the text of a call of a function with some numbers."""
    return f"{name}({', '.join(map(str, given))})"


def with_results(text: str, values: Mapping[str, int], result: Callable[[str, tuple[int, ...]], int | None]) -> str:
    """Return a text with the results of its calls, inner calls first, as far as ``result`` knows them.

    Examples
    --------
    >>> with_results("(up(up(N, 2), 3) + 1)", {"N": 7}, lambda name, given: -(-given[0] // given[1]))
    '(2 + 1)'
    """
    while (match := _CALL.search(text)) is not None:
        given = [number(each, values) for each in match[2].split(",")]
        known = tuple(each for each in given if each is not None)
        found = result(match[1], known) if len(known) == len(given) else None
        if found is None:
            break
        text = f"{text[: match.start()]}{found}{text[match.end() :]}"
    return text


def no_number(clause: str, text: str, least: int, values: Mapping[str, int]) -> str:
    """Return what is wrong with the number of a clause; for a name without a value, also how to give it one.

    Examples
    --------
    >>> no_number("depth", "0", 1, {})
    'depth = 0 is not a whole number from 1 on'
    >>> no_number("depth", "2*D", 1, {})[45:]
    "'D' has no constant value here; give it with '#define D 16' or -D D=16"
    """
    words = f"{clause} = {text or 'nothing'} is not a whole number from {least} on"
    unknown = next((each for each in re.findall(r"[A-Za-z_]\w*(?:::\w+)*", text) if each not in values), None)
    if unknown is None or number(text, values) is not None:
        return words
    if "::" in unknown:
        return f"{words}: '{unknown}' has no constant value here; write the number, or a macro"
    remedy = f"give it with '#define {unknown} 16' or -D {unknown}=16"
    return f"{words}: '{unknown}' has no constant value here; {remedy}"


_BINARY: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv,
    ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_COMPARED: dict[type, Callable[[int, int], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


def _evaluated(node: ast.expr, values: Mapping[str, int]) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _evaluated(node.operand, values)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARED:
        return int(_COMPARED[type(node.ops[0])](_evaluated(node.left, values), _evaluated(node.comparators[0], values)))
    if isinstance(node, ast.BoolOp):
        parts = [bool(_evaluated(each, values)) for each in node.values]
        return int(all(parts) if isinstance(node.op, ast.And) else any(parts))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return int(not _evaluated(node.operand, values))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = _evaluated(node.left, values), _evaluated(node.right, values)
        if isinstance(node.op, ast.LShift) and right > 64:
            raise ValueError
        return _BINARY[type(node.op)](left, right)
    raise ValueError


_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([\w \t,]*)\))?[ \t]+([^\n]+)", re.MULTILINE)


def macro_values(sources: Mapping[str, str], defines: Mapping[str, str]) -> dict[str, int]:
    r"""Return the macros of some sources that are integers; macros of the caller take precedence.

    Examples
    --------
    >>> macro_values({"k.h": "#define HALF (N/2) // of it"}, {"N": "16"})
    {'N': 16, 'HALF': 8}
    >>> macro_values({"k.h": "#define BOUND(x, y) x\n#define _N BOUND(N, n)"}, {"N": "16"})
    {'N': 16, '_N': 16}
    """
    texts, forms = dict(defines), dict[str, tuple[list[str], str]]()
    for text in sources.values():
        for name, parameters, value in _DEFINE.findall(without_comments(text)):
            if parameters:
                forms.setdefault(name, (re.findall(r"\w+", parameters), value))
            else:
                texts.setdefault(name, value)
    found: dict[str, int] = {}
    while True:
        read = {name: number(_expanded(text, forms), found) for name, text in texts.items() if name not in found}
        new = {name: value for name, value in read.items() if value is not None}
        if not new:
            return found
        found |= new


def _expanded(text: str, forms: Mapping[str, tuple[list[str], str]]) -> str:
    """Return a text in which the calls of macros are expanded, once each."""

    def made(match: re.Match[str]) -> str:
        parameters, body = forms.get(match[1], ([], ""))
        given = [each.strip() for each in match[2].split(",")]
        if not parameters or len(parameters) != len(given):
            return match[0]
        named = dict(zip(parameters, given, strict=True))
        return "(" + re.sub(r"\w+", lambda word: named.get(word[0], word[0]), body) + ")"

    return _CALL.sub(made, text)


def holds(pragma: PragmaLine, values: Mapping[str, int]) -> bool:
    """Return whether the condition of ``#pragma HLS if (OPT==1) pipeline`` is true; no condition counts as true.

    Raises
    ------
    InputError
        If the condition is not a constant.
    """
    found = number(pragma.condition, values) if pragma.condition else 1
    if found is None:
        words = f"the condition '{pragma.condition}' is no constant; give its macros a value with -D"
        raise InputError(words, where=str(pragma.position))
    return bool(found)
