"""Splits values into several targets, ``(a, b) = c`` or the lanes of a vector, and reads numbers made from text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.classes import defined
from ppnsim.c.clang.library import foreign
from ppnsim.c.clang.methods import name_of
from ppnsim.c.plain.nodes import INT
from ppnsim.c.syntax import CType, SyntaxNode, Variable, unsigned

DOUBLE = CType("real", "double", 64)


def constructs(called: Any) -> bool:
    """Return whether a constructor does more than copy or do nothing, and can be read."""
    owner = called.semantic_parent.type.get_canonical().spelling
    if names.is_vendors(owner) or foreign(called.location):
        return False
    if called.is_copy_constructor() or called.is_move_constructor():
        return False
    children = list(defined(called).get_children())
    body = [each for each in children if each.kind.name == "COMPOUND_STMT"]
    initial = [each for each in children if each.kind.name == "MEMBER_REF" or each.kind.is_expression()]
    told = any(token.spelling == "pragma" for each in (*initial, *body) for token in each.get_tokens())
    return told or bool(initial) or any(list(each.get_children()) for each in body)


def spelled_number(of: CType, arguments: Sequence[SyntaxNode]) -> int | None:
    """Return the integer that a text constructs, ``ap_uint<8>("ff", 16)``; None if it is not known."""
    text, base = arguments[0].bare.text.strip('"'), arguments[1].bare.value if len(arguments) > 1 else 10
    prefixes = {2: "0b", 8: "0o", 10: "", 16: "0x"}
    if of.kind != "integer" or base not in prefixes:
        return None
    if base == 10:  # without another base, a prefix in the text gives the base
        base = next((each for each, prefix in prefixes.items() if prefix and text.lstrip("-").startswith(prefix)), 10)
    try:
        value = int(text, base) % (1 << of.bits)
    except ValueError:
        return None
    signed = not of.text.startswith("ap_uint")
    return value - (1 << of.bits) if signed and value >> (of.bits - 1) else value


def spelled_fraction(of: CType, arguments: Sequence[SyntaxNode]) -> str | None:
    """Return the text of the decimal number that a text constructs, ``ap_fixed<16, 4>("0.5")``; None for others."""
    text = arguments[0].bare.text.strip('"').strip()
    decimal = re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    return text if of.kind == "real" and len(arguments) == 1 and decimal else None


def spread(joined: SyntaxNode, value: SyntaxNode) -> SyntaxNode:
    """Return the assignments of the bits of a value to the numbers of a ``join``, the last number first.

    A variable first holds the value if it is read from a stream, computed by a call, or uses the target numbers
    themselves, because all assignments need the same value.
    """
    parts = list(_parts(joined))
    own = {each.variable for part in parts for each in part.walk() if each.variable is not None}
    of = unsigned(sum(p.type.bits for p in parts))
    whole, found = SyntaxNode("cast", value.position, of, (value,), end=value.end), list[SyntaxNode]()
    if any(each.kind in ("token", "call") or each.variable in own for each in value.walk()):
        held = Variable("joined", of, "local", value.position)
        found.append(SyntaxNode("declare", value.position, of, (whole,), variable=held, end=value.end))
        whole = name_of(held, value)
    low = 0
    for part in reversed(parts):
        ends = [SyntaxNode("integer", value.position, INT, value=at, end=value.end)
                for at in (low + part.type.bits - 1, low)]  # fmt: skip
        bits = SyntaxNode("bits", value.position, unsigned(part.type.bits), (whole, *ends), end=value.end)
        found.append(SyntaxNode("assign", part.position, part.type, (part, bits), "=", end=joined.end))
        low += part.type.bits
    return SyntaxNode("block", joined.position, children=tuple(found), end=joined.end, extent=joined.extent)


def _parts(node: SyntaxNode) -> Iterator[SyntaxNode]:
    if node.bare.kind == "join":
        for child in node.bare.children:
            yield from _parts(child)
    else:
        yield node.bare


def is_vector(of: CType) -> bool:
    """Return whether a type is an ``hls::vector``, and not an array of vectors."""
    return of.kind == "struct" and of.text.startswith("hls::vector<")


def lanes(variable: Variable, given: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the assignments of a list of values to the lanes of an ``hls::vector``."""
    (name, lane), (values,) = variable.type.fields[0], given.children
    assert lane.element is not None
    array = SyntaxNode("member", given.position, lane, (name_of(variable, given),), name, end=given.end)
    for number, value in enumerate(values.children):
        at = SyntaxNode("integer", value.position, INT, value=number, end=value.end)
        place = SyntaxNode("index", value.position, lane.element, (array, at), end=value.end)
        yield SyntaxNode("assign", value.position, lane.element, (place, value), "=", end=value.end)
