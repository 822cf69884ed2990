"""Builds accesses to numbers in memory of another width: bits of a word, or joined elements, the lowest byte first."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.layout import WIDTHS
from ppnsim.c.plain.nodes import INT, binary, block_of, number
from ppnsim.c.syntax import SyntaxNode, Variable, unsigned

_MOST = 16
"""Most numbers that are joined to a wider number."""


def fit(one: int, other: int) -> bool:
    """Return whether numbers of one width are whole parts of numbers of another width."""
    least, most = sorted((one, other))
    return least in WIDTHS and most % least == 0


def number_at(node: SyntaxNode, array: SyntaxNode, first: SyntaxNode, at: SyntaxNode) -> SyntaxNode | None:
    """Return number ``at``, of a node's type, counted from element ``first`` of an array of another width.

    The result is None if the width does not fit, or if the number has too many parts.
    """
    of, base = node.type, array.type.element
    if of.kind != "integer" or base is None or not of.bits or not fit(of.bits, base.bits):
        return None
    parts = base.bits // of.bits
    if parts > 1:
        word = _element(array, plus(first, _divided("/", at, parts)))
        low = times(_divided("%", at, parts), of.bits)
        ends = (plus(low, number(at, of.bits - 1)), low)
        return SyntaxNode("bits", node.position, of, (word, *ends), end=node.end, extent=node.extent)
    if parts == 1:
        return replace(_element(array, plus(first, at)), position=node.position)
    count = of.bits // base.bits
    return None if count > _MOST else _joined(node, array, plus(first, times(at, count)), count)


def _joined(plain: SyntaxNode, array: SyntaxNode, at: SyntaxNode, count: int) -> SyntaxNode:
    """Return a wide number as a concatenation of its parts, the last part first."""
    every = [_element(array, plus(at, number(at, part))) for part in range(count)]
    wide = every[0].type.bits
    value = replace(every[0], kind="cast", type=unsigned(wide), children=(every[0],))
    for part, each in enumerate(every[1:], start=2):
        value = replace(plain, kind="join", type=unsigned(part * wide), children=(each, value), text="")
    return replace(plain, kind="cast", children=(value,), text="")


def stored(node: SyntaxNode) -> SyntaxNode:
    """Return the store of a wide number, or of a struct, as stores of its parts."""
    if node.kind == "assign" and node.children[0].kind == "list" and node.children[1].bare.kind in ("name", "member"):
        value, of = node.children[1].bare, node.children[0].type
        members = (
            replace(value, kind="member", type=t, children=(value,), text=name, variable=None) for name, t in of.fields
        )
        pairs = zip(node.children[0].children, members, strict=True)
        return block_of(node, [stored(replace(node, type=to.type, children=(to, part))) for to, part in pairs])
    if node.kind != "assign" or node.children[0].kind != "cast" or node.children[0].children[0].kind != "join":
        return node
    parts, value = [], node.children[0].children[0]
    if node.text != "=" or not all(each.kind in ("name", "integer", "cast") for each in node.children[1].walk()):
        return replace(node, kind="other", text="a number stored as parts that is computed (put it into a variable)")
    while value.kind == "join":
        parts.append(value.children[0])
        value = value.children[1]
    parts.append(value.children[0])
    width, stores = parts[0].type.bits, []
    for at, each in enumerate(reversed(parts)):
        ends = (number(node, (at + 1) * width - 1), number(node, at * width))
        bits = replace(node, kind="bits", type=unsigned(width), children=(node.children[1], *ends), text="")
        stores.append(replace(node, type=each.type, children=(each, bits)))
    return block_of(node, stores)


def _element(array: SyntaxNode, at: SyntaxNode) -> SyntaxNode:
    of = array.type.element
    assert of is not None
    return replace(at, kind="index", type=of, children=(array, at), text="", value=None, variable=None)


def plus(left: SyntaxNode, right: SyntaxNode) -> SyntaxNode:
    """Return a sum, computed as far as possible."""
    if left.value is not None and right.value is not None:
        return number(left, left.value + right.value)
    return right if left.value == 0 else left if right.value == 0 else binary("+", left, right, INT)


def times(node: SyntaxNode, by: int) -> SyntaxNode:
    """Return a product with a number, computed as far as possible."""
    return (
        number(node, node.value * by)
        if node.value is not None
        else node
        if by == 1
        else binary("*", node, number(node, by), INT)
    )


def _divided(operator: str, node: SyntaxNode, by: int) -> SyntaxNode:
    """Return a quotient or a remainder; for ``4 * i + 1`` by 4 it is ``i``, or 1."""
    if node.value is not None and node.value >= 0:
        return number(node, node.value // by if operator == "/" else node.value % by)
    factor, rest = _terms(node)
    if factor is not None and factor[1] % by == 0 and 0 <= rest < by:
        return number(node, rest) if operator == "%" else times(factor[0], factor[1] // by)
    return binary(operator, node, number(node, by), INT)


def _terms(node: SyntaxNode) -> tuple[tuple[SyntaxNode, int] | None, int]:
    """Return an expression as a factor with its coefficient, and the constant that is added."""
    if node.kind != "binary" or node.text not in ("+", "*"):
        return None, 0
    left, right = node.children
    if node.text == "*":
        by = right.value if right.value is not None else left.value
        return (None if by is None else (left if right.value is not None else right, by)), 0
    factor, rest = _terms(left)
    return (factor, rest + right.value) if right.value is not None else (None, 0)


def is_wide_alone(body: SyntaxNode) -> bool:
    """Return whether all uses of some pointer parameter cast it to wider numbers of one type.

    Then the memory has the wider type (`ppnsim.c.lowering.places.other_widths`).
    """
    uses: dict[Variable, set[str]] = {}
    for node in body.walk():
        for child in node.children:
            given = child.variable if child.kind == "name" else None
            if given is not None and given.scope == "parameter" and given.type.kind == "pointer":
                uses.setdefault(given, set()).add(_wider(node, given))
    return any(len(each) == 1 and "" not in each for each in uses.values())


def _wider(node: SyntaxNode, pointer: Variable) -> str:
    """Return the type to which a cast converts a pointer without a size, "" if its numbers are not wider."""
    of = node.type.element if node.kind == "cast" and pointer.type.size is None else None
    return node.type.text if of is not None and of.kind == "integer" and of.bits > pointer.type.base().bits else ""
