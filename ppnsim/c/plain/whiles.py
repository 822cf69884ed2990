"""Rewrites loops whose condition compares a counter that their body steps as ``for`` loops.

``while (i < 9) { a[i] = 0; i++; }`` becomes ``for (; i < 9; i++) a[i] = 0;``. The same result comes from ``while (true)
{ if (i >= 9) break; a[i] = 0; i++; }``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.evaluate import changed_value, number_of, step_of
from ppnsim.c.plain.joint_counters import Functions, may_set, replaced
from ppnsim.c.plain.nodes import BOOL, assign, binary, block_of, is_value, number, statements, with_children
from ppnsim.c.plain.pointers import is_declaration
from ppnsim.c.plain.tested_steps import moved, only_step, postfix_step, replaced_node, signed_step
from ppnsim.c.syntax import SyntaxNode, Variable

SCALAR = frozenset(("name", "integer", "binary", "unary", "cast", "choice"))
"""Kinds of nodes in expressions of numbers and scalars."""


def as_for(
    test: SyntaxNode, body: SyntaxNode, node: SyntaxNode, functions: Functions
) -> tuple[SyntaxNode, tuple[SyntaxNode, ...]] | None:
    """Return a loop with a leading test as a ``for`` without a start, and the code after it; None if impossible.

    The body has no early exits, steps the counter once in every iteration, and has other statements. The test itself
    may step the counter; it reads variables only.
    """
    if any(each.kind not in SCALAR for each in test.walk()):
        return None
    test, step, inner = _with_step(_plain(test), list(statements(body)))
    for variable in dict.fromkeys(each.variable for each in test.walk() if each.kind == "name"):
        if variable is None or variable.scope not in ("local", "parameter") or variable.type.kind != "integer":
            continue
        places = [at for at, each in enumerate(inner) if may_set(each, variable, functions)]
        by = step_of(inner[places[0]], variable) if len(places) == 1 else None
        if not by or len(inner) < 2 or may_set(test, variable, functions):
            continue
        (at,) = places
        name = SyntaxNode("name", test.position, variable.type, variable=variable, end=test.end, extent=test.extent)
        later = binary("+", name, number(name, by), variable.type)
        behind = (replaced(each, {variable: later}) for each in inner[at + 1 :])
        start = SyntaxNode("empty", node.position, end=node.position.line)
        whole = block_of(body, (*inner[:at], *behind))
        loop = replace(node, kind="for", children=(start, _compared(test, variable), inner[at], whole))
        if step is None:
            return loop, ()
        last = assign(name, number(name, by)) if test.bare.kind == "name" else step
        return loop, (replace(last, end=node.end),)
    return None


def _with_step(
    test: SyntaxNode, inner: list[SyntaxNode]
) -> tuple[SyntaxNode, SyntaxNode | None, list[SyntaxNode]]:  # fmt: skip
    """Return a test without the step in it, ``while (i--)``, that step, and the body that begins with it."""
    if (step := postfix_step(test) or signed_step(test)) is None:
        return test, None, inner
    return replaced_node(test, step, None if step.text[0] == "x" else moved(step, 1)), step, [step, *inner]


def as_walked(
    test: SyntaxNode, body: SyntaxNode, node: SyntaxNode, before: Sequence[SyntaxNode], functions: Functions
) -> SyntaxNode | None:
    """Return a ``while`` whose last statement steps a counter from a number on, ``w *= 2``, as a ``for``; else None."""
    inner = statements(body)
    step = inner[-1] if inner else node
    variable = step.children[0].variable if step.kind == "assign" and step.children[0].kind == "name" else None
    if variable is None or variable.scope != "local" or variable.type.kind != "integer" or len(inner) < 2:
        return None
    numbers = all(each.kind in SCALAR and each.variable in (None, variable) for each in step.children[1].walk())
    if not numbers or step_of(step, variable) is not None or all(each.variable is not variable for each in test.walk()):
        return None
    if any(may_set(each, variable, functions) for each in (test, *inner[:-1])):
        return None
    if (value := value_before(variable, before, functions)) is None:
        return None
    start = assign(step.children[0], number(node, value, variable.type))
    return replace(node, kind="for", children=(start, test, step, block_of(body, inner[:-1])))


def leaves_first(test: SyntaxNode, body: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode]:
    """Return condition and body of a loop; for an endless loop with a leading exit test, the condition is that test."""
    inner = statements(body)
    first = inner[0] if inner else None
    if first is None or first.kind != "if" or len(first.children) != 2 or not _is_endless(test):
        return test, body
    taken = statements(first.children[1])
    if len(taken) != 1 or taken[0].kind != "break":
        return test, body
    negated = SyntaxNode("unary", first.position, BOOL, (first.children[0],), "!", end=first.end)
    return negated, block_of(body, inner[1:])


def as_left_for(
    test: SyntaxNode, body: SyntaxNode, node: SyntaxNode, functions: Functions
) -> tuple[SyntaxNode, tuple[SyntaxNode, ...]] | None:
    """Return a loop that steps a counter and that data may also end, as a ``for``, and the code after it; else None.

    Data ends it by another part of the test, ``i < n && a[i] != k``, or by a ``break``, if the step is the last
    statement. The first part of the test may step the counter, ``i-- > 0 && a[i] != k``, before all ways out.
    """
    ways = {each.kind for each in body.walk()}
    inside = _with_step_inside(_plain(test), body)
    test, whole, *step = inside or ended_by_data(test, body, members=True)
    if "continue" in ways or (whole is body and "break" not in ways):
        return None
    loop, behind = as_for(test, whole, node, functions) or (None, ())
    last = loop is not None and loop.children[2] is statements(whole)[-1]
    if loop is None or behind or ("break" in ways and not last and not step):
        return None
    return loop, tuple(replace(each, end=node.end) for each in step)


def _with_step_inside(test: SyntaxNode, body: SyntaxNode) -> tuple[SyntaxNode, SyntaxNode, SyntaxNode] | None:
    """Return the first part of a test without its step, a body of step, other parts and statements, and the step."""
    first, *rest = conjuncts(test)
    step = postfix_step(first)
    if step is None or not rest or not all(map(is_value, rest)):
        return None
    whole = _unless(reduce(_and, rest), body)
    return replaced_node(first, step), block_of(whole, (step, *statements(whole))), step


def ended_by_data(test: SyntaxNode, body: SyntaxNode, *, members: bool = False) -> tuple[SyntaxNode, SyntaxNode]:
    """Return the scalar parts of a test, ``i < n``, and the body with a ``break`` for its other parts.

    A test with a side effect or a call stays in its order: the parts that read an array come last, or none is moved.
    Members of objects, ``i < size.rows``, are moved with other data, or if ``members``.
    """
    parts = list(conjuncts(_plain(test)))
    rest = [each for each in parts if any(inner.kind not in SCALAR for inner in each.walk())]
    data = members or any(inner.kind not in (*SCALAR, "member") for each in rest for inner in each.walk())
    if not data or len(rest) in (0, len(parts)) or not (is_value(test) or _come_last(rest, parts)):
        return test, body
    scalars = [each for each in parts if each not in rest]
    return reduce(_and, scalars), _unless(reduce(_and, rest), body)


def _come_last(rest: Sequence[SyntaxNode], parts: Sequence[SyntaxNode]) -> bool:
    """Return whether some parts of a test read arrays and come after all others, which have no side effects."""
    first = len(parts) - len(rest)
    arrays = all(any(inner.kind == "index" or inner.type.size for inner in each.walk()) for each in rest)
    return arrays and all(map(is_value, parts[:first])) and all(each in rest for each in parts[first:])


def conjuncts(test: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the parts of a test that must all be true."""
    if test.bare.kind == "binary" and test.bare.text == "&&":
        for each in test.bare.children:
            yield from conjuncts(each)
    else:
        yield test


