"""Rewrites copies of structs with arrays as copies of their members, because each member array is a separate array.

Only a token of a stream is a struct as a whole: the elements of its arrays are numbers of the token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ppnsim.c.layout import laid_out
from ppnsim.c.lowering.statements.struct_numbers import (
    array_numbers,
    element_at,
    has_arrays,
    member_of,
    number_pairs,
)
from ppnsim.c.plain.nodes import INT, assign, binary, block_of, has_nothing, number, with_inherited
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_FEW = 64
"""Most elements that are copied one by one; more elements are copied in a loop."""


def member_copies(node: SyntaxNode) -> tuple[SyntaxNode, ...] | None:
    """Return the assignments of the parts for an assignment of a struct with arrays, or of a ``std::array``.

    The result is None for other assignments.
    """
    if node.kind != "assign" or node.text != "=":
        return None
    target, value = node.children
    while value.kind == "cast" and value.children[0].type.kind == "array":
        value = value.children[0]
    if "array" in (target.type.kind, value.type.kind):
        return _array_copies(target, value)
    if has_nothing(target.type) and value.bare.kind in ("name", "member", "index", "empty"):
        return ()
    if not has_arrays(target.type):
        return None
    whole = value
    while value.kind == "cast" and value.children[0].type.kind == "struct":
        value = value.children[0]
    if value.kind in ("list", "empty"):
        return _constructed(target, value)
    if target.kind == "token" and value.kind != "token":
        passed = _register(value)
        return (*(assign(part, element) for part, element in number_pairs(passed, value)), assign(target, passed))
    if value.kind == "token" and target.kind != "token":
        passed = _register(target)
        return (assign(passed, value), *(assign(element, part) for part, element in number_pairs(passed, target)))
    if value.kind == "token":
        return None if value is whole else (assign(target, value),)
    return tuple(_copied(target, value, target.type))


def as_assigned(node: SyntaxNode) -> SyntaxNode:
    """Return ``memcpy`` of a whole struct with arrays as an assignment; return other statements unchanged."""
    if node.kind != "call" or node.text != "memcpy" or len(node.children) != 3:
        return node
    target, value = (_target_of(each.bare) for each in node.children[:2])
    alike = target.type.text == value.type.text and has_arrays(target.type)
    return assign(target, value) if alike and node.children[2].bare.value == laid_out(target.type)[0] else node


def _target_of(pointer: SyntaxNode) -> SyntaxNode:
    """Return the target of a pointer; for an array, its first element."""
    if pointer.kind == "unary" and pointer.text == "&":
        return pointer.children[0].bare
    if pointer.type.kind not in ("pointer", "array") or pointer.type.element is None:
        return pointer
    return element_at(pointer, number(pointer, 0))


def _array_copies(target: SyntaxNode, value: SyntaxNode) -> tuple[SyntaxNode, ...] | None:
    """Return the copy of a ``std::array``, which is the only member of a struct in a token of a stream."""
    if value.type.kind == "array" and target.kind == "token":
        whole = _register(replace(value, type=target.type, kind="index"))
        return (*(assign(part, element) for part, element in array_numbers(whole, value)), assign(target, whole))
    if target.type.kind == "array" and value.kind == "token":
        whole = _register(replace(target, type=value.type, kind="index"))
        return (assign(whole, value), *(assign(element, part) for part, element in array_numbers(whole, target)))
    both = target.type.kind == value.type.kind == "array" and value.kind in ("name", "member", "index", "unary")
    return tuple(_copied(target, value, target.type)) if both else None


def _copied(target: SyntaxNode, value: SyntaxNode, of: CType) -> Iterator[SyntaxNode]:
    if of.kind == "array" and of.element is not None and isinstance(of.size, int):
        if of.size <= _FEW:
            for at in range(of.size):
                left, right = (element_at(each, number(each, at)) for each in (target, value))
                yield from _copied(left, right, of.element)
        else:
            yield _loop(target, value, of)
    elif has_arrays(of):
        for name, inner in of.fields:
            yield from _copied(member_of(target, name, inner), member_of(value, name, inner), inner)
    else:
        yield assign(target, value)


def _constructed(target: SyntaxNode, value: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return the assignments of a constructed object; a token that is written needs all its numbers."""
    if target.kind != "token":
        return tuple(_listed(target, value)) if value.kind == "list" else ()
    made = _register(replace(value, type=target.type))
    copies = member_copies(assign(target, made))
    return (*_listed(made, replace(value, kind="list")), *(copies or ()))


def _listed(target: SyntaxNode, value: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the assignments of a braced list to a struct with arrays; parts that the list leaves out become 0."""
    of, given = target.type, value.bare
    if given.kind != "list" or not has_arrays(of.base()):
        yield assign(target, value)
    elif of.kind == "struct":
        values = with_inherited(given, of).children
        for at, (name, inner) in enumerate(of.fields):
            yield from _listed(member_of(target, name, inner), values[at] if at < len(values) else _zero(inner, given))
    elif of.element is not None and isinstance(of.size, int):
        for at in range(of.size):
            each = given.children[at] if at < len(given.children) else _zero(of.element, given)
            yield from _listed(element_at(target, number(target, at)), each)


def _zero(of: CType, near: SyntaxNode) -> SyntaxNode:
    return number(near, 0, of) if of.kind in ("integer", "real") else replace(near, type=of, children=())


def _loop(target: SyntaxNode, value: SyntaxNode, of: CType) -> SyntaxNode:
    assert of.element is not None
    counter = Variable("copy", INT, "local", target.position)
    name = SyntaxNode("name", target.position, INT, variable=counter)
    start = SyntaxNode("declare", target.position, INT, (number(target, 0),), variable=counter, end=target.end)
    test = binary("<", name, number(target, int(str(of.size))), INT)
    step = SyntaxNode("unary", target.position, INT, (name,), "++")
    body = block_of(target, _copied(element_at(target, name), element_at(value, name), of.element))
    return SyntaxNode("for", target.position, children=(start, test, step, body), end=target.end, extent=target.extent)


def _register(place: SyntaxNode) -> SyntaxNode:
    """Return the variable through which a token passes: a struct variable itself, else a register.

    A memory of structs is accessed number by number, with all numbers at once.
    """
    if place.kind == "name":
        return place
    return replace(
        place, kind="name", children=(), text="", variable=Variable("token", place.type, "local", place.position)
    )
