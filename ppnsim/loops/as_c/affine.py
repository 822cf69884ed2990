"""Affine expressions and conditions as C text; the text is also correct for negative values."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.loops.expressions import Affine, All, Atom, Compare, Condition, Not, Quotient, Ranges


def affine_text(value: Affine, ranges: Ranges, names: Mapping[str, str]) -> str:
    """Return an expression in C, positive terms first; ``names`` are those of the iterators in C.

    C cuts quotients towards zero and gives remainders the sign of the dividend; where the dividend can be negative, a
    multiple of the divisor is added first (and the quotient put back).

    Examples
    --------
    >>> i = Affine.of("i")
    >>> affine_text(3 - 2 * i, {"i": (0, 9)}, {"i": "k"})
    '3 - 2 * k'
    >>> affine_text((i - 3) // 2, {"i": (0, 9)}, {"i": "i"})
    '(i + 1) / 2 - 2'
    """
    value = _lifted(value, ranges)
    parts = [(c, _atom(atom, ranges, names, alone=abs(c) == 1)) for atom, c in value.terms]
    parts.sort(key=lambda part: part[0] < 0)
    if number := value.constant:
        parts.insert(0 if parts and parts[0][0] < 0 < number else len(parts), (number, ""))
    text = ""
    for factor, atom in parts:
        size = abs(factor)
        part = (f"{size} * {atom}" if size != 1 else atom) if atom else str(size)
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        text += sign + part
    return text or "0"


def condition_text(condition: Condition, ranges: Ranges, names: Mapping[str, str], *, inner: bool = False) -> str:
    """Return a condition in C; a condition inside another one (``inner``) gets parentheses where it needs them.

    Examples
    --------
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> same = {"i": "i", "j": "j"}
    >>> condition_text(All((Compare(7 - i), Not(Compare(i % 4 - j, "=")))), {"i": (0, 9), "j": (0, 3)}, same)
    'i <= 7 && i % 4 != j'
    """
    if isinstance(condition, Compare):
        return _compared(condition, ranges, names, holds=True)
    if isinstance(condition, Not):
        if isinstance(condition.part, Compare):
            return _compared(condition.part, ranges, names, holds=False)
        return f"!({condition_text(condition.part, ranges, names)})"
    whole = isinstance(condition, All)
    if not condition.parts:
        return "1" if whole else "0"
    several = len(condition.parts) > 1
    parts = [condition_text(part, ranges, names, inner=several) for part in condition.parts]
    text = (" && " if whole else " || ").join(parts)
    return f"({text})" if inner and several else text


def _compared(condition: Compare, ranges: Ranges, names: Mapping[str, str], *, holds: bool) -> str:
    left = _lifted(condition.left, ranges)
    operators = ("==", "==") if condition.relation == "=" else (">=", "<=")
    if not holds:
        operators = ("!=", "!=") if condition.relation == "=" else ("<", ">")
    plus = Affine(tuple(term for term in left.terms if term[1] > 0))
    minus = Affine(tuple((atom, -c) for atom, c in left.terms if c < 0))
    operator = operators[0]
    if plus.is_constant and not minus.is_constant:
        plus, minus, operator, constant = minus, plus, operators[1], left.constant
    else:
        constant = -left.constant
    right = minus + constant
    if not minus.is_constant and constant < 0:
        plus, right = plus - constant, minus
    return f"{affine_text(plus, ranges, names)} {operator} {affine_text(right, ranges, names)}"


def _lifted(value: Affine, ranges: Ranges) -> Affine:
    """Return an expression of the same value that takes no quotient or remainder of a negative number."""
    result = Affine.of(value.constant)
    for atom, factor in value.terms:
        if isinstance(atom, str):
            result = result + Affine(((atom, factor),))
            continue
        inner = _lifted(atom.of, ranges)
        whole = max(0, -(inner.extent(ranges)[0] // atom.by))
        raised = inner + whole * atom.by
        lifted = raised // atom.by - whole if isinstance(atom, Quotient) else raised % atom.by
        result = result + lifted * factor
    return result


def _atom(atom: Atom, ranges: Ranges, names: Mapping[str, str], *, alone: bool) -> str:
    if isinstance(atom, str):
        return names[atom]
    inner = affine_text(atom.of, ranges, names)
    single = len(atom.of.terms) == 1 and isinstance(atom.of.terms[0][0], str) and atom.of.terms[0][1] == 1
    inner = inner if single and not atom.of.constant else f"({inner})"
    text = f"{inner} {'/' if isinstance(atom, Quotient) else '%'} {atom.by}"
    return text if alone else f"({text})"
