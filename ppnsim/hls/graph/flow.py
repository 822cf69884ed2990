"""From statements to a data-flow graph: values, loads and stores, each location forwarded where it is known (R2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ppnsim.hls.graph.branches import OpenBranch
from ppnsim.hls.graph.expressions import value_of
from ppnsim.hls.graph.memories import Memories
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.counting import is_data
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access, Operation, Statement


@dataclass(slots=True)
class Flow(Memories):
    """The graph of straight-line code while it is built.

    ``argument``: what a loop body takes from around it becomes an input through this. ``bound``: arrays with operators
    of a given latency. ``merges``: the multiplexers behind branches.
    """

    argument: Callable[[Operation, Statement], int | None] = lambda *_: None
    bound: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    merges: list[int] = field(default_factory=list)

    def step(self, step: GuardedStatement) -> None:
        """Add a statement."""
        statement = step.statement
        if statement.value is None or not statement.writes:
            if statement.value is not None:
                self.value(statement.value, statement)
            return
        target = statement.writes[0]
        to = self.format(target)
        other = self.branches.turn(step.conditions, self.known)
        chosen = self._alternative(other) if other is not None else None
        index = tuple(self.value(each, statement) for each in statement.index)
        raw = node = self.converted(self.value(statement.value, statement, to.whole), to)
        if target.array in self.bound:
            self._bind(node, *self.bound[target.array])
        if chosen is not None:
            # The values of the branch before are what this one is an alternative to.
            self.known = {**chosen, **{a: n for a, n in self.known.items() if a not in chosen}}
        for condition in step.conditions if chosen is None else step.conditions[-1:]:
            node = self._under(condition, target, node, to)
        self.store(target, node, index)
        for access in statement.writes[1:]:
            self.store(access, node)
        if self.branches.open and not target.random:
            self.branches.wrote(target, raw, node)

    def _bind(self, node: int, name: str, latency: int) -> None:
        """Give the operator that computes a value the latency that a directive asks for."""
        at = self.graph.nodes[node]
        while at.kind == "op" and at.name in ("cut", "shift") and at.operands:
            at = self.graph.nodes[at.operands[0]]
        if at.kind == "op" and at.name == name:
            at.states, at.entry = latency, self.library.budget
            at.delay = 0.0 if latency else at.delay

    def _alternative(self, branch: OpenBranch) -> dict[Access, int]:
        """Go back to what was known before a branch, for its ``else``, and return what was known after."""
        after, start = self.known, branch.before
        loaded = {a: n for a, n in after.items() if a not in start and self.graph.nodes[n].kind == "load"}
        self.known = {**start, **loaded}
        return after

    def _under(self, condition: Condition, target: Access, node: int, to: Format) -> int:
        """Return the value of a location after a statement that may not have been executed."""
        if target.random:
            return node
        if (old := self.known.get(target)) is None and not target.subscripts:
            old = self.load(target)
        if old is None:
            return node
        test = self.condition(condition)
        at, before = self.graph.nodes[node], self.graph.nodes[old]
        if is_data(condition) and before.name == "select" and len(before.operands) == 3:
            # Of what this branch and its alternative have chosen before, only one end is left.
            if before.operands[0] == test:
                old = before.operands[2]
            elif isinstance(condition, Not) and before.operands[0] == self.condition(condition.part):
                old = before.operands[1]
        if at.name == "select" and old in at.operands:
            # One multiplexer takes both: its condition and this one.
            found = self.op("select", to, (test, *at.operands))
        else:
            found = self.op("select", to, (test, node, old))
        self.merges.append(found)
        return found

    def finish(self) -> None:
        """Remove the multiplexers of branches whose values nobody uses."""
        nodes = self.graph.nodes
        uses = Counter(operand for node in nodes if node.kind != "dead" for operand in node.operands)
        uses.update(edge.source for edge in self.graph.back)
        for merge in reversed(self.merges):
            if not uses[merge] and nodes[merge].kind != "dead":
                nodes[merge].kind = "dead"
                uses.subtract(nodes[merge].operands)

    def value(self, tree: Operation, statement: Statement, whole: int | None = None) -> int:
        """Return the node of an expression of which ``whole`` bits before the point are wanted (None: all)."""
        if (given := self.argument(tree, statement)) is not None:
            return given
        return value_of(self, tree, statement, whole)
