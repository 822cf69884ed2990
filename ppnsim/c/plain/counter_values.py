"""Computes the values of counters in each iteration of a loop, by execution of its statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.c.lowering.variables.reaching import set_by, sets
from ppnsim.c.plain.evaluate import changed_value, number_of
from ppnsim.c.syntax import SyntaxNode, Variable

Values = dict[Variable, int | None]


@dataclass(slots=True)
class CounterRun:
    """Follows the counters through the body of their loop; ``seen`` are the values of ``variable`` at its names.

    A value is None if the name is not reached; the body's ``own`` variables have no value between iterations. For each
    statement, four results are cached: the variable that it sets itself (``targets``), whether it changes a counter
    (``changing``), the names in it that are recorded (``noted``), and which of the statements in a list do any of this
    (``acting``): in each of thousands of iterations the others do nothing.
    """

    body: Sequence[SyntaxNode]
    names: set[int]
    variable: Variable
    own: set[Variable] = field(init=False)
    seen: dict[int, list[int | None]] = field(default_factory=dict)
    done: int = 0
    targets: dict[int, Variable | None] = field(default_factory=dict)
    changing: dict[int, bool] = field(default_factory=dict)
    noted: dict[int, list[int]] = field(default_factory=dict)
    acting: dict[tuple[int, bool], list[SyntaxNode]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        inside = (each for node in self.body for each in node.walk())
        self.own = {each.variable for each in inside if each.kind == "declare" and each.variable is not None}

    def once(self, values: Values) -> bool:
        """Update the values by one iteration; return whether the result is known."""
        self.done += 1
        known = self._all((0, True), self.body, values)
        for variable in values:
            if variable in self.own:
                values[variable] = None
        return known

    def _all(self, of: tuple[int, bool], nodes: Sequence[SyntaxNode], values: Values) -> bool:
        """Execute the statements ``of`` a node and its way; return whether all results are known."""
        if (acting := self.acting.get(of)) is None:
            acting = self.acting[of] = [each for each in nodes if self._acts(each, values)]
        return all(self._statement(each, values) for each in acting)

    def _acts(self, node: SyntaxNode, values: Values) -> bool:
        """Return whether a statement changes a counter or has a name that is recorded; note how."""
        target = self.targets[id(node)] = set_by(node)
        self.changing[id(node)] = any(sets(each, one) for one in values for each in node.walk())
        return target in values or self.changing[id(node)] or bool(self._names(node))

    def _statement(self, node: SyntaxNode, values: Values) -> bool:
        target = self.targets[id(node)]
        if target is not None and target in values:
            values[target] = changed_value(node, values)
            return values[target] is not None
        if not self.changing[id(node)]:
            self._note(node, values)
            return True
        if node.kind == "block":
            return self._all((id(node), True), node.children, values)
        if node.kind != "if" or (test := number_of(node.children[0], values)) is None:
            return False
        self._note(node.children[0], values)
        taken = node.children[1:2] if test else node.children[2:]
        return self._all((id(node), bool(test)), taken, values)

    def _names(self, node: SyntaxNode) -> list[int]:
        """Return the names in a statement that are recorded."""
        if id(node) not in self.noted:
            self.noted[id(node)] = [id(each) for each in node.walk() if id(each) in self.names]
        return self.noted[id(node)]

    def _note(self, node: SyntaxNode, values: Values) -> None:
        for each in self._names(node):
            seen = self.seen.setdefault(each, [])
            seen += [None] * (self.done - 1 - len(seen))
            seen.append(values[self.variable])
