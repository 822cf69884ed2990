"""Splits assignments of braced lists to structs, and of tuples to ``std::tie``: first all values, then the parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.clang.methods import held_bits, name_of
from ppnsim.c.clang.tuples import (
    fitted,
    has_effects,
    held,
    is_ignored,
    is_reference,
    is_repeatable,
    is_spelled,
    parts,
    tied,
    without_casts,
)
from ppnsim.c.plain.nodes import assign, is_value, number
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_FEW = 64
"""Most elements of an array that a list sets one by one."""


@dataclass(frozen=True, slots=True)
class _AssignedPart:
    """A part of an assignment; ``refers``: its value is a reference, which is read when it is assigned."""

    place: SyntaxNode
    value: SyntaxNode
    refers: bool = False


def in_parts(target: SyntaxNode, value: SyntaxNode) -> SyntaxNode:
    """Return an assignment of tuples as a block of assignments; whole values of one type give a single assignment."""
    target, value = without_casts(target), without_casts(value)
    if not is_spelled(target) and not tied(target.type):
        whole = assign(target, value)
        return with_values_first(whole) if value.kind == "list" else whole
    before: list[SyntaxNode] = []
    if not is_spelled(value) and not is_repeatable(value):
        of = replace(value.type, const=False)
        variable = Variable("held", of, "local", value.position)
        before.append(_declared(variable, value))
        value = name_of(variable, value)
    types = [of for _, of in value.type.fields] if is_spelled(value) else []
    found = []
    for at, (place, one) in enumerate(zip(parts(target), parts(value), strict=True)):
        refers = bool(types) and is_reference(types[at]) and one.kind in ("name", "index", "member")
        found.append(_AssignedPart(place, fitted(held(place.type), one) if not is_ignored(place) else one, refers))
    return _ordered(target, before, found)


def with_values_first(node: SyntaxNode) -> SyntaxNode:
    """Return ``x = {..}`` as assignments of its members if a value depends on old members, or a member has parts.

    ``x = {x.b, x.a}`` computes both values before it changes ``x``.
    """
    if node.kind != "assign":
        return node
    target, value = node.children
    value, of = without_casts(value), target.type
    few = of.kind == "struct" or (of.kind == "array" and isinstance(of.size, int) and of.size <= _FEW)
    if value.kind != "list" or not few or of.shared or target.kind == "token" or node.text != "=":
        return node
    found = list(_leaves(target, value))
    simple = target.kind != "member" and all(
        each.place.kind == "member" and each.place.children[0] is target for each in found
    )
    if simple and not _overlap(found):
        return node
    return _ordered(node, [], found)


def member_of(made: SyntaxNode) -> SyntaxNode:
    """Return a member of an object; for a complete list the result is a value, ``duo{x, y}.u``."""
    values, names = made.children[0].bare, [name for name, _ in made.children[0].type.fields]
    if is_spelled(values) and made.text in names and all(map(is_value, values.children)):
        return values.children[names.index(made.text)]
    return held_bits(made)


def _leaves(place: SyntaxNode, value: SyntaxNode) -> Iterator[_AssignedPart]:
    of, value = place.type, without_casts(value)
    if value.kind != "list" or of.shared:
        yield _AssignedPart(place, value)
    elif of.kind == "struct":
        for at, (name, inner) in enumerate(of.fields):
            member = replace(place, kind="member", type=inner, children=(place,), text=name, variable=None)
            yield from _leaves(member, value.children[at] if at < len(value.children) else _zero(inner, value))
    elif of.kind == "array" and of.element is not None and isinstance(of.size, int):
        given = value.children
        if len(given) == 1 and given[0].kind == "list" and given[0].type.kind == "array":
            given = given[0].children
        for at in range(of.size):
            subscript = (place, number(place, at))
            element = replace(place, kind="index", type=of.element, children=subscript, text="", variable=None)
            yield from _leaves(element, given[at] if at < len(given) else _zero(of.element, value))
    else:
        yield _AssignedPart(place, value.children[0] if value.children else number(value, 0, of))


def _zero(of: CType, near: SyntaxNode) -> SyntaxNode:
    return number(near, 0, of) if of.kind in ("integer", "real") else replace(near, type=of, children=())


def _ordered(near: SyntaxNode, before: Sequence[SyntaxNode], found: Sequence[_AssignedPart]) -> SyntaxNode:
    """Return a block: the statements before, the saved values, and the assignments in their order."""
    if words := _unclear(found):
        return replace(near, kind="other", type=CType("void", "void"), children=(), text=words, variable=None)
    hold, first, then = _overlap(found), list(before), []
    for at, each in enumerate(found):
        value = each.value
        if not each.refers and ((hold and value.kind not in ("integer", "real")) or _must_evaluate(each)):
            of = held(value.type if is_ignored(each.place) else each.place.type)
            variable = Variable(f"value_{at}", of, "local", value.position)
            first.append(_declared(variable, value))
            value = name_of(variable, value)
        if not is_ignored(each.place):
            then.append(assign(replace(each.place, type=held(each.place.type)), value))
    return SyntaxNode("block", near.position, children=(*first, *then), end=near.end, extent=near.extent)


def _must_evaluate(part: _AssignedPart) -> bool:
    return is_ignored(part.place) and has_effects(part.value)


def _declared(variable: Variable, value: SyntaxNode) -> SyntaxNode:
    return SyntaxNode("declare", value.position, variable.type, (value,), variable=variable, end=value.end)


def _root(place: SyntaxNode) -> Variable | None:
    while place.children and place.kind in ("member", "index", "cast", "unary", "bits"):
        place = place.children[0]
    return place.variable


def _names(node: SyntaxNode) -> list[Variable]:
    return [each.variable for each in node.walk() if each.kind == "name" and each.variable is not None]


def _overlap(found: Sequence[_AssignedPart]) -> bool:
    """Return whether an earlier assignment may change a value other than the first one."""
    roots = {_root(each.place) for each in found if not is_ignored(each.place)}
    far = any(root is None or root.type.kind == "pointer" or root.scope == "global" for root in roots)
    own = all(root is not None and root.scope == "local" for root in roots)
    for each in found[1:]:
        named = _names(each.value)
        if has_effects(each.value) or (named and far) or any(v in roots or _points_at(v, own=own) for v in named):
            return True
    return False


def _points_at(variable: Variable, *, own: bool) -> bool:
    """Return whether a pointer may point to an assigned place; a parameter never points to local variables."""
    return variable.type.kind == "pointer" and not (own and variable.scope == "parameter")


def _unclear(found: Sequence[_AssignedPart]) -> str:
    """Return why the place of a part is not clear: an earlier part changes its subscript; "" if all are clear."""
    roots = [_root(each.place) for each in found]
    for at, each in enumerate(found):
        places = [each.place, *([each.value] if each.refers else [])]
        inside = {v for place in places for sub in place.walk() if sub.kind == "index" for v in _names(sub.children[1])}
        changed = next((root for root in roots[:at] if root in inside and root is not None), None)
        if changed is not None:
            return f"an assignment that changes '{changed.name}', which a place behind it needs (assign them in turn)"
    return ""
