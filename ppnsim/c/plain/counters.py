"""Replaces counters that decide about streams by expressions of the iterators, so that they are no longer data.

``s[k].write(x); k++; if (k == 4) k = 0;`` in a loop over i becomes ``s[i % 4].write(x)``, and the other statements
stay: the hardware still has the counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.kinds import Kind
from ppnsim.c.lowering.variables.reaching import set_by, sets
from ppnsim.c.plain.counter_values import CounterRun, Values
from ppnsim.c.plain.cycles import cycle_of
from ppnsim.c.plain.evaluate import changed_value
from ppnsim.c.plain.nodes import statements, with_children
from ppnsim.c.plain.phases import expression, phase_of
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_MOST = 1 << 14
"""Most iterations that are followed."""
_LEAVING: frozenset[Kind] = frozenset(("break", "continue", "return", "goto", "while", "do", "range_for", "switch"))


def with_counters(body: SyntaxNode) -> SyntaxNode:
    """Return the body of a function in which expressions of iterators replace counters that decide about streams."""
    found: dict[int, SyntaxNode] = {}
    if not any(_is_alias(node) for node in body.walk("declare")):
        _block(statements(body), set(_moved(body)), found)
    return _replaced(body, found) if found else body


def _is_alias(node: SyntaxNode) -> bool:
    """Return whether a node declares a reference to an integer, through which a counter may change."""
    of = node.variable.type if node.kind == "declare" and node.variable is not None else None
    return of is not None and of.kind == "pointer" and of.element is not None and of.element.kind == "integer"


def _moved(node: SyntaxNode) -> Iterator[Variable]:
    """Yield the variables that change, except in the heads of loops, because iterators are expressions already."""
    if (target := set_by(node)) is not None:
        yield target
    for place, child in enumerate(node.children):
        if node.kind != "for" or place not in (0, 2):
            yield from _moved(child)


def _block(nodes: Sequence[SyntaxNode], moved: set[Variable], found: dict[int, SyntaxNode]) -> None:
    """Add to ``found`` the expressions that replace names in some statements, by the identity of their nodes."""
    for place, node in enumerate(nodes):
        if node.kind == "for":
            wanted = [name for name in _deciding(node) if id(name) not in found and name.variable in moved]
            for variable in dict.fromkeys(name.variable for name in wanted):
                assert variable is not None
                _counted(node, nodes[:place], variable, [n for n in wanted if n.variable is variable], found)
            _block(statements(node.children[3]), moved, found)
        else:
            for inner in node.children:
                _block(statements(inner), moved, found)


def _deciding(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the names of local integers that select a stream, or decide whether a stream is accessed."""
    for each in node.walk("index", "if"):
        test = None
        if each.kind == "index" and _of_streams(each.type):
            test = each.children[1]
        elif each.kind == "if" and any(_of_streams(inner.type) for inner in each.walk()):
            test = each.children[0]
        for name in test.walk() if test is not None else ():
            local = name.variable is not None and name.variable.scope == "local"
            if name.kind == "name" and local and name.type.kind == "integer":
                yield name


def _of_streams(of: CType) -> bool:
    """Return whether a type is a stream, or an array of streams."""
    while of.kind in ("array", "pointer") and of.element is not None:
        of = of.element
    return of.kind == "stream"


def _counted(
    loop: SyntaxNode, before: Sequence[SyntaxNode], variable: Variable, names: Sequence[SyntaxNode],
    found: dict[int, SyntaxNode],
) -> None:  # fmt: skip
    """Add the expressions that replace names of a variable, if it is a counter of a loop or of an inner loop."""
    counters = _together(loop, variable)
    path = _path_of(loop, counters)
    if path is None or any(_is_given(loop, each) for each in counters):
        return
    phase, total = phase_of(path)
    if phase is None:
        return
    run = CounterRun(statements(path[-1].children[3]), {id(name) for name in names}, variable)
    values: Values = {each: _entry(before, each) for each in counters}
    first, period = dict(values), 0
    for count in range(min(total or _MOST, _MOST)):
        if count and values == first:
            period = count
            break
        if not run.once(values):
            return
    whole = total is not None and total <= _MOST and not period
    for name in names:
        seen = run.seen.get(id(name))
        if seen is not None and (period or whole) and (cycle := cycle_of(seen, period)) is not None:
            found[id(name)] = expression(cycle, phase, name)


def _together(loop: SyntaxNode, variable: Variable) -> list[Variable]:
    """Return a variable, and the variables that change in a loop and on which its changes depend."""
    changed = {target for each in loop.children[3].walk() if (target := set_by(each)) is not None}
    found = {variable: None}
    waiting = [variable]
    while waiting:
        changes = _changes_of(loop.children[3], waiting.pop())
        used = [each.variable for node in changes for each in node.walk() if each.kind == "name"]
        new = [each for each in dict.fromkeys(used) if each is not None and each in changed and each not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return list(found)


def _changes_of(node: SyntaxNode, variable: Variable) -> Iterator[SyntaxNode]:
    """Yield the statements that change a variable, and the conditions around them."""
    if sets(node, variable):
        yield node
    elif any(sets(inner, variable) for inner in node.walk()):
        if node.kind == "if":
            yield node.children[0]
        for child in node.children:
            yield from _changes_of(child, variable)


def _path_of(loop: SyntaxNode, counters: Sequence[Variable]) -> list[SyntaxNode] | None:
    """Return the loops down to the only one whose own statements change the counters, None if there is none."""
    path = [loop]
    while True:
        own = statements(path[-1].children[3])
        if any(each.kind in _LEAVING for node in own for each in node.walk()):
            return None
        changing = [node for node in own if any(sets(each, v) for v in counters for each in node.walk())]
        if not changing or any(each.kind == "for" for node in changing for each in node.walk()):
            if len(changing) != 1 or changing[0].kind != "for":
                return None
            path.append(changing[0])
            continue
        return path


def _is_given(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether an alias, or a function that gets the variable as an argument, may change it."""
    givers = (each for each in node.walk() if each.kind == "call" or (each.kind == "unary" and each.text == "&"))
    return any(child.bare.variable is variable for each in givers for child in each.children)


def _entry(before: Sequence[SyntaxNode], variable: Variable) -> int | None:
    """Return the value of a variable after some statements, None if it is not known."""
    for node in reversed(before):
        if node.kind == "block":
            if any(sets(each, variable) for each in node.walk()):
                return _entry(node.children, variable)
        elif sets(node, variable):
            return changed_value(node, {})
        if any(sets(each, variable) for each in node.walk()) or _is_given(node, variable):
            return None
    return None


def _replaced(node: SyntaxNode, found: dict[int, SyntaxNode]) -> SyntaxNode:
    if id(node) in found:
        return found[id(node)]
    return with_children(node, tuple(_replaced(child, found) for child in node.children))
