"""Adds the start to loops that end where one pointer meets another: ``while (p < e) *p++ = 0;`` becomes a ``for``.

Statements before the loop must set both pointers, and nothing may change them in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.plain.joint_counters import Functions, replaced
from ppnsim.c.plain.nodes import assign, binary, block_of, statements, with_children
from ppnsim.c.plain.pointers import is_declaration
from ppnsim.c.syntax import SyntaxNode, Variable

_RELATIONS = ("<", "!=")
_EXITS = frozenset(("break", "continue", "return", "goto"))
_WAYS = frozenset(("if", "choice", "switch", "for", "while", "do", "range_for"))
_SHORT = ("&&", "||")


def with_starts(body: SyntaxNode, functions: Functions) -> SyntaxNode:
    """Return code in which the heads of loops over pointers tell the start and the end, as far as they are known."""
    if not any(_walked(each) is not None for each in body.walk("while", "for")):
        return body
    return _placed(body, frozenset(_changed(body, functions)), functions)


def _walked(loop: SyntaxNode) -> Variable | None:
    """Return the pointer that a loop compares with its end, None for other nodes."""
    if loop.kind not in ("while", "for"):
        return None
    test = loop.children[0 if loop.kind == "while" else 1]
    if test.kind != "binary" or test.text not in _RELATIONS or test.children[0].bare.kind != "name":
        return None
    pointer = test.children[0].bare.variable
    return pointer if pointer is not None and pointer.type.kind == "pointer" else None


def _set_by(node: SyntaxNode) -> Variable | None:
    """Return the variable that a node changes, or whose address it takes."""
    changes = node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&"))
    return node.children[0].bare.variable if changes and node.children[0].bare.kind == "name" else None


def _changed(node: SyntaxNode, functions: Functions) -> Iterator[Variable]:
    """Yield the variables that code changes, or passes by reference so that they may change."""
    for each in node.walk():
        given: Sequence[SyntaxNode] = ()
        if each.kind == "declare" and each.variable is not None and is_reference(each.variable):
            given = each.children
        if each.kind == "call" and each.text in functions:
            taken = zip(each.children, functions[each.text].parameters, strict=False)
            given = [child for child, parameter in taken if is_reference(parameter)]
        yield from filter(None, (_set_by(each), *(child.bare.variable for child in given)))


def is_reference(variable: Variable) -> bool:
    """Return whether a variable is a reference to a pointer."""
    return "*&" in variable.type.text.replace(" ", "")


def _placed(node: SyntaxNode, changed: frozenset[Variable], functions: Functions) -> SyntaxNode:
    children = node.children
    if node.kind in ("for", "while", "do", "if"):  # a body without braces
        children = tuple(block_of(each, (each,)) if _starts_apart(each)[0] else each for each in children)
    plain = with_children(node, tuple(_placed(each, changed, functions) for each in children))
    if plain.kind != "block" or is_declaration(plain):
        return plain
    known: dict[Variable, SyntaxNode] = {}
    made: list[SyntaxNode] = []
    for each in plain.children:
        before, loop = _starts_apart(each)
        own = frozenset(_changed(loop, functions))
        changes = own.union(*(_changed(part, functions) for part in before))
        still = {variable: value for variable, value in known.items() if variable not in changes}
        ends = {variable: value for part in before for variable, value in _value_of(part, own).items()}
        inside = still | {variable: value for variable, value in ends.items() if variable not in own}
        found = _loop(loop, known, inside) if loop.kind in ("while", "for") else loop
        made.append(block_of(each, (*before, found)) if before else found)
        known = still
        for part in each.children if is_declaration(each) else (each,):
            known |= _value_of(part, changed)
    return with_children(plain, made)


def _starts_apart(loop: SyntaxNode) -> tuple[list[SyntaxNode], SyntaxNode]:
    """Return the other starts in a loop's head, to stand before the loop: ``for (p = a, e = p + n; ...)``."""
    pointer, start = _walked(loop), loop.children[0] if loop.kind == "for" else loop
    starts = start.children if loop.kind == "for" and (start.kind == "block" or start.text == ",") else ()
    own = next((each for each in starts if pointer is not None and _started(each) is pointer), None)
    if own is None or pointer is None or len(starts) < 2:
        return [], loop
    at = starts.index(own)
    after = [_with_value(each, {pointer: own.children[-1]}) for each in starts[at + 1 :]]
    return [*starts[:at], *after], with_children(loop, (own, *loop.children[1:]))


