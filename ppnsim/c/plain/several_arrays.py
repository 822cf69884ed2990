"""Rewrites pointers that point to several arrays in turn: a number selects the array, and each use is a choice by it.

``t = p; p = q; q = t;`` in a loop exchanges the buffers of a stencil. It becomes an exchange of such numbers, and
``p[i]`` becomes ``(p_array == 0 ? a : b)[i]``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.variables.reaching import followed
from ppnsim.c.plain.joint_counters import Functions
from ppnsim.c.plain.nodes import BOOL, INT, assign, binary, number, statements, with_children
from ppnsim.c.plain.walked_pointers import is_reference
from ppnsim.c.syntax import SyntaxNode, Variable

_MOST = 4
"""Most arrays to which one pointer may point: each access is written once for each array."""
_HEADS: Mapping[str, Collection[int]] = {"for": (0, 1, 2), "while": (0,), "do": (1,), "if": (0,), "switch": (0,)}
"""The indices of the children of a statement before which no statement can be inserted."""


@dataclass(frozen=True, slots=True)
class _Numbered:
    """Pointers that are copied to each other, each with its number, and the arrays that the numbers select."""

    numbers: Mapping[Variable, Variable]
    arrays: Sequence[SyntaxNode]


def with_numbers(body: SyntaxNode, parameters: Sequence[Variable], functions: Functions) -> SyntaxNode:
    """Return the body of a function in which no pointer is set to different arrays.

    A pointer whose uses all see one array stays a pointer, and so does a pointer that steps, or whose address is used.
    """
    for first in dict.fromkeys(_set_in(body)):
        found = _numbered(first, body, functions) if _is_moved(first, body) else None
        if found is not None:
            own = [_number_declaration(each, found, body) for each in parameters if each in found.numbers]
            changed = _with_numbers(body, found)
            body = with_children(changed, (*own, *statements(changed))) if own else changed
    return body


def _set_in(body: SyntaxNode) -> Iterator[Variable]:
    """Yield the pointers that a function assigns."""
    for node in body.walk("assign"):
        target = node.children[0] if node.text == "=" else None
        variable = target.variable if target is not None and target.kind == "name" else None
        if variable is not None and variable.type.kind == "pointer" and variable.scope in ("local", "parameter"):
            yield variable


def _is_moved(variable: Variable, body: SyntaxNode) -> bool:
    of = variable.type.element
    plain = of is not None and of.kind in ("integer", "real", "struct") and "&" not in variable.type.text
    return plain and not followed(variable, body, known=variable.scope == "parameter")


def _numbered(first: Variable, body: SyntaxNode, functions: Functions) -> _Numbered | None:
    """Return a pointer and all pointers copied to or from it, None if one of them is set to anything but an array."""
    group, values = dict.fromkeys([first]), list(_values(body))
    assigned = {variable for variable, _ in values}
    while more := [each for pair in values for each in _related(pair, group) if each in assigned and each not in group]:
        group |= dict.fromkeys(more)
    set_to = [place for variable, value in values if variable in group for place in _possible_values(value)]
    own = [SyntaxNode("name", body.position, each.type, variable=each) for each in group if each.scope == "parameter"]
    arrays = _arrays([*own, *(place for place in set_to if place.bare.variable not in group)])
    kept = frozenset((*group, *arrays))
    if not 1 < len(arrays) <= _MOST or any(_is_given(node, kept, functions) for node in body.walk()):
        return None
    numbers = {each: Variable(f"{each.name}_array", INT, "local", each.position) for each in group}
    return _Numbered(numbers, list(arrays.values()))


def _arrays(places: Sequence[SyntaxNode]) -> dict[Variable, SyntaxNode]:
    """Return the arrays to which pointers are set, an empty dict if one of them is set to anything else."""
    found: dict[Variable, SyntaxNode] = {}
    for each in places:
        variable = each.bare.variable
        points = variable is not None and variable.type.kind == "pointer" and variable.scope == "parameter"
        if variable is None or each.bare.kind != "name" or not (points or variable.type.kind == "array"):
            return {}
        found.setdefault(variable, each)
    return found


def _values(body: SyntaxNode) -> Iterator[tuple[Variable, SyntaxNode]]:
    """Yield each local pointer or pointer parameter with each value to which it is set."""
    for node in body.walk():
        variable = node.variable if node.kind == "declare" else None
        if node.kind == "assign" and node.text == "=" and node.children[0].kind == "name":
            variable = node.children[0].variable
        if variable is not None and variable.type.kind == "pointer" and "&" not in variable.type.text and node.children:
            yield variable, node.children[-1]


def _related(pair: tuple[Variable, SyntaxNode], group: Mapping[Variable, None]) -> list[Variable]:
    """Return the sources of an assignment if its target is in a group, its target if a source is in the group."""
    to, value = pair
    copied = [each.bare.variable for each in _possible_values(value)]
    if to in group:
        return [each for each in copied if each is not None and each.type.kind == "pointer"]
    return [to] if any(each in group for each in copied if each is not None) else []


def _possible_values(value: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the values that an expression may have, for all outcomes of its conditions."""
    if value.bare.kind == "choice":
        for each in value.bare.children[1:]:
            yield from _possible_values(each)
    else:
        yield value


