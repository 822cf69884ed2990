"""Makes small parts of syntax trees for the rewrites."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import is_

from ppnsim.c.kinds import STEPS
from ppnsim.c.syntax import CType, SyntaxNode

BOOL = CType("integer", "bool", 8)
INT = CType("integer", "int", 32)
LONG = CType("integer", "long", 64)
NUMBERS = frozenset(("integer", "real"))
_NAMELESS = ("list", "token")
"""Kinds of temporary objects: a call makes them, or a FIFO yields them, once."""


ELEMENTS = "ppnsim_elements"
"""The only member of a stream's token whose type is ``std::array``."""


def block_of(near: SyntaxNode, nodes: Iterable[SyntaxNode]) -> SyntaxNode:
    """Return a block of statements at the position of a node."""
    return SyntaxNode("block", near.position, children=tuple(nodes), end=near.end, extent=near.extent)


def statements(node: SyntaxNode | None) -> tuple[SyntaxNode, ...]:
    """Return the statements of a branch or body: those of a block, or the single statement."""
    if node is None:
        return ()
    return node.children if node.kind == "block" else (node,)


def binary(text: str, left: SyntaxNode, right: SyntaxNode, of: CType) -> SyntaxNode:
    """Return an operator on two operands."""
    return SyntaxNode("binary", left.position, of, (left, right), text, end=right.end, extent=left.extent)


def array_first(first: SyntaxNode, second: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode]:
    """Return the array and the subscript of an element; C also allows the reverse order: ``i[a]``."""
    turned = first.type.kind == "integer" and second.type.kind in ("array", "pointer")
    return (second, first) if turned else (first, second)


def assign(target: SyntaxNode, value: SyntaxNode, text: str = "=") -> SyntaxNode:
    """Return an assignment."""
    return SyntaxNode("assign", target.position, target.type, (target, value), text, end=value.end, extent=value.extent)


def number(near: SyntaxNode, value: int, of: CType = INT) -> SyntaxNode:
    """Return an integer at the position of a node."""
    return SyntaxNode("integer", near.position, of, value=value, end=near.end, extent=near.extent)


def wrapped(number: int, of: CType) -> int:
    """Return what an integer type keeps of a number: its lowest bits, or whether it is not 0.

    Examples
    --------
    >>> from ppnsim.c.syntax import unsigned
    >>> wrapped(12, unsigned(3)), wrapped(255, CType("integer", "char", 8)), wrapped(7, CType("integer", "bool", 8))
    (4, -1, 1)
    """
    if of.text in ("bool", "_Bool"):
        return int(number != 0)
    least, most = of.limits
    return least + (number - least) % (most - least + 1)


def letters(text: SyntaxNode, of: CType) -> SyntaxNode:
    """Return the list of numbers that a string literal gives an array of characters: its letters, and a 0.

    Other nodes, and literals of wide characters, are returned as they are.

    Examples
    --------
    >>> from ppnsim.loops.program import Position
    >>> of = CType("array", "char[4]", element=CType("integer", "char", 8), size=4)
    >>> str(letters(SyntaxNode("string", Position("k.c", 1, 1), of, text='"NO"'), of))
    '{78, 79, 0, 0}'
    """
    if text.kind != "string" or of.kind != "array" or of.element is None or not isinstance(of.size, int):
        return text
    try:
        values = literal_eval(f"b{text.text}")
    except (SyntaxError, ValueError):
        return text
    ends = [0] * (of.size - len(values))
    numbers = [number(text, wrapped(each, of.element), of.element) for each in (*values[: of.size], *ends)]
    return replace(text, kind="list", type=of, children=tuple(numbers), text="")


def counting(*to: SyntaxNode) -> CType:
    """Return the type of a counter that counts up to some numbers: ``int``, or ``long`` if they do not fit.

    Examples
    --------
    >>> from ppnsim.loops.position import Position
    >>> one = SyntaxNode("empty", Position("a.c", 1, 1))
    >>> counting(number(one, 64)).text, counting(number(one, 3_000_000_000)).text
    ('int', 'long')
    """
    least, most = INT.limits
    for each in (each.bare for each in to):
        known = each.value is not None or (each.type.kind == "integer" and each.type.bits)
        low, high = (0, 0) if not known else each.type.limits if each.value is None else (each.value, each.value)
        if low < least or high > most:
            return LONG
    return INT


