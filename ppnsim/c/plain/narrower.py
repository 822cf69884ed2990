"""Arrays behind pointers to numbers of another width: bytes of words, as their bits, and words of bytes, joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import INT, binary, block_of, number, with_children
from ppnsim.c.syntax import Function, SyntaxNode, Variable, unsigned

FORM_OF = "form of "
"""Attribute of a function that is another one for arrays of another width, before the name of that one."""
_WIDTHS = (8, 16, 32, 64)
_MOST = 16
"""Numbers that are joined to a wider one."""


@dataclass(frozen=True, slots=True)
class _View:
    """An array from an element on, ``&a[first]``, seen as numbers of another width."""

    array: SyntaxNode
    first: SyntaxNode
    wide: int


def with_other_widths(body: SyntaxNode) -> SyntaxNode:
    """Return code with ``p = (char *)&a[k]; .. p[i] ..`` as bits of ``a[k + i / 4]``, ``((int *)b)[i]`` as bytes of b.

    The pointer is set once, and nothing that its place depends on changes while it is used. The order of bytes is
    that of the tool's processors: the lowest one comes first.
    """
    if not any(each.kind == "cast" and each.type.kind == "pointer" for each in body.walk()):
        return body
    known: dict[Variable, _View] = {}
    made = _replaced(_without_sets(body, known), known)
    left = {each.variable for each in made.walk() if each.kind == "name" and each.variable in known}
    return body if left else made


def with_own_views(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return functions of which those that are handed an array as numbers of another width have a form for that."""
    made = dict(functions)
    for name, function in functions.items():
        if function.body is not None and not function.system:
            made[name] = replace(function, body=_handed(function.body, made))
    return made


def _handed(node: SyntaxNode, functions: dict[str, Function]) -> SyntaxNode:
    """Return code with calls of the forms that take the arrays as they are."""
    plain = with_children(node, tuple(_handed(each, functions) for each in node.children))
    called = functions.get(plain.text) if plain.kind == "call" else None
    if called is None or called.body is None:
        return plain
    arguments, parameters, body = list(plain.children), list(called.parameters), called.body
    for at, (argument, parameter) in enumerate(zip(plain.children, called.parameters, strict=False)):
        view = _view(argument, {})
        if view is None or view.wide <= (parameter.type.element or parameter.type).bits:
            continue
        taken = replace(parameter, type=replace(argument.bare.type, kind="pointer"))
        if taken.type.element is None:
            continue
        own = SyntaxNode("name", parameter.position, taken.type, variable=taken, end=parameter.position.line)
        body = _replaced(body, {parameter: _View(own, number(own, 0), view.wide)})
        if any(each.variable is parameter for each in body.walk()):
            return plain  # it is moved, or handed on
        arguments[at], parameters[at] = argument.bare, taken
    if body is called.body:
        return plain
    name = f"{called.name}_of_{'_'.join(str(each.type.base().bits) for each in parameters)}"
    attributes = (f"{FORM_OF}{called.name}",)
    functions.setdefault(
        name, replace(called, name=name, parameters=tuple(parameters), body=body, attributes=attributes)
    )
    return replace(plain, text=name, children=tuple(arguments))


def _without_sets(node: SyntaxNode, known: dict[Variable, _View]) -> SyntaxNode:
    """Return code without the statements that set such pointers, which are noted."""
    if node.kind != "block":
        return with_children(node, tuple(_without_sets(each, known) for each in node.children))
    found: list[SyntaxNode] = []
    for at, each in enumerate(node.children):
        rest = node.children[at + 1 :]
        pointer, value = _set(each)
        if pointer is not None and pointer in known and _moves_on(value, pointer) and not _mentioned(rest, pointer):
            continue
        view = _view(value, {}) if value is not None and pointer is not None else None
        if pointer is None or view is None or pointer in known or _changes(rest, view):
            found.append(_without_sets(each, known))
            continue
        known[pointer] = view
    return with_children(node, tuple(found))


def _set(node: SyntaxNode) -> tuple[Variable | None, SyntaxNode | None]:
    """Return the pointer that a statement sets, and to what; nothing for other statements."""
    if node.kind == "block" and len(node.children) == 1:
        return _set(node.children[0])
    if node.kind == "declare" and node.variable is not None and node.children:
        pointer, value = node.variable, node.children[0]
    elif node.kind == "assign" and node.text == "=" and node.children[0].kind == "name":
        pointer, value = node.children[0].variable, node.children[1]
    else:
        return None, None
    local = pointer is not None and pointer.type.kind == "pointer" and pointer.scope == "local"
    return (pointer, value) if local else (None, None)


def _moves_on(value: SyntaxNode | None, pointer: Variable) -> bool:
    return value is not None and value.kind == "binary" and value.children[0].variable is pointer


def _mentioned(nodes: Sequence[SyntaxNode], pointer: Variable) -> bool:
    return any(each.variable is pointer for node in nodes for each in node.walk())


