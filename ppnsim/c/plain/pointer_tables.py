"""Resolves arrays of pointers, ``int *all[2] = {a, b}``: ``all[1]`` is ``b``, and ``all[i]`` a choice by ``i``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.c.lowering.variables.reaching import set_by
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.plain.nodes import BOOL, binary, is_value, number, with_children
from ppnsim.c.syntax import SyntaxNode, Variable

_MOST = 16
"""Most pointers from which a subscript may select: the statement is written once for each."""


def with_entries(body: SyntaxNode, *, choices: bool) -> SyntaxNode:
    """Return the body of a function in which the targets replace the elements of arrays of pointers.

    Without ``choices``, the subscripts must be numbers, as in the copies of an unrolled loop. An array with another use
    is refused at its declaration.
    """
    for table, entries in _tables(body).items():
        why = _why_not(body, table, entries, choices=choices)
        body = _without(body, table, entries, why)
    return body


def _tables(body: SyntaxNode) -> Mapping[Variable, Sequence[SyntaxNode]]:
    """Return the local arrays of pointers that are initialised with names, each with these names."""
    found: dict[Variable, Sequence[SyntaxNode]] = {}
    for node in body.walk():
        table = node.variable if node.kind == "declare" and len(node.children) == 1 else None
        of = table.type.element if table is not None and table.type.kind == "array" else None
        if table is None or of is None or of.kind != "pointer" or node.children[0].bare.kind != "list":
            continue
        entries = [each.bare for each in node.children[0].bare.children]
        named = all(each.kind == "name" and each.type.kind in ("array", "pointer") for each in entries)
        if named and len(entries) == table.type.size and table.scope == "local":
            found[table] = entries
    return found


def _is_element(node: SyntaxNode, table: Variable) -> bool:
    inner = node.children[0].bare if node.kind == "index" else None
    return inner is not None and inner.kind == "name" and inner.variable is table


def _changes(node: SyntaxNode, table: Variable) -> bool:
    """Return whether a statement sets an element of an array of pointers, steps it, or takes its address."""
    changes = node.kind == "assign" or (node.kind == "unary" and node.text not in ("*", "-", "+", "!", "~"))
    return changes and _is_element(node.children[0].bare, table)


def _why_not(body: SyntaxNode, table: Variable, entries: Sequence[SyntaxNode], *, choices: bool) -> str:
    """Return the use of an array of pointers that prevents the rewriting, "" if there is none."""
    name, kept = table.name, {table, *(each.variable for each in entries)}
    whole = {id(each) for each in body.walk("name") if each.variable is table}
    for each in body.walk():
        if _is_element(each, table):
            whole.discard(id(each.children[0].bare))
            if why := _why_not_at(each, len(entries), choices=choices):
                return why
        if _changes(each, table) or (each.kind != "declare" and set_by(each) is table):
            return f"of which line {each.position.line} changes one"
        if each.kind != "declare" and (changed := set_by(each)) is not None and changed in kept:
            return f"of which '{changed.name}' is changed in line {each.position.line}"
    line = next((each.position.line for each in body.walk("name") if id(each) in whole), 0)
    return f"that line {line} uses as a whole, not as {name}[0]" if line else ""


def _why_not_at(element: SyntaxNode, entries: int, *, choices: bool) -> str:
    """Return why an element of an array of pointers cannot be resolved, "" if it can."""
    place, line = number_of(element.children[1], {}), element.position.line
    if place is None and not (choices and is_value(element.children[1])):
        return f"whose subscript in line {line} is no plain value"
    if place is None and entries > _MOST:
        return f"of {entries} of which data choose in line {line} (up to {_MOST})"
    if place is not None and not 0 <= place < entries:
        return f"whose element {place} in line {line} it does not have"
    return ""


def _without(node: SyntaxNode, table: Variable, entries: Sequence[SyntaxNode], why: str) -> SyntaxNode:
    """Return a statement without an array of pointers; an unresolved array is refused at its declaration."""
    if node.kind == "declare" and node.variable is table:
        if not why:
            return SyntaxNode("empty", node.position, end=node.end, extent=node.extent)
        words = f"'{table.name}', an array of pointers {why} (name the arrays, or copy them into one)"
        return replace(node, kind="other", children=(), text=words)
    if not why and _is_element(node, table):
        return _entry(node, entries)
    return with_children(node, [_without(each, table, entries, why) for each in node.children])


def _entry(node: SyntaxNode, entries: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return the array that an element of the table stands for, or the choice by the subscript."""
    at = node.children[1].bare
    places = [replace(each, position=node.position, end=node.end, extent=node.extent) for each in entries]
    if (known := number_of(at, {})) is not None:
        return places[known]
    *others, chosen = places
    for place, each in reversed(list(enumerate(others))):
        test = replace(binary("==", at, number(at, place, at.type), BOOL), position=node.position)
        chosen = SyntaxNode("choice", node.position, node.type, (test, each, chosen), end=node.end, extent=node.extent)
    return chosen
