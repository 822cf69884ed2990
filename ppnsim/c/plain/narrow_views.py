"""Rewrites accesses through pointers to numbers of another width: bytes of words become bits, bytes join to words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.joint_counters import may_set
from ppnsim.c.plain.nodes import number, with_children
from ppnsim.c.plain.views import View, seen_through, view_of
from ppnsim.c.plain.widths_in_memory import is_wide_alone
from ppnsim.c.syntax import Function, SyntaxNode, Variable

FORM_OF = "form of "
"""Prefix of the attribute that marks a function as a variant of another one for arrays of another width."""


def with_other_widths(body: SyntaxNode, functions: Mapping[str, Function]) -> SyntaxNode:
    """Return code with ``p = (char *)&a[k]; .. p[i] ..`` as bits of ``a[k + i / 4]``, ``((int *)b)[i]`` as bytes of b.

    The pointer must be set once, and its target must not change while it is used. The lowest byte comes first.
    """
    if not any(each.type.kind == "pointer" for each in body.walk("cast")) or is_wide_alone(body):
        return body
    known: dict[Variable, View] = {}
    made = seen_through(_without_sets(body, known, functions), known)
    left = {each.variable for each in made.walk() if each.kind == "name" and each.variable in known}
    return body if left else made


def with_own_views(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return functions, with a variant for each that is called with an array as numbers of another width."""
    made = dict(functions)
    for name, function in functions.items():
        if function.body is not None and not function.system:
            made[name] = replace(function, body=_with_variants(function.body, made))
    return made


def _with_variants(node: SyntaxNode, functions: dict[str, Function]) -> SyntaxNode:
    """Return code that calls the variants, which take the arrays as they are."""
    if not node.children:
        return node
    plain = with_children(node, tuple(_with_variants(each, functions) for each in node.children))
    called = functions.get(plain.text) if plain.kind == "call" else None
    if called is None or called.body is None:
        return plain
    arguments, parameters, body = list(plain.children), list(called.parameters), called.body
    for at, (argument, parameter) in enumerate(zip(plain.children, called.parameters, strict=False)):
        view = view_of(argument, {})
        if view is None:
            continue
        taken = replace(parameter, type=replace(argument.bare.type, kind="pointer"))
        if taken.type.element is None:
            continue
        own = SyntaxNode("name", parameter.position, taken.type, variable=taken, end=parameter.position.line)
        body = seen_through(body, {parameter: View(own, number(own, 0), view.wide)})
        if any(each.variable is parameter for each in body.walk()):
            return plain  # the function moves the pointer, or passes it on
        arguments[at], parameters[at] = argument.bare, taken
    if body is called.body:
        return plain
    name = f"{called.name}_of_{'_'.join(str(each.type.base().bits) for each in parameters)}"
    form = replace(called, name=name, parameters=tuple(parameters), body=body, attributes=(f"{FORM_OF}{called.name}",))
    if functions.setdefault(name, form).attributes != form.attributes:
        return plain  # the source has a function of this name
    return replace(plain, text=name, children=tuple(arguments))


def _without_sets(
    node: SyntaxNode, known: dict[Variable, View], functions: Mapping[str, Function]
) -> SyntaxNode:  # fmt: skip
    """Return code without the statements that set such pointers; ``known`` records the pointers."""
    if node.kind != "block":
        return with_children(node, tuple(_without_sets(each, known, functions) for each in node.children))
    found: list[SyntaxNode] = []
    here: set[Variable] = set()
    for at, each in enumerate(node.children):
        rest = node.children[at + 1 :]
        pointer, value = _pointer_set(each)
        if pointer is not None and pointer in here and _moves_on(value, pointer) and not _mentioned(rest, pointer):
            continue
        view = view_of(value, {}) if value is not None and pointer is not None else None
        if pointer is None or view is None:
            found.append(_without_sets(each, known, functions))
        elif pointer in known or _changes(rest, view, functions):
            found.append(each)
        else:
            known[pointer] = view
            here.add(pointer)
    return with_children(node, tuple(found))


def _pointer_set(node: SyntaxNode) -> tuple[Variable | None, SyntaxNode | None]:
    """Return the pointer that a statement sets, and its value; None for other statements."""
    if node.kind == "block" and len(node.children) == 1:
        return _pointer_set(node.children[0])
    pointer = node.variable
    if node.kind == "declare" and pointer is not None and node.children:
        value = node.children[0]
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


def _changes(nodes: Sequence[SyntaxNode], view: View, functions: Mapping[str, Function]) -> bool:
    """Return whether statements may change variables on which the place of a view depends."""
    names = {each.variable for part in (view.array, view.first) for each in part.walk() if each.variable is not None}
    names -= {view.array.variable} if view.array.type.kind == "array" else set()
    return any(may_set(node, name, functions) or _sets_part(node, name) for node in nodes for name in names)


def _sets_part(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a statement may change an element of a table, or a member, with which a view begins."""
    if variable.type.kind not in ("array", "struct"):
        return False
    changes = (each for each in node.walk() if each.kind in ("assign", "call") or each.text in (*STEPS, "&"))
    targets = (child for each in changes for child in (each.children if each.kind == "call" else each.children[:1]))
    return any(part.variable is variable for target in targets for part in target.walk())