def noted(near: SyntaxNode, text: str) -> SyntaxNode:
    """Return a statement without effect that records an assumption at a position."""
    return SyntaxNode("empty", near.position, text=text, end=near.end, extent=near.extent)


def of_zeros(of: CType, value: SyntaxNode) -> SyntaxNode:
    """Return the zero value of an array that a list leaves out, ``d()``, as an empty list; keep other values."""
    unnamed = of.kind == "array" and value.kind == "other" and value.text == "UNEXPOSED_EXPR" and not value.children
    return replace(value, kind="list", type=of, text="") if unnamed else value


def with_inherited(values: SyntaxNode, of: CType) -> SyntaxNode:
    """Return the list of a struct, with the values of a base or an unnamed struct spliced in: ``{{1, 2}, 3}``."""
    found: list[SyntaxNode] = []
    for each in values.children if of.kind == "struct" else ():
        place = of.fields[len(found)][1] if len(found) < len(of.fields) else each.type
        if each.kind == "list" and each.type.kind == "struct" and each.type.text != place.text:
            inner = with_inherited(each, each.type).children
            found += [*inner, *(number(each, 0, part) for _, part in each.type.fields[len(inner) :])]
        else:
            found.append(each)
    return with_children(values, found) if of.kind == "struct" else values


def leaves(node: SyntaxNode) -> bool:
    """Return whether a statement has a ``break`` or a ``continue``."""
    return any(each.kind in ("break", "continue") for each in node.walk())


_VALUES = frozenset(("name", "integer", "real", "member", "index", "binary", "unary", "cast", "choice", "bits"))


def is_value(node: SyntaxNode) -> bool:
    """Return whether an expression has a value and no side effect."""
    return all(each.kind in _VALUES and each.text not in STEPS for each in node.walk())


def with_children(node: SyntaxNode, children: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return a node with other children, or the node itself if the children are the same."""
    same = len(children) == len(node.children) and all(map(is_, children, node.children))
    return node if same else replace(node, children=tuple(children))


def has_nothing(of: CType) -> bool:
    """Return whether an object contains no number: its class has only methods, or is that of a lambda.

    Examples
    --------
    >>> has_nothing(CType("struct", "less", 8)), has_nothing(INT)
    (True, False)
    """
    return of.kind == "struct" and not of.shared and all(has_nothing(inner) for _, inner in of.fields)


def elements_of(node: SyntaxNode) -> SyntaxNode:
    """Return the array of a token whose type is ``std::array``; return other expressions unchanged."""
    token = node.bare
    if token.kind != "token" or [name for name, _ in token.type.fields] != [ELEMENTS]:
        return node
    return replace(token, kind="member", type=token.type.fields[0][1], children=(token,), text=ELEMENTS)


def is_nameless(node: SyntaxNode) -> bool:
    """Return whether an object is a temporary: constructed, read from a FIFO, copied, or a computed number."""
    bare = node.bare
    if bare.kind in _NAMELESS or not {node.type.kind, bare.type.kind} <= NUMBERS:
        return bare.kind in _NAMELESS or _is_copy(node)
    made = bare.kind in ("binary", "choice") or (bare.kind == "unary" and bare.text not in ("*", "&"))
    return made or is_recast(node)


def is_recast(node: SyntaxNode) -> bool:
    """Return whether a number is converted to one of other bits: ``long(x)``, a ``const long &`` to an ``int``."""
    return (node.type.bits, node.type.wraps) != (node.bare.type.bits, node.bare.type.wraps)


def _is_copy(node: SyntaxNode) -> bool:
    """Return whether a constructor copies an object, ``P(p)``; a conversion to a reference to it does not."""
    return node.kind == "cast" and (node.text == "=" or _is_copy(node.children[0]))
