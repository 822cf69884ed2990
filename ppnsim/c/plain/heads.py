"""Rewrites the head of a ``for`` to have a single iterator; if that is impossible, the loop becomes a ``while``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.scaled import scaled
from ppnsim.c.lowering.variables.uses import changes
from ppnsim.c.plain.evaluate import adds, number_of, step_of
from ppnsim.c.plain.joint_counters import Functions, counters_of, in_terms_of, may_set, replaced, together
from ppnsim.c.plain.nodes import assign, block_of, number, statements
from ppnsim.c.plain.side_effects import works
from ppnsim.c.plain.whiles import SCALAR
from ppnsim.c.syntax import SyntaxNode, Variable


def plain_for(node: SyntaxNode, body: SyntaxNode, functions: Functions) -> SyntaxNode:
    """Return a loop for a ``for`` whose ``body`` has no early exits.

    In ``for (int i = 0, p = 8; i < n; i++, p--)``, the iterator is i, and ``8 - i`` replaces p. If p changes otherwise,
    it starts before the loop and steps in the body.
    """
    starts, condition, steps = _starts(node.children[0]), node.children[1], _parts(node.children[2])
    found = together(counters_of(starts, steps, (condition, body), functions), _tested(condition))
    if found is not None:
        values = in_terms_of(*found)
        condition, body = replaced(condition, values), replaced(body, values)
        starts = _without(starts, [each.start for each in found[1]])
        steps = _without(steps, [each.step for each in found[1]])
    variable, step = _iterator(condition, steps)
    first = next((each for each in starts if variable is not None and _started(each) is variable), None)
    before, behind = _without(starts, [first]), _in_order(step, steps)
    changed = step is not None and _is_computed(step, variable, first, body, functions)
    if variable is None or changed or _is_tested_anew(variable, condition, body, functions):
        test = number(node, 1) if condition.kind == "empty" else condition
        whole = block_of(body, (*statements(body), *steps))
        return _behind_starts(starts, replace(node, kind="while", children=(test, whole)))
    if first is None:
        name = SyntaxNode("name", node.position, variable.type, variable=variable, end=node.position.line)
        first = assign(name, name)
    assert step is not None
    whole = block_of(body, (*statements(body), *behind)) if behind else body
    return _behind_starts(before, replace(node, children=(first, condition, step, whole)))


def _is_tested_anew(variable: Variable, condition: SyntaxNode, body: SyntaxNode, functions: Functions) -> bool:
    """Return whether the step alone does not tell an iterator's values, or its test has side effects or is missing."""
    takes = any(works(each, functions) or _sets(each) for each in condition.walk())  # a side effect
    moved = takes or _changes(condition, variable) or _set_in(body, variable, functions)
    return moved or condition.kind == "empty" or variable.volatile  # each iteration accesses a volatile iterator


def _is_computed(
    step: SyntaxNode, variable: Variable | None, first: SyntaxNode | None, body: SyntaxNode, functions: Functions
) -> bool:  # fmt: skip
    """Return whether hardware must compute the next value of an iterator, because it is no sum of numbers and no shift.

    ``n = next[n]`` is work of each iteration, and so is ``v = v * v % 17``, unless v starts from a known number.
    """
    if variable is None or step.kind != "assign" or not step.children[1:]:
        return False
    if variable.type.kind != "integer":
        return variable.type.kind == "real"
    by = scaled(step, variable)
    if step_of(step, variable) is not None or (by is not None and (by[0] in ("<<", ">>") or not by[1] & (by[1] - 1))):
        return False
    value = step.children[1]
    named = {each.variable for each in value.walk("name") if each.variable is not None}
    numbers = all(each.kind in SCALAR for each in value.walk())
    if numbers and adds(step, variable):
        return any(may_set(body, each, functions) for each in named if each is not variable)
    known = first is not None and number_of(first.children[-1], {}) is not None
    return not (numbers and known and named <= {variable})


