"""Finds the values that variables can have at a loop, from the assignments and conditions on the paths to the loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.kinds import LOOPS, STEPS, Kind
from ppnsim.c.lowering.control.asserted import Assertion, asserted
from ppnsim.c.lowering.control.value_ranges import combined, held, is_own, reach, under
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.constants import extreme
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.lowering.variables.reaching import set_by
from ppnsim.c.lowering.variables.uses import AROUND
from ppnsim.c.syntax import Function, SyntaxNode, Variable
from ppnsim.loops.position import Position

Values = Mapping[Variable, ValueRange]
_ONCE = frozenset(("block", "if", "declare", "return", "empty", "left", *LOOPS))
"""Statements that control enters at their start; others, such as a ``switch``, may be entered in the middle."""
_ENTERED = frozenset(("block", "if", *LOOPS))
_JUMPS: tuple[Kind, ...] = ("goto", "asm", "try")


def at_loop(loop: SyntaxNode, scope: Scope, counter: Variable | None = None) -> Scope:
    """Return the scope with the possible values of variables in each test of a loop, where a limit is known.

    Variables that code outside of the function may change have no limit, and neither have variables that the loop sets,
    except that a ``counter`` has the values with which the loop begins.
    """
    tests = asserted(scope)
    named = (each.variable for part in loop.children[:2] for each in part.walk("name"))
    if not tests and not any(each in scope.changed for each in named):
        return scope
    function, context = scope.function, scope.context
    if function.body is None or any(function.walk(*_JUMPS)):
        return scope
    first: dict[Variable, ValueRange] = {}
    for each in function.parameters if len(scope.path) == 1 else ():
        if is_own(each) and each.name in context.settings:
            first[each] = ValueRange(*[context.settings[each.name]] * 2)
    still = {name: value for name, value in scope.bindings.items() if name not in scope.changed}
    shared = scope.others | frozenset(_escaped(function, context.unit.functions))
    way = _PathToLoop(loop, replace(scope, bindings=still, context=replace(context, facts=[])), shared, tests)
    way.after(function.body, first)
    return scope if way.found is None else replace(scope, reached=_without(way.found, _set_in(loop) - {counter}))


@dataclass(slots=True)
class _PathToLoop:
    """Walks through a function; ``found`` are the values that reach the loop, None if control does not reach it.

    The function asserts ``tests``, each of which holds from its place on.
    """

    loop: SyntaxNode
    scope: Scope
    shared: frozenset[Variable]
    tests: Sequence[Assertion] = ()
    found: Values | None = None

    def after(self, node: SyntaxNode, values: Values | None) -> Values | None:
        """Return the values after a statement, None if control never leaves it."""
        if values is None:
            return None
        if node.kind in LOOPS and (node.position, node.extent) == (self.loop.position, self.loop.extent):
            self.found = values if self.found is None else _either(self.found, values)
        if node.kind == "block":
            for each in node.children:
                values = self.after(each, values)
                if values is not None and each.kind not in _ENTERED:
                    values = self._asserted(values, each.position)
            return values
        if node.kind == "if":
            return self._choice(node, values)
        if node.kind in LOOPS:
            return self._around(node, values)
        if node.kind in ("return", "break", "continue"):
            return None
        if node.kind in _ONCE or not any(each.kind in LOOPS for each in node.walk()):
            return self._evaluated(node, values)
        return self._entered(node, values)

    def _asserted(self, values: Values, at: Position) -> Values:
        """Return the values behind a statement, which may be what the compiler has made of an assertion."""
        for test, columns in self.tests:
            here = test.position.line == at.line and at.column in columns
            values = self._under(test, values, holds=True) if here else values
        return values

    def _choice(self, node: SyntaxNode, values: Values) -> Values | None:
        test, *branches = node.children
        values = self._evaluated(test, values)
        first, *other = (self.after(each, self._under(test, values, holds=at == 0)) for at, each in enumerate(branches))
        second = other[0] if other else self._under(test, values, holds=False)
        return second if first is None else first if second is None else _either(first, second)

    def _around(self, loop: SyntaxNode, values: Values) -> Values:
        """Return the values after a loop; an iteration starts with the variables that the loop does not set."""
        parts = list(loop.children)
        if loop.kind == "for":
            values = self._evaluated(parts.pop(0), values)
        values = _without(values, _set_in(loop))
        if loop.kind in ("for", "while"):
            self.after(parts[-1], self._under(parts[0], values, holds=True))
        else:
            self._entered(loop, values)
        return values

    def _entered(self, node: SyntaxNode, values: Values) -> Values:
        """Return the values after a statement that control may enter, leave and repeat at any place."""
        values = _without(values, _set_in(node))
        for each in node.children:
            self.after(each, values) if each.kind in _ONCE else self._entered(each, values)
        return values

    def _evaluated(self, node: SyntaxNode, values: Values) -> Values:
        """Return the values after an expression or a declaration; variables changed inside it become unknown."""
        own = set_by(node)
        values = _without(values, {each for child in node.children for each in _set_in(child)})
        if own is None:
            return _without(values, _set_in(node))
        found = None if own in self.shared or not is_own(own) else self._set(node, own, values)
        return {**_without(values, {own}), **({} if found is None else {own: found})}

    def _set(self, node: SyntaxNode, own: Variable, values: Values) -> ValueRange | None:
        """Return the value that a node assigns to a variable, None if it is not known."""
        scope = replace(self.scope, reached=values)
        if node.kind == "declare":
            return held(reach(node.children[0], scope), own.type) if node.children else None
        if node.kind == "unary":
            step = 1 if "+" in node.text else -1
            return held(combined("+", reach(node.children[0], scope), ValueRange(step, step)), own.type)
        before, value = (reach(each, scope) for each in node.children)
        return held(value if node.text == "=" else combined(node.text[:-1], before, value), own.type)

    def _under(self, test: SyntaxNode, values: Values, *, holds: bool) -> Values:
        reached = under(test, replace(self.scope, reached=values), holds=holds).reached
        return _without(reached, self.shared)


def _either(left: Values, right: Values) -> Values:
    return {name: left[name].either(right[name]) for name in left if name in right}


def _without(values: Values, names: Iterable[Variable]) -> Values:
    left = frozenset(names)
    return {name: value for name, value in values.items() if name not in left}


def _set_in(node: SyntaxNode) -> set[Variable]:
    """Return the variables that a node sets, as a whole or in part."""
    found = {set_by(node)}
    for each in node.walk("assign", "unary", "declare"):
        found.add(set_by(each))
        if each.kind == "assign" or each.text in STEPS:
            found |= {name.variable for name in each.children[0].walk("name")}
    return {each for each in found if each is not None}


def _escaped(function: Function, functions: Mapping[str, Function]) -> Iterator[Variable]:
    """Yield the variables whose address escapes: by pointers, by references, to functions without a body."""
    for node in function.walk("unary", "declare", "call", "list"):
        for each in _addresses_in(node, functions):
            yield from (name.variable for name in each.walk("name") if name.variable is not None)


def _addresses_in(node: SyntaxNode, functions: Mapping[str, Function]) -> tuple[SyntaxNode, ...]:
    """Return the expressions in a node whose address may be kept elsewhere."""
    kept = node.kind == "list" or (node.kind == "unary" and node.text == "&")
    if node.kind == "declare" and node.variable is not None:
        kept = "&" in node.variable.type.text or node.variable.type.kind == "struct"
    if node.kind != "call" or node.text in AROUND or extreme(node, functions):
        return node.children if kept else ()
    called = functions.get(node.text)
    parameters = called.parameters if called is not None and called.body is not None else ()
    by_value = [at for at, each in enumerate(parameters) if "&" not in each.type.text]
    return tuple(each for at, each in enumerate(node.children) if at not in by_value)
