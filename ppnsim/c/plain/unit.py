"""Rewrites the functions of a file, statement by statement, inner ones first."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import UNCOUNTED
from ppnsim.c.plain.after import with_starts
from ppnsim.c.plain.copies import Copies
from ppnsim.c.plain.counters import with_counters
from ppnsim.c.plain.effects import without_effects
from ppnsim.c.plain.exits import to_its_end
from ppnsim.c.plain.heads import plain_for
from ppnsim.c.plain.nodes import block_of, statements, with_children
from ppnsim.c.plain.offsets import with_elements
from ppnsim.c.plain.pointers import with_choices
from ppnsim.c.plain.polls import Polls
from ppnsim.c.plain.recast import with_bits
from ppnsim.c.plain.switches import chain_of
from ppnsim.c.plain.ways import with_ways
from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.c.syntax import SyntaxNode, TranslationUnit


def plain_unit(unit: TranslationUnit, *, polls: bool = False) -> TranslationUnit:
    """Return a file whose functions have only loops without ways out, and no effects inside expressions.

    With ``polls``, accesses to streams that do not wait are rewritten, too (`Polls`).
    """
    polled = Polls()
    copies = Copies([each for file, text in unit.active.items() for each in hls_pragmas(file, text)])
    made = {}
    for name, function in unit.functions.items():
        body = None if function.system else function.body
        if body is not None:
            body = with_ways(with_elements(with_choices(with_bits(body))), unit.functions)
            body = with_starts(_plain(polled.without(body) if polls else body))
            body = with_counters(copies.within(body))
        made[name] = function if body is None else replace(function, body=body)
    left_out = dict(unit.left_out)
    for place in copies.followed:
        left_out[place.file] = (*left_out.get(place.file, ()), (place.line, place.line))
    return replace(unit, functions=made, left_out=left_out)


def _plain(node: SyntaxNode) -> SyntaxNode:
    """Return a statement in plain forms, as one statement."""
    found = _several(node)
    return found[0] if len(found) == 1 else block_of(node, found)


def _several(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    match node.kind:
        case "block":
            inner = [each for child in node.children for each in _several(child)]
            return (with_children(node, inner),)
        case "for" if len(node.children) == 4:
            return (_for(node),)
        case "while" | "do":
            return (_uncounted(node),)
        case "if":
            *before, head = without_effects(node)
            return (*before, with_children(head, (head.children[0], *map(_plain, head.children[1:]))))
        case "switch":
            *before, head = without_effects(node)
            return (*before, _plain(chain_of(head)))
        case "case" | "default":
            return (node,)  # read with its switch
    if node.kind == "binary" and node.text == ",":
        return tuple(each for child in node.children for each in _several(child))
    return without_effects(node)


def _for(node: SyntaxNode) -> SyntaxNode:
    body, leaves = to_its_end(_plain(node.children[3]))
    if leaves:
        return block_of(node, (node.children[0], *statements(body)))
    loop = plain_for(node, body)
    if loop.kind == "block":  # what is left of its start stands before it
        return with_children(loop, (*loop.children[:-1], _counting(loop.children[-1])))
    return _counting(loop)


def _counting(node: SyntaxNode) -> SyntaxNode:
    return _effects_inside(node) if node.kind == "while" else node


def _uncounted(node: SyntaxNode) -> SyntaxNode:
    at = 0 if node.kind == "do" else 1
    body, leaves = to_its_end(_plain(node.children[at]))
    test = node.children[1 - at]
    if leaves or (node.kind == "do" and test.value == 0):
        return body
    return _effects_inside(replace(node, children=(body, test) if node.kind == "do" else (test, body)))


def _effects_inside(node: SyntaxNode) -> SyntaxNode:
    """Return a loop of unknown trips whose condition has no effects: they are in its body."""
    assert node.kind in UNCOUNTED
    at = 0 if node.kind == "do" else 1
    test = node.children[1 - at]
    *before, head = without_effects(replace(test, kind="cast", children=(test,)))
    if not before:
        return node
    inner = statements(node.children[at])
    body = block_of(node.children[at], (*inner, *before) if node.kind == "do" else (*before, *inner))
    test = head.children[0]
    return replace(node, children=(body, test) if node.kind == "do" else (test, body))