def _and(left: SyntaxNode, right: SyntaxNode) -> SyntaxNode:
    return binary("&&", left, right, BOOL)


def _unless(test: SyntaxNode, body: SyntaxNode) -> SyntaxNode:
    """Return the body of a loop that begins with an exit unless a test is true."""
    negated = SyntaxNode("unary", test.position, BOOL, (test,), "!", end=test.end, extent=test.extent)
    leave = block_of(test, (replace(negated, kind="break", children=(), text="test"),))
    return block_of(body, (replace(negated, kind="if", children=(negated, leave), text=""), *statements(body)))


def begins_true(node: SyntaxNode, before: Sequence[SyntaxNode], functions: Functions) -> SyntaxNode:
    """Return a ``do`` whose test is also true at its start as a ``while``; return other statements unchanged.

    A step in the test, ``while (++i < 9)``, is behind the body then.
    """
    given = node.children[1] if node.kind == "do" else None
    if given is None:
        return node
    test, body = given, node.children[0]
    if (step := only_step(test)) is not None:
        if any(body.walk("continue")) or (postfix_step(test) and not signed_step(test)):
            return node
        test, body = replaced_node(test, step), block_of(body, (*statements(body), step))
    used = {each.variable for each in test.walk() if each.variable is not None}
    values = {variable: value_before(variable, before, functions) for variable in used}
    if step is not None and step.text[0] == "x":  # the test sees the value before the step
        test = replaced_node(given, step, moved(step, -1))
    return replace(node, kind="while", children=(test, body)) if number_of(test, values) else node