def _without(nodes: Sequence[SyntaxNode], some: Sequence[SyntaxNode | None]) -> list[SyntaxNode]:
    """Return the nodes that are not among some others."""
    return [each for each in nodes if all(each is not other for other in some)]


def _in_order(step: SyntaxNode | None, steps: Sequence[SyntaxNode]) -> list[SyntaxNode]:
    """Return the other steps; a step after the iterator's that reads the iterator, or sets its operands, is refused."""
    found, stepped = list[SyntaxNode](), False
    for each in steps:
        if each is step:
            stepped = True
        elif stepped and step is not None and _conflicts(step, each):
            words = f"'{each}' behind the step in the head of a loop that it reads (write both at the end of the body)"
            found.append(replace(each, kind="other", children=(), text=words))
        else:
            found.append(each)
    return found


def _conflicts(step: SyntaxNode, later: SyntaxNode) -> bool:
    """Return whether a later step reads the iterator, as in ``k++, b[k] += 1``, or sets what its step reads."""
    iterator = step.children[0].variable
    read = {each.variable for each in step.walk() if each.kind == "name" and each.variable}
    changed = later.children[0].variable if later.children else None
    outside = iterator is not None and iterator.scope in ("global", "static")  # a call may read it
    parts = list(later.walk())
    if changed in read or (outside and any(each.kind == "call" for each in parts)):
        return True
    return any(each.kind == "name" and each.variable is iterator for each in parts)


def _tested(condition: SyntaxNode) -> set[Variable | None]:
    """Return the variables in a condition."""
    return {each.variable for each in condition.walk() if each.kind == "name"}


def _sets(node: SyntaxNode) -> bool:
    return node.kind == "assign" or (node.kind == "unary" and node.text in STEPS)


def _changes(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a part of a loop changes its iterator."""
    for each in node.walk("assign", "unary"):
        if _sets(each) and each.children[0].kind == "name" and each.children[0].variable is variable:
            return True
    return False


def _set_in(body: SyntaxNode, variable: Variable, functions: Functions) -> bool:
    """Return whether a body changes an iterator, itself or by a function with a reference or a pointer to it."""
    if _changes(body, variable) or variable.type.kind != "integer":
        return _changes(body, variable)
    for call in body.walk("call"):
        function = functions.get(call.text)
        for argument, parameter in zip(call.children, function.parameters if function else (), strict=False):
            pointed = argument.kind == "unary" and argument.text == "&" and argument.children[0].variable is variable
            named = argument.kind == "name" and argument.variable is variable and "&" in parameter.type.text
            if function is not None and (pointed or (named and changes(function, parameter, functions))):
                return True
    return False


def _behind_starts(before: Sequence[SyntaxNode], loop: SyntaxNode) -> SyntaxNode:
    return block_of(loop, (*before, loop)) if before else loop


def _starts(node: SyntaxNode) -> list[SyntaxNode]:
    """Return the assignments and declarations at the start of a loop."""
    if node.kind == "empty":
        return []
    if node.kind == "block":
        return list(node.children)
    return _parts(node)


def _parts(node: SyntaxNode) -> list[SyntaxNode]:
    if node.kind == "empty":
        return []
    if node.kind == "join" or (node.kind == "binary" and node.text == ","):  # commas of ap_int concatenate
        return [part for child in node.children for part in _parts(child)]
    return [node]


def _started(node: SyntaxNode) -> Variable | None:
    if node.kind == "declare":
        return node.variable if node.children else None
    if node.kind == "assign" and node.text == "=" and node.children[0].kind == "name":
        return node.children[0].variable
    return None


def _iterator(condition: SyntaxNode, steps: Sequence[SyntaxNode]) -> tuple[Variable | None, SyntaxNode | None]:
    """Return the variable that the condition compares and a step changes, and that step."""
    tested = _tested(condition)
    for step in steps:
        changes = _sets(step)
        target = step.children[0] if changes else step
        takes = any(each.kind == "token" for each in step.walk())  # it reads a value and does not count
        if changes and not takes and target.kind == "name" and target.variable in tested:
            return target.variable, step
    return None, None
