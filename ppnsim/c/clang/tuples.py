"""Represents tuples and pairs as structs: members ``_0``, ``_1`` .. of a tuple, ``first``, ``second`` of a pair.

A value whose parts a source lists (``make_tuple``, ``tie``, a constructor) is a braced list. The functions here make
nodes from nodes: parts of a value, conversions to another type, comparisons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from ppnsim.c.clang.names import std_array
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import BOOL, binary, number
from ppnsim.c.syntax import CType, SyntaxNode, converted

_TUPLE = re.compile(r"(?:const )?std::(tuple|pair)<.*>")
_PLACES = ("name", "index", "member")
_EFFECTS = frozenset(("token", "call", "assign", "block", "other"))
_IGNORED = "std::_Swallow_assign"


def kind_of(spelling: str) -> str:
    """Return ``tuple`` or ``pair`` for such a type, "" for others.

    Examples
    --------
    >>> kind_of("const std::tuple<int, float>"), kind_of("std::pair<int, int>"), kind_of("std::array<int, 2>")
    ('tuple', 'pair', '')
    """
    found = _TUPLE.fullmatch(spelling)
    return found[1] if found is not None else ""


def members(struct: Any) -> list[tuple[str, Any]]:
    """Return names and clang's types of the members of a tuple or a pair."""
    is_pair = kind_of(struct.spelling) == "pair"
    count = max(0, struct.get_num_template_arguments())
    names = ("first", "second") if is_pair else [f"_{at}" for at in range(count)]
    return [(name, struct.get_template_argument_type(at)) for at, name in enumerate(names)]


def held(of: CType) -> CType:
    """Return the type of a value: the target of a reference, without ``const``."""
    return replace(of.element if is_reference(of) and of.element is not None else of, const=False)


def is_reference(of: CType) -> bool:
    """Return whether a member is a reference."""
    return of.kind == "pointer" and of.text.endswith("&")


def is_ignored(node: SyntaxNode) -> bool:
    """Return whether a part of a ``tie`` is ``std::ignore``."""
    return held(node.type).text == _IGNORED


def is_spelled(node: SyntaxNode) -> bool:
    """Return whether a node is the list of all parts of a value."""
    return node.kind == "list" and len(node.children) == len(_fields(node.type))


def has_effects(node: SyntaxNode) -> bool:
    """Return whether an expression reads a token, calls a function, or changes something."""
    return any(each.kind in _EFFECTS or each.text in STEPS for each in node.walk())


def is_repeatable(node: SyntaxNode) -> bool:
    """Return whether the parts of a value can be named one by one: a place or a list, without side effects."""
    bare = without_casts(node)
    is_list = is_spelled(bare) and all(is_repeatable(each) for each in bare.children if each.type.kind == "struct")
    return (bare.kind in _PLACES or is_list or _is_target_of_name(bare)) and not has_effects(bare)


def _is_target_of_name(node: SyntaxNode) -> bool:
    return node.kind == "unary" and node.text == "*" and node.children[0].kind == "name"


def tied(of: CType) -> bool:
    """Return whether a type is a tuple with references."""
    return bool(kind_of(of.text)) and any(is_reference(inner) for _, inner in of.fields)


def handed(node: SyntaxNode) -> SyntaxNode:
    """Return an argument of a function of the source; a tuple of references is not an object here and is refused."""
    if not tied(node.type):
        return node
    return replace(node, kind="other", children=(), text="a tuple of references as an argument (hand on its parts)")


def without_casts(node: SyntaxNode) -> SyntaxNode:
    """Return a value without copies and single-element lists around it; a tuple of references becomes its list."""
    while node.type.kind in ("struct", "array") and len(node.children) == 1 and (
        (node.kind == "cast" and node.children[0].type.kind == node.type.kind)
        or (node.kind == "list" and node.children[0].type.text == node.type.text)
    ):  # fmt: skip
        node = node.children[0]
    if node.kind == "name" and node.variable is not None and tied(node.variable.type) and node.variable.initial:
        return without_casts(node.variable.initial)
    return node


def _fields(of: CType) -> Sequence[tuple[str, CType]]:
    if of.kind == "pointer" and of.element is not None:
        return _fields(of.element)
    if of.kind == "array" and of.element is not None and isinstance(of.size, int):
        return [(str(at), of.element) for at in range(of.size)]
    return of.fields


