"""Represents C++ methods as functions: the first parameter points to the object, and is named ``this``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from ppnsim.c.clang.classes import is_lambda
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import BOOL, INT, assign, number, of_zeros, with_inherited
from ppnsim.c.syntax import VOID, CType, Function, SyntaxNode, Variable, unsigned
from ppnsim.loops.position import Position

THIS = "this"


def this_of(owner: CType, at: Position) -> Variable:
    """Return the parameter of a method that points to its object."""
    return Variable(THIS, CType("pointer", f"{owner.text} *", 64, True, owner), "parameter", at)


def address_of(node: SyntaxNode) -> SyntaxNode:
    """Return an expression that points to an object; a pointer is returned unchanged."""
    if node.type.kind == "pointer":
        return node
    to = CType("pointer", f"{node.type.text} *", 64, False, node.type)
    return SyntaxNode("unary", node.position, to, (node,), "&", end=node.end, extent=node.extent)


def name_of(variable: Variable, near: SyntaxNode | Position) -> SyntaxNode:
    """Return the node that names a variable."""
    at = near if isinstance(near, Position) else near.position
    return SyntaxNode("name", at, variable.type, variable=variable, end=at.line)


def initialisers(
    constructor: Any, node: Callable[[Any], SyntaxNode], member: Callable[[Any], SyntaxNode], this: Variable
) -> dict[str, list[SyntaxNode]]:
    """Return the statements of an initialiser list: members by name, bases and delegated constructors by type.

    ``node`` reads an expression, ``member`` the name of a member of ``this``.
    """
    place: SyntaxNode | None = None
    found: dict[str, list[SyntaxNode]] = {}
    for each in constructor.get_children():
        if each.kind.name == "MEMBER_REF":
            place, name = member(each), each.spelling
            of = dict(this.type.element.fields).get(name) if this.type.element is not None else None
            place = replace(place, type=of) if of is not None and "&" in of.text else place
        elif place is not None and each.kind.is_expression():
            found[name] = list(initialised(place, node(each)))
            place = None
        elif each.kind.is_expression():  # of a base class, or a delegated constructor
            found[each.type.get_canonical().spelling] = list(_of_base(node(each).bare, this))
    return found


def _of_base(made: SyntaxNode, this: Variable) -> Iterator[SyntaxNode]:
    object_ = name_of(this, made)
    if made.kind == "call" and made.text.startswith("new_"):
        yield replace(made, type=VOID, text=made.spelled, children=(address_of(object_), *made.children))
    elif made.type.kind == "struct" and made.kind != "empty":  # a copy of the base
        for name, of in made.type.fields:
            to, value = (SyntaxNode("member", made.position, of, (each,), name) for each in (object_, made))
            yield assign(to, value)


def initialised(place: SyntaxNode, value: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the assignments of an initialiser: ``x{v}``, by element for an array, by member for a struct."""
    if (value := of_zeros(place.type, value)).kind == "empty" or is_lambda(place.type.text):
        return
    if value.kind != "list" or (place.type.kind == "array" and _is_set_whole(place.type, value)):
        yield value if place.type.kind == "array" and value.kind == "other" else assign(place, value)
    elif place.type.kind == "array" and place.type.element is not None:
        for at, each in enumerate(value.children):
            element = (place, number(place, at))
            yield from initialised(replace(place, kind="index", type=place.type.element, children=element), each)
    elif place.type.kind == "struct":
        inherited = with_inherited(value, place.type)
        for (name, of), each in zip(place.type.fields, inherited.children, strict=False):
            yield from initialised(replace(place, kind="member", type=of, children=(place,), text=name), each)
    elif value.children:
        yield assign(place, value.children[0])


def _is_set_whole(of: CType, value: SyntaxNode) -> bool:
    """Return whether a list sets an array of numbers at once: only zeros and computed values, or too many values."""
    given = [each for each in value.walk() if each.kind in ("integer", "real") and each.value != 0]
    return of.base().kind in ("integer", "real") and (not given or len(value.children) > _FEW)


def returned_place(function: Function) -> SyntaxNode | None:
    """Return the place to which a function returns a reference if it does nothing else, like ``operator[]``."""
    body = function.body
    if body is None or "&" not in function.result.text or len(body.children) != 1:
        return None
    last = body.children[0]
    return last.children[0] if last.kind == "return" and last.children else None


def is_read_once(place: SyntaxNode, by: Mapping[Variable, SyntaxNode]) -> bool:
    """Return whether a place uses each argument with a side effect only once, so that it may replace the call."""
    names = [each.variable for each in place.walk() if each.kind == "name"]
    effects = [
        variable for variable, node in by.items()
        if any(each.kind in ("token", "call", "assign") or each.text in STEPS for each in node.walk())
    ]  # fmt: skip
    chosen = any(each.kind == "choice" or each.text in ("&&", "||") for each in place.walk())
    return not effects or (not chosen and all(names.count(each) == 1 for each in effects))