def _is_given(node: SyntaxNode, kept: Collection[Variable | None], functions: Functions) -> bool:
    """Return whether a node steps one of some pointers, or passes it so that other code may set it."""
    given: Sequence[SyntaxNode] = ()
    if (node.kind == "unary" and node.text in (*STEPS, "&")) or (node.kind == "assign" and node.text != "="):
        given = node.children[:1]
    elif node.kind == "declare" and node.variable is not None and is_reference(node.variable):
        given = node.children
    elif node.kind == "call" and node.text in functions:
        taken = functions[node.text].parameters
        given = [each for each, parameter in zip(node.children, taken, strict=False) if is_reference(parameter)]
    return any(each.bare.kind == "name" and each.bare.variable in kept for each in given)


def _name(variable: Variable, near: SyntaxNode) -> SyntaxNode:
    return SyntaxNode("name", near.position, INT, variable=variable, end=near.end, extent=near.extent)


def _number_declaration(parameter: Variable, found: _Numbered, body: SyntaxNode) -> SyntaxNode:
    """Return the declaration of the number of a parameter, which first points to its own memory."""
    at = next(k for k, each in enumerate(found.arrays) if each.bare.variable is parameter)
    own = found.numbers[parameter]
    return SyntaxNode("declare", body.position, INT, (number(body, at),), variable=own, end=body.position.line)


def _with_numbers(node: SyntaxNode, found: _Numbered, *, head: bool = False) -> SyntaxNode:
    """Return a node with numbers for pointers; in a ``head``, the choice is between elements of all arrays.

    Elsewhere the statement is later written once for each array (`with_ways`), so that only one array is accessed.
    """
    if node.variable is not None and node.variable in found.numbers:
        own = found.numbers[node.variable]
        if node.kind == "declare":
            return replace(node, type=INT, variable=own, children=tuple(_value(each, found) for each in node.children))
        return _chosen(own, node, found.arrays)
    if node.kind == "assign" and node.text == "=" and (target := node.children[0].variable) in found.numbers:
        assert target is not None
        return assign(_name(found.numbers[target], node), _value(node.children[1], found))
    if head and (root := _root(node)) in found.numbers:
        assert root is not None
        return _chosen(found.numbers[root], node, [_in_array(node, each, found) for each in found.arrays])
    heads = _HEADS.get(node.kind, ())
    changes = node.kind in ("assign", "call") or (node.kind == "unary" and node.text in (*STEPS, "&"))
    inside = head and not changes
    made = tuple(_with_numbers(each, found, head=inside or at in heads) for at, each in enumerate(node.children))
    return with_children(node, made)


def _root(node: SyntaxNode) -> Variable | None:
    """Return the variable to which an element or a member belongs, None for other nodes."""
    inner = node
    while inner.kind in ("index", "member"):
        inner = inner.children[0]
    return inner.variable if inner is not node and inner.kind == "name" else None


def _in_array(node: SyntaxNode, array: SyntaxNode, found: _Numbered) -> SyntaxNode:
    """Return an element, or a member, of an array that replaces the pointer."""
    if node.kind == "name":
        return replace(array, position=node.position, end=node.end, extent=node.extent)
    inner, *others = node.children
    return with_children(node, (_in_array(inner, array, found), *(_with_numbers(each, found) for each in others)))


def _value(value: SyntaxNode, found: _Numbered) -> SyntaxNode:
    """Return the number for the value to which a pointer is set."""
    bare = value.bare
    if bare.kind == "choice":
        test, *ways = bare.children
        return replace(bare, type=INT, children=(_with_numbers(test, found), *(_value(each, found) for each in ways)))
    assert bare.variable is not None
    if bare.variable in found.numbers:
        return _name(found.numbers[bare.variable], value)
    return number(value, next(k for k, each in enumerate(found.arrays) if each.bare.variable is bare.variable))


def _chosen(own: Variable, node: SyntaxNode, ways: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return the choice by a number that replaces a node."""
    *others, chosen = (replace(each, position=node.position, end=node.end, extent=node.extent) for each in ways)
    name = _name(own, node)
    for at, each in reversed(list(enumerate(others))):
        test = replace(binary("==", name, number(name, at), BOOL), position=node.position)
        chosen = SyntaxNode("choice", node.position, each.type, (test, each, chosen), end=node.end, extent=node.extent)
    return chosen
