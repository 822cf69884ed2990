"""Operators on numbers, which mean what they mean in Python: beside those of Python, two kinds of 64 bits."""

from __future__ import annotations

import ast

from ppnsim.machine_code.body import Body, is_constant
from ppnsim.machine_code.types import PLACE, TRUTH, WHOLE, Held, KernelError

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne"), ast.Lt: ("slt", "ult"), ast.LtE: ("sle", "ule"),
    ast.Gt: ("sgt", "ugt"), ast.GtE: ("sge", "uge"),
}  # fmt: skip


def combined(body: Body, left: Held, sign: ast.operator, right: Held) -> Held:
    """Return the result of an operator."""
    name = _ARITHMETIC.get(type(sign))
    if left.type == right.type == TRUTH and isinstance(sign, ast.BitAnd | ast.BitOr | ast.BitXor):
        return Held(TRUTH, (body.put(f"{name} i1 {left.register}, {right.register}"),))
    kind, (a, b) = _alike(body, left, right)
    if name is not None:
        return Held(kind, (body.put(f"{name} i64 {a}, {b}"),))
    if isinstance(sign, ast.FloorDiv | ast.Mod):
        quotient, rest = _divided(body, kind, a, b)
        return Held(kind, (quotient if isinstance(sign, ast.FloorDiv) else rest,))
    raise KernelError(f"kernels have no operator {type(sign).__name__}")


def _alike(body: Body, left: Held, right: Held) -> tuple[str, tuple[str, str]]:
    """Return the type of two numbers together: places if both are, or one is and the other is a constant."""
    places = [each.type == PLACE for each in (left, right)]
    fitting = all(place or is_constant(each) for place, each in zip(places, (left, right), strict=True))
    kind = PLACE if any(places) and fitting else WHOLE
    return kind, (body.whole(left).register, body.whole(right).register)


def _divided(body: Body, kind: str, a: str, b: str) -> tuple[str, str]:
    """Return quotient and remainder as Python has them: rounded down; 0 where it would raise an error."""
    put = body.put
    zero = put(f"icmp eq i64 {b}, 0")
    by = put(f"select i1 {zero}, i64 1, i64 {b}")
    if kind == PLACE:
        found = put(f"udiv i64 {a}, {by}"), put(f"urem i64 {a}, {by}")
    else:
        turned = put(f"icmp eq i64 {by}, -1")  # the least number divided by it has no quotient of 64 bits
        by = put(f"select i1 {turned}, i64 1, i64 {by}")
        opposite = put(f"sub i64 0, {a}")
        a = put(f"select i1 {turned}, i64 {opposite}, i64 {a}")
        quotient, rest = put(f"sdiv i64 {a}, {by}"), put(f"srem i64 {a}, {by}")
        signs = put(f"xor i64 {rest}, {by}")
        apart, some = put(f"icmp slt i64 {signs}, 0"), put(f"icmp ne i64 {rest}, 0")
        below = put(f"and i1 {apart}, {some}")
        less = put(f"sub i64 {quotient}, 1")
        more = put(f"add i64 {rest}, {by}")
        found = (
            put(f"select i1 {below}, i64 {less}, i64 {quotient}"),
            put(f"select i1 {below}, i64 {more}, i64 {rest}"),
        )
    return put(f"select i1 {zero}, i64 0, i64 {found[0]}"), put(f"select i1 {zero}, i64 0, i64 {found[1]}")


def compared(body: Body, left: Held, sign: ast.cmpop, right: Held) -> str:
    """Return a register that holds whether a comparison is true."""
    if type(sign) not in _COMPARED:
        raise KernelError(f"kernels have no comparison {type(sign).__name__}")
    kind, (a, b) = _alike(body, left, right)
    return body.put(f"icmp {_COMPARED[type(sign)][kind == PLACE]} i64 {a}, {b}")


def extreme_of(body: Body, which: str, arguments: list[Held]) -> Held:
    """Return the largest (``which`` is "max") or the smallest of numbers."""
    found = arguments[0]
    for each in arguments[1:]:
        kind, (a, b) = _alike(body, found, each)
        sign = "u" if kind == PLACE else "s"
        found = Held(kind, (body.put(f"call i64 @llvm.{sign}{which}.i64(i64 {a}, i64 {b})"),))
    return found