def returns_itself(node: SyntaxNode) -> bool:
    """Return whether a statement is ``return *this``, whose value the caller knows already."""
    value = node.children[0].bare if node.kind == "return" and node.children else None
    if value is None or value.kind != "unary" or value.text != "*":
        return False
    return value.children[0].variable is not None and value.children[0].variable.name == THIS


def substituted(node: SyntaxNode, by: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return an expression of a method in which the arguments of a call replace the parameters.

    ``this->a`` becomes ``object.a``.
    """
    if node.kind == "name" and node.variable is not None and node.variable in by:
        found = by[node.variable]
        return address_of(found) if node.variable.name == THIS else found
    object_ = node.children[0].variable if node.children and node.children[0].kind == "name" else None
    if object_ is not None and object_.name == THIS and object_ in by:
        if node.kind == "unary" and node.text == "*" and by[object_].type.kind != "pointer":
            return by[object_]
        if node.kind == "member":
            return replace(node, children=(by[object_],))
    return replace(node, children=tuple(substituted(child, by) for child in node.children))


def maker_of(constructor: Function, owner: CType) -> Function:
    """Return the function that creates an object with a constructor and returns the object."""
    at = constructor.position
    made = Variable(f"new_{owner.text.split('::')[-1].split('<')[0]}", owner, "local", at)
    arguments = [name_of(each, at) for each in constructor.parameters[1:]]
    name = name_of(made, at)
    call = SyntaxNode("call", at, children=(address_of(name), *arguments), text=constructor.name)
    declared = SyntaxNode("declare", at, owner, variable=made)
    returned = SyntaxNode("return", at, owner, (name,))
    body = SyntaxNode("block", at, children=(declared, call, returned), end=constructor.end)
    return replace(
        constructor, name=f"new_{constructor.name}", parameters=constructor.parameters[1:], result=owner, body=body
    )


def held_bits(member: SyntaxNode) -> SyntaxNode:
    """Return a member; ``V`` of a fixed-point number is all its bits as an integer of the same sign.

    A bit field has its own width.
    """
    of = member.children[0]
    if of.type.kind != "real":
        owner = of.type.element if of.type.kind == "pointer" and of.type.element is not None else of.type
        declared = dict(owner.fields).get(member.text, member.type)
        narrower = declared.kind == member.type.kind == "integer" and declared.bits < member.type.bits
        return replace(member, type=replace(member.type, bits=declared.bits)) if narrower else member
    ends = (number(member, of.type.bits - 1), number(member, 0))
    bits = replace(member, kind="bits", type=unsigned(of.type.bits), children=(of, *ends), text="")
    return replace(member, kind="cast", children=(bits,), text="")


def turned(number: SyntaxNode, made: Callable[..., SyntaxNode]) -> SyntaxNode:
    """Return the statement that reverses the bits of a number."""
    width = number.type.bits
    places = [SyntaxNode("integer", number.position, INT, value=at, end=number.end) for at in range(width)]
    bits = [made("bits", (number, at, at), unsigned(1)) for at in places]
    value = reduce(lambda found, bit: made("join", (found, bit), unsigned(found.type.bits + 1)), bits)
    return made("assign", (number, value), number.type, "=")


_FEW = 64
"""Most elements that a list sets one by one."""
_SHORT = 6
"""Most values of a minimum or maximum: the first value is copied into half of all choices."""


def extreme(values: SyntaxNode, relation: str) -> SyntaxNode | None:
    """Return the minimum (``<``) or maximum (``>``) of a short list of values as choices, None for other lists."""
    while values.kind in ("list", "other") and len(values.children) == 1 and values.children[0].kind == "list":
        values = values.children[0]
    if values.kind != "list" or not 0 < len(values.children) <= _SHORT:
        return None
    found = values.children[0]
    for each in values.children[1:]:
        test = SyntaxNode("binary", each.position, BOOL, (found, each), relation, end=each.end, extent=values.extent)
        found = replace(test, kind="choice", text="", type=each.type, children=(test, found, each))
    return found


def unclear(cursor: Any, of: CType) -> str:
    """Return why it is not known to which member of an object a name refers; "" if it is known."""
    of, field = of.element if of.kind == "pointer" and of.element is not None else of, cursor.referenced
    if of.kind != "struct" or field is None or field.kind.name != "FIELD_DECL":
        return ""
    owner, name = field.semantic_parent, cursor.spelling
    own = [each for each, _ in of.fields].count(name)
    if own > 1:
        return f"'{name}', which a class and its base both have (give one of them another name),"
    other = owner.type.get_canonical().spelling != of.text and not owner.is_anonymous()
    words = f"'{name}' of a base that depends on a parameter of a template (declare it in the class itself),"
    return words if not own and other and owner.kind.name in ("CLASS_DECL", "STRUCT_DECL") else ""
