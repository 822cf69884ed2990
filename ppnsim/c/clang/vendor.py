"""Calls of methods of high-level synthesis: tokens of ``hls::stream``, bits of ``ap_int`` and ``ap_fixed``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ppnsim.c.clang.names import ARBITRARY
from ppnsim.c.kinds import Kind
from ppnsim.c.syntax import CType, SyntaxNode, unsigned

DEPTH = 2
"""Tokens that a FIFO holds if nobody says how many (the vendor's default)."""
_STREAM = re.compile(r"hls::stream<.*?(?:, (\d+))?>")
_CASTS = ("UNEXPOSED_EXPR", "PAREN_EXPR")
_BITS = frozenset(("range", "operator()", "operator[]", "bit", "test", "get_bit"))
_REDUCED = frozenset(f"{name}_reduce" for name in ("and", "or", "xor", "nand", "nor", "xnor"))
_NUMBERS = _BITS | _REDUCED | {"concat", "invert", "set", "set_bit", "clear"}


def stream_depth(spelling: str) -> int | None:
    """Return the depth of a type that is a stream, None for others.

    Examples
    --------
    >>> stream_depth("hls::stream<ap_axiu<32, 1, 1, 1>, 16>"), stream_depth("hls::stream<int>"), stream_depth("int")
    (16, 2, None)
    """
    found = _STREAM.fullmatch(spelling)
    return None if found is None else int(found[1] or 0) or DEPTH


def method(cursor: Any, read: Callable[[Any], SyntaxNode]) -> SyntaxNode | None:
    """Return the node of a call of a vendor's method, None for other calls and methods without a meaning here.

    A token of a stream and bits of a number are places, like an element of an array. A read names the place, a write
    assigns to it. ``read`` makes a node from a cursor.
    """
    called = cursor.referenced
    if called is None or called.kind.name != "CXX_METHOD":
        return None
    owner = called.semantic_parent.type.get_canonical().spelling
    name, (target, arguments) = called.spelling, _parts(cursor)
    is_stream = bool(_STREAM.match(owner))
    if target is None or name.startswith("to_") or not (is_stream or (ARBITRARY.search(owner) and name in _NUMBERS)):
        return None
    base, given = read(target), [read(argument) for argument in arguments]
    extent = (cursor.extent.start.offset, cursor.extent.end.offset)

    def made(kind: Kind, children: Sequence[SyntaxNode], of: CType, text: str = "") -> SyntaxNode:
        return SyntaxNode(kind, base.position, of, tuple(children), text, end=cursor.extent.end.line, extent=extent)

    return _token(name, base, given, made) if is_stream else _bits(name, base, given, made)


_Made = Callable[..., SyntaxNode]


def _token(name: str, stream: SyntaxNode, given: Sequence[SyntaxNode], made: _Made) -> SyntaxNode | None:
    element = stream.type.element or stream.type
    token = made("token", (stream,), element)
    if name == "read" and not given:
        return token
    if name in ("read", "operator>>"):
        return made("assign", (given[0], token), given[0].type, "=")
    if name in ("write", "operator<<"):
        return made("assign", (token, given[0]), element, "=")
    if name == "set_name":
        return made("empty", (), element)
    return made("other", (), element, f"{name}, a method of {stream.type.text}")


def _bits(name: str, number: SyntaxNode, given: Sequence[SyntaxNode], made: _Made) -> SyntaxNode:
    if name in _REDUCED:
        return made("reduce", (number,), CType("integer", "bool", 8), name)
    if name == "concat":
        bits = number.type.bits + given[0].type.bits
        return made("join", (number, given[0]), unsigned(bits))
    ends = list(given) if given else [_number(number, number.type.bits - 1), _number(number, 0)]
    high, low = ends[0], ends[-1]
    if name in _BITS:
        width = number.type.bits if len(given) == 2 else 1
        if high.value is not None and low.value is not None:
            width = abs(high.value - low.value) + 1
        return made("bits", (number, high, low), unsigned(width if given else number.type.bits))
    one = made("bits", (number, high, high), unsigned(1))
    if name == "invert":
        return made("assign", (one, made("unary", (one,), one.type, "!")), one.type, "=")
    value = given[1] if len(given) > 1 else _number(number, int(name == "set"))
    return made("assign", (one, value), one.type, "=")


def _number(near: SyntaxNode, value: int) -> SyntaxNode:
    return SyntaxNode("integer", near.position, CType("integer", "int", 32), value=value, end=near.end)


def _parts(cursor: Any) -> tuple[Any, list[Any]]:
    """Return the object of a method call, None if the source does not name it, and the arguments."""
    arguments = list(cursor.get_arguments())
    first = next(iter(cursor.get_children()), None)
    while first is not None and first.kind.name in _CASTS:
        first = next(iter(first.get_children()), None)
    if first is not None and first.kind.name == "MEMBER_REF_EXPR" and first.spelling == cursor.spelling:
        return next(iter(first.get_children()), None), arguments
    if cursor.spelling.startswith("operator") and arguments:
        return arguments[0], arguments[1:]
    return None, arguments