def _changes(nodes: Sequence[SyntaxNode], view: _View) -> bool:
    """Return whether statements change what the place of a view depends on."""
    names = {each.variable for part in (view.array, view.first) for each in part.walk() if each.kind == "name"}
    names -= {view.array.variable} if view.array.type.kind == "array" else set()
    changed = {
        each.children[0].variable
        for node in nodes
        for each in node.walk()
        if (each.kind == "assign" or each.text in STEPS) and each.children and each.children[0].kind == "name"
    }
    return bool(names & changed)


def _view(node: SyntaxNode, known: Mapping[Variable, _View]) -> _View | None:
    """Return what a pointer of another width points to, None for other expressions."""
    if node.kind == "name" and node.variable in known:
        return known[node.variable]
    inner, of = node.bare, node.type.element
    if node.kind != "cast" or node.type.kind != "pointer" or of is None or of.kind != "integer":
        return None
    first: SyntaxNode = number(inner, 0)
    if inner.kind == "unary" and inner.text == "&" and inner.children[0].kind == "index":
        inner, first = inner.children[0].children
    elif inner.kind == "binary" and inner.text == "+" and inner.children[0].kind == "name":
        inner, first = inner.children
    base = inner.type.element
    named = inner.kind in ("name", "member") and inner.type.kind in ("array", "pointer")
    if not named or base is None or base.kind != "integer" or "&" in inner.type.text:
        return None
    widths = sorted((of.bits, base.bits))
    fits = widths[0] in _WIDTHS and widths[1] % widths[0] == 0 and widths[0] != widths[1]
    return _View(inner, first, base.bits) if fits and not _has_effects(first) else None


def _has_effects(node: SyntaxNode) -> bool:
    return any(each.kind in ("call", "assign", "token") or each.text in STEPS for each in node.walk())


def _replaced(node: SyntaxNode, known: Mapping[Variable, _View]) -> SyntaxNode:
    plain = with_children(node, tuple(_replaced(each, known) for each in node.children))
    if plain.kind == "index":
        base, at = plain.children
    elif plain.kind == "unary" and plain.text == "*":
        base, at = plain.children[0], number(plain, 0)
        if base.kind == "binary" and base.text == "+":
            base, at = base.children
    else:
        return _stored(plain)
    view = _view(base, known)
    if view is None or plain.type.kind != "integer" or not plain.type.bits:
        return plain
    narrow, parts = plain.type.bits, view.wide // plain.type.bits
    if parts:
        word = _element(view, _sum(view.first, _divided("/", at, parts)))
        low = _times(_divided("%", at, parts), narrow)
        ends = (_sum(low, number(at, narrow - 1)), low)
        return SyntaxNode("bits", plain.position, plain.type, (word, *ends), end=plain.end, extent=plain.extent)
    return _joined(plain, view, _times(at, narrow // view.wide))


def _joined(plain: SyntaxNode, view: _View, at: SyntaxNode) -> SyntaxNode:
    """Return a wide number as its parts, the last one first; one of too many parts is left, and refused later."""
    count = plain.type.bits // view.wide
    if count > _MOST:
        return plain
    every = [_element(view, _sum(view.first, _sum(at, number(at, part)))) for part in range(count)]
    value = replace(every[0], kind="cast", type=unsigned(view.wide), children=(every[0],))
    for part, each in enumerate(every[1:], start=2):
        value = replace(plain, kind="join", type=unsigned(part * view.wide), children=(each, value), text="")
    return replace(plain, kind="cast", children=(value,), text="")


def _stored(node: SyntaxNode) -> SyntaxNode:
    """Return the store of a wide number as stores of its parts."""
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


def _element(view: _View, at: SyntaxNode) -> SyntaxNode:
    of = view.array.type.element
    assert of is not None
    return replace(at, kind="index", type=of, children=(view.array, at), text="", value=None, variable=None)


def _sum(left: SyntaxNode, right: SyntaxNode) -> SyntaxNode:
    if left.value is not None and right.value is not None:
        return number(left, left.value + right.value)
    return right if left.value == 0 else left if right.value == 0 else binary("+", left, right, INT)


def _times(node: SyntaxNode, by: int) -> SyntaxNode:
    return (
        number(node, node.value * by)
        if node.value is not None
        else node
        if by == 1
        else binary("*", node, number(node, by), INT)
    )


def _divided(operator: str, node: SyntaxNode, by: int) -> SyntaxNode:
    """Return a quotient or a remainder; that of ``4 * i + 1`` by 4 is ``i``, or 1."""
    if node.value is not None and node.value >= 0:
        return number(node, node.value // by if operator == "/" else node.value % by)
    factor, rest = _terms(node)
    if factor is not None and factor[1] % by == 0 and 0 <= rest < by:
        return number(node, rest) if operator == "%" else _times(factor[0], factor[1] // by)
    return binary(operator, node, number(node, by), INT)


def _terms(node: SyntaxNode) -> tuple[tuple[SyntaxNode, int] | None, int]:
    """Return an expression as a factor with its number, and what is added to their product."""
    if node.kind != "binary" or node.text not in ("+", "*"):
        return None, 0
    left, right = node.children
    if node.text == "*":
        by = right.value if right.value is not None else left.value
        return (None if by is None else (left if right.value is not None else right, by)), 0
    factor, rest = _terms(left)
    return (factor, rest + right.value) if right.value is not None else (None, 0)