def part(value: SyntaxNode, at: int) -> SyntaxNode:
    """Return a part of a tuple, a pair or an array: a member, an element, or the entry of a list."""
    bare = without_casts(value)
    if is_spelled(bare):
        return bare.children[at]
    name, of = _fields(bare.type)[at]
    if bare.kind == "choice":
        test, *both = bare.children
        return replace(bare, type=held(of), children=(test, *(part(each, at) for each in both)))
    if bare.type.kind == "array":
        return replace(bare, kind="index", type=of, children=(bare, number(bare, at)), text="", variable=None)
    return SyntaxNode("member", bare.position, held(of), (bare,), name, end=bare.end, extent=bare.extent)


def parts(value: SyntaxNode) -> list[SyntaxNode]:
    """Return all parts of a value."""
    return [part(value, at) for at in range(len(_fields(without_casts(value).type)))]


def listed(of: CType, values: Sequence[SyntaxNode], near: SyntaxNode) -> SyntaxNode:
    """Return the list of the parts of a value of a type, each converted to the type of its member."""
    given = [fitted(inner, value) for (_, inner), value in zip(of.fields, values, strict=True)]
    return replace(near, kind="list", type=replace(of, const=False), children=tuple(given), text="", variable=None,
                   value=None, spelled="")  # fmt: skip


def zeros(of: CType, near: SyntaxNode) -> SyntaxNode:
    """Return the value of a default-initialised object, whose numbers are 0."""
    if of.kind in ("integer", "real"):
        return number(near, 0, of)
    inner = tuple(zeros(each, near) for _, each in of.fields) if kind_of(of.text) else ()
    return replace(near, kind="list", type=of, children=inner, text="", variable=None, value=None, spelled="")


def fitted(of: CType, value: SyntaxNode) -> SyntaxNode:
    """Return a value converted to the type of a member; a reference keeps the place itself."""
    if is_reference(of) or of.kind != "struct":
        return value if is_reference(of) else converted(value, replace(of, const=False))
    bare = without_casts(value)
    other = bare.kind == "list" or held(bare.type).text == of.text or not kind_of(of.text)
    return bare if other or not is_repeatable(bare) else listed(of, parts(bare), bare)


def converts(of: CType, value: SyntaxNode) -> bool:
    """Return whether a value must be converted to another type, and its parts cannot be named one by one."""
    bare = without_casts(value)
    if of.kind == "struct" and bare.kind == "list" and len(bare.children) == len(of.fields):
        return any(converts(inner, each) for (_, inner), each in zip(of.fields, bare.children, strict=True))
    return of.kind == "struct" and held(bare.type).text != of.text and bare.kind != "list" and not is_repeatable(bare)


def compared(text: str, left: SyntaxNode, right: SyntaxNode) -> SyntaxNode:
    """Return a comparison of two values part by part, in order (``text``: ``==``, ``<`` ..)."""
    if text in ("!=", ">=", "<="):
        pair = (right, left) if text == "<=" else (left, right)
        inner = compared("==" if text == "!=" else "<", *pair)
        return SyntaxNode("unary", left.position, BOOL, (inner,), "!", end=left.end, extent=left.extent)
    if text == ">":
        left, right = right, left
    if not _fields(without_casts(left).type):
        return binary(text, left, right, BOOL)
    each = list(zip(parts(left), parts(right), strict=True))
    if text == "==":
        return reduce(lambda x, y: binary("&&", x, y, BOOL), (compared("==", *pair) for pair in each))
    *first, last = each
    return reduce(_less, reversed(first), compared("<", *last))


def _less(rest: SyntaxNode, pair: tuple[SyntaxNode, SyntaxNode]) -> SyntaxNode:
    one, other = pair
    not_more = compared(">=", other, one)
    return binary("||", compared("<", one, other), binary("&&", not_more, rest, BOOL), BOOL)


def is_compound(of: CType) -> bool:
    """Return whether values of a type have parts that functions of the standard library select by index."""
    return bool(kind_of(held(of).text)) or (of.kind == "array" and std_array(of.text) is not None)


Build = Callable[[Sequence[SyntaxNode]], SyntaxNode]
"""A function that makes an expression of operands that can be named more than once."""