def _with_value(node: SyntaxNode, by: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return a start with expressions for variables in its value: ``p + n`` with p at a + i becomes a + (i + n)."""
    if not node.children:
        return node
    value = replaced(node.children[-1].bare, by)
    inner = value.children[0].bare if value.kind == "binary" and value.text == "+" else value
    if inner is not value and inner.kind == "binary" and inner.text == "+":
        base, more = inner.children
        value = with_children(value, (base, binary("+", more, value.children[1], more.type)))
    return with_children(node, (*node.children[:-1], value))


def _started(node: SyntaxNode) -> Variable | None:
    variable = node.variable if node.kind == "declare" else _set_by(node) if node.text == "=" else None
    return variable if node.children else None


def _value_of(node: SyntaxNode, changed: frozenset[Variable]) -> dict[Variable, SyntaxNode]:
    """Return the pointer that a statement sets to a fixed place, with that place; empty for other statements."""
    variable = _started(node)
    if variable is None or variable.scope != "local" or variable.type.kind != "pointer":
        return {}
    value = node.children[-1].bare
    names = {each.variable for each in value.walk() if each.kind == "name"}
    kinds = {each.kind for each in value.walk()}
    stays = kinds <= {"name", "integer", "binary", "cast", "index", "unary"} and names.isdisjoint(changed)
    return {variable: value} if stays and "&" not in variable.type.text and _is_place(value) else {}


def _is_place(value: SyntaxNode) -> bool:
    if value.kind == "unary":
        return value.text == "&" and value.children[0].kind == "index"
    base = value.children[0].bare if value.kind == "binary" and value.text == "+" else value
    return base.kind == "name" and base.type.kind in ("array", "pointer")


def _loop(loop: SyntaxNode, known: Mapping[Variable, SyntaxNode], still: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return a loop with the place at which its pointer ends; a ``while`` becomes a ``for`` with its start.

    ``still`` are the pointers that the loop does not change.
    """
    if (pointer := _walked(loop)) is None:
        return loop
    test = loop.children[0 if loop.kind == "while" else 1]
    end = test.children[1].bare
    if end.variable is not None and end.variable in still:
        test = with_children(test, (test.children[0], still[end.variable]))
    if loop.kind == "for":
        return with_children(loop, (loop.children[0], test, *loop.children[2:]))
    if pointer not in known or (stepped := _stepped(statements(loop.children[1]), pointer)) is None:
        return loop
    step, inner = stepped
    start = assign(test.children[0].bare, known[pointer])
    return replace(loop, kind="for", children=(start, test, step, block_of(loop.children[1], inner)))


def _changes(node: SyntaxNode, variable: Variable) -> bool:
    return any(_set_by(each) is variable for each in node.walk())


def _stepped(inner: Sequence[SyntaxNode], pointer: Variable) -> tuple[SyntaxNode, Sequence[SyntaxNode]] | None:
    """Return the step of a pointer and the other statements of a body, None unless each iteration steps it once."""
    if any(each.kind in _EXITS for node in inner for each in node.walk()):
        return None
    if inner and step_of(inner[-1], pointer) is not None and not any(_changes(each, pointer) for each in inner[:-1]):
        return inner[-1], inner[:-1]
    step = _step_inside(inner, pointer)
    if step is None:
        return None

    def without(node: SyntaxNode) -> SyntaxNode:
        return node.children[0] if node is step else with_children(node, tuple(map(without, node.children)))

    return replace(step, text="++"), [without(each) for each in inner]


def _step_inside(inner: Sequence[SyntaxNode], pointer: Variable) -> SyntaxNode | None:
    """Return the only ``p++`` in code that does not name the pointer elsewhere, if each iteration executes it."""
    mentions = [each for node in inner for each in node.walk() if each.kind == "name" and each.variable is pointer]
    plain = [node for node in inner if not any(each.kind in _WAYS or each.text in _SHORT for each in node.walk())]
    steps = [each for node in plain for each in node.walk() if each.text == "x++" and _set_by(each) is pointer]
    return steps[0] if len(mentions) == len(steps) == 1 else None
