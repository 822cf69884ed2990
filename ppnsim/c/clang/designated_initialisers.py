"""Reads designated initialisers, ``{.rows = 4, [2] = 1}``: puts the values of a list in the order of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ppnsim.c.clang.library import children_of, evaluated, kind_of
from ppnsim.c.plain.nodes import number, with_children
from ppnsim.c.syntax import CType, SyntaxNode

Part = str | int
"""The name of a member, or the index of an element."""


@dataclass(frozen=True, slots=True)
class Designated:
    """A value with its designated part, ``(".p", ".x")`` for ``.p.x = 1``; without a part it is for the next one."""

    parts: tuple[Part, ...]
    value: Any


def designated(element: Any) -> Designated | None:
    """Return an element of a braced list with its designated part; None if it names no part."""
    if kind_of(element) != "UNEXPOSED_EXPR" or element.type.kind.name != "VOID":
        return None  # before its children are visited: a table may have 100 000 elements
    inner = children_of(element)
    if len(inner) < 2:
        return None
    parts = [each.spelling if each.kind.name == "MEMBER_REF" else evaluated(each, "AsLongLong") for each in inner[:-1]]
    return Designated(tuple(-1 if each is None else each for each in parts), inner[-1])


def in_order(of: CType, values: Sequence[tuple[tuple[Part, ...], SyntaxNode]], near: SyntaxNode) -> SyntaxNode | str:
    """Return the list of some values at their designated parts; a text if a form is not supported."""
    made, at = replace(near, children=(), type=of), 0
    for parts, value in values:
        found = _with(made, parts or (at,), value)
        if isinstance(found, str):
            return found
        made, at = found
    return made


def _with(made: SyntaxNode, parts: tuple[Part, ...], value: SyntaxNode) -> tuple[SyntaxNode, int] | str:
    """Return a list with a value at a part, and the index after that part."""
    found = _part(made, parts[0])
    if isinstance(found, str):
        return found
    (first, to), rest = found, parts[1:]
    last = first
    if rest and isinstance(rest[0], int) and to.kind != "array":  # [0 ... 3] = 1, of GNU C
        last, rest = rest[0], rest[1:]
    if words := _left_out(to, parts, rest, value):
        return words
    children = list(made.children)
    while len(children) <= last:
        children.append(zero(made, made.type.fields[len(children)][1] if made.type.fields else to))
    for at in range(first, last + 1):
        inner = _with(children[at], rest, value) if rest else (value, 0)
        if isinstance(inner, str):
            return inner
        children[at] = inner[0]
    return with_children(made, children), last + 1


def _part(made: SyntaxNode, part: Part) -> tuple[int, CType] | str:
    """Return the index and the type of a part of a list."""
    of, names = made.type, [name for name, _ in made.type.fields]
    other = of.shared and part not in (0, *names[:1])  # the list of a union is of its first member
    if of.kind not in ("struct", "array") or other or made.kind != "list":
        return "a designated initialiser of a later member of a union, or of a part of a value (assign the member)"
    at = names.index(part) if part in names else part
    if isinstance(at, int) and 0 <= at < len(names):
        return at, of.fields[at][1]
    if isinstance(at, int) and at >= 0 and not names and of.element is not None:
        return at, of.element
    return f"'{part}' of a designated initialiser (name the parts in order)"


def _left_out(to: CType, parts: Sequence[Part], rest: Sequence[Part], value: SyntaxNode) -> str:
    """Return the unsupported form if a list relies on omitted braces; "" if there is none."""
    if rest and isinstance(rest[0], int) and isinstance(parts[0], int):
        return "a designated initialiser of a row (write the list of the row)"
    whole = value.kind == "list" or value.type.text == to.text
    if not rest and to.kind in ("struct", "array") and not whole:
        return "braces that are left out beside a designated initialiser (write them)"
    return ""


def zero(near: SyntaxNode, of: CType) -> SyntaxNode:
    """Return the value of a part that a list leaves out."""
    return number(near, 0, of) if of.kind in ("integer", "real") else replace(near, children=(), type=of)
