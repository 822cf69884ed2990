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
    statement, three results are cached: the variable that it sets itself (``targets``), whether it changes a counter
    (``changing``), and the names in it that are recorded (``noted``).
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

    def __post_init__(self) -> None:
        inside = (each for node in self.body for each in node.walk())
        self.own = {each.variable for each in inside if each.kind == "declare" and each.variable is not None}

    def once(self, values: Values) -> bool:
        """Update the values by one iteration; return whether the result is known."""
        self.done += 1
        known = all(self._statement(node, values) for node in self.body)
        for variable in values:
            if variable in self.own:
                values[variable] = None
        return known

    def _statement(self, node: SyntaxNode, values: Values) -> bool:
        if id(node) not in self.targets:
            self.targets[id(node)] = set_by(node)
        target = self.targets[id(node)]
        if target is not None and target in values:
            values[target] = changed_value(node, values)
            return values[target] is not None
        if id(node) not in self.changing:
            self.changing[id(node)] = any(sets(each, one) for one in values for each in node.walk())
        if not self.changing[id(node)]:
            self._note(node, values)
            return True
        if node.kind == "block":
            return all(self._statement(each, values) for each in node.children)
        if node.kind != "if" or (test := number_of(node.children[0], values)) is None:
            return False
        self._note(node.children[0], values)
        taken = node.children[1:2] if test else node.children[2:]
        return all(self._statement(each, values) for each in taken)

    def _note(self, node: SyntaxNode, values: Values) -> None:
        if id(node) not in self.noted:
            self.noted[id(node)] = [id(each) for each in node.walk() if id(each) in self.names]
        for each in self.noted[id(node)]:
            seen = self.seen.setdefault(each, [])
            seen += [None] * (self.done - 1 - len(seen))
            seen.append(values[self.variable])