def with_start(node: SyntaxNode, before: Sequence[SyntaxNode], functions: Functions) -> SyntaxNode:
    """Return a ``for`` whose iterator starts at the value that it has before the loop, where that value is known.

    ``int j = i - 1; for (; j >= 0; j--)`` starts at ``i - 1``. The value is a number, or a sum of other variables that
    no statement between it and the loop sets.
    """
    start = node.children[0]
    variable = start.children[0].variable if node.kind == "for" and start.kind == "assign" else None
    if variable is None or start.children[1].variable is not variable:
        return node
    value = value_before(variable, before, functions)
    first = _sum(variable, before, functions) if value is None else number(start, value, variable.type)
    return with_children(node, (start if first is None else assign(start.children[0], first), *node.children[1:]))


def value_before(variable: Variable, before: Sequence[SyntaxNode], functions: Functions) -> int | None:
    """Return the number that statements leave in a variable, None if it is not known."""
    last, _ = _last_set(variable, before, functions)
    return None if last is None else changed_value(last, {})


def _sum(variable: Variable, before: Sequence[SyntaxNode], functions: Functions) -> SyntaxNode | None:
    """Return the sum that statements assign to a variable, None if later ones may change a variable in the sum."""
    last, later = _last_set(variable, before, functions)
    found = None if last is None or not last.children else last.children[-1]  # declared without a value
    if found is None or any(each.kind not in SCALAR or each.type.kind != "integer" for each in found.walk()):
        return None
    if any(each.kind == "choice" or each.text in ("/", "%", "<<", ">>", "&", "|", "^") for each in found.walk()):
        return None
    named = {each.variable for each in found.walk() if each.variable is not None}
    free = variable not in named and all(each.scope in ("local", "parameter") for each in named)
    return found if free and not any(may_set(each, name, functions) for each in later for name in named) else None


def _last_set(
    variable: Variable, before: Sequence[SyntaxNode], functions: Functions
) -> tuple[SyntaxNode | None, Sequence[SyntaxNode]]:
    """Return the last statement that sets a variable, and the statements after it; None if another may set it."""
    before = [inner for each in before for inner in (each.children if is_declaration(each) else (each,))]
    at = next((place for place in reversed(range(len(before))) if may_set(before[place], variable, functions)), None)
    if at is None or not (sets(before[at], variable) and (before[at].kind == "declare" or before[at].text == "=")):
        return None, ()
    return before[at], before[at + 1 :]


def _is_endless(test: SyntaxNode) -> bool:
    return test.kind == "empty" or bool(test.bare.value)


_INVERSE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def _plain(test: SyntaxNode) -> SyntaxNode:
    """Return a test without a ``!`` before a comparison of integers, or before an ``||``: ``!(i < 0 || a[i] == k)``."""
    bare = test.bare if test.type.kind != "real" else test
    if bare.kind == "binary" and bare.text == "&&":
        return replace(bare, children=tuple(map(_plain, bare.children)))
    if bare.kind == "unary" and bare.text == "!":
        inner = bare.children[0].bare
        if inner.kind == "binary" and inner.text in _INVERSE and inner.children[0].type.kind == "integer":
            return replace(inner, text=_INVERSE[inner.text])
        if inner.kind == "binary" and inner.text == "||":
            return _and(*(_plain(replace(bare, children=(each,))) for each in inner.children))
    return test


def _compared(test: SyntaxNode, variable: Variable) -> SyntaxNode:
    """Return a test that is only a counter as its comparison with 0."""
    if test.bare.kind == "name" and test.bare.variable is variable:
        return binary("!=", test.bare, number(test, 0, variable.type), BOOL)
    return test
