"""The builder of data-flow graphs: statements become operators, branches multiplexers, and results stores (R2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ppnsim.hls.graph.common_operators import by_sign, for_both, sunk
from ppnsim.hls.graph.exclusive import OpenBranch
from ppnsim.hls.graph.expressions import Expressions, Invariant
from ppnsim.hls.graph.fifos import Fifos
from ppnsim.hls.graph.graph import ChosenOperator, Graph
from ppnsim.hls.graph.loaded_words import Words
from ppnsim.hls.graph.memories import Memories
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.speculation import ALL_EARLY, Speculation
from ppnsim.hls.graph.values import Values
from ppnsim.hls.graph.waits import AskedWaits
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.blocks import locks_in, without_lock
from ppnsim.hls.structure.counting import is_data
from ppnsim.hls.structure.disjoint import ZeroBits
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.waits import states_of
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access, Array, Statement
from ppnsim.loops.work import STATEMENT, spend


class GraphBuilder:
    """A builder for the data-flow graph of straight-line code, statement by statement.

    Parameters
    ----------
    ports : timing and memory ports of loads and stores.
    order : the order of accesses that may alias; by default, all pairs that may alias keep their order.
    words : the words that elements share.
    reused : locations whose loads may take the last stored value.
    invariant : gives the node of an expression that is computed before the body starts.
    bound : the operators that directives choose, for the results that go to an array.
    choices : the locations, each in its own memory, among which the address of a location chooses.
    ended : the variables that hold the tests that end the loop (R4.10).
    speculation : the conditions on data for which loads wait (R4.16).
    """

    def __init__(
        self, ports: Ports, *, order: MemoryOrder | None = None, words: Words | None = None,
        reused: frozenset[Access] = frozenset(), invariant: Invariant = lambda *_: None,
        bound: Mapping[str, ChosenOperator] | None = None,
        choices: Callable[[Access], tuple[Access, ...]] = lambda _: (), ended: frozenset[str] = frozenset(),
        speculation: Speculation = ALL_EARLY,
    ) -> None:  # fmt: skip
        self.operators = ports.operators
        self.graph = self.operators.graph
        self.values = Values(self.operators)
        self.fifos = Fifos(self.values)
        self.memories = Memories(
            self.values, ports, order or MemoryOrder(self.graph), words or Words(), self.fifos, reused,
            choices=choices, speculation=speculation,
        )  # fmt: skip
        self.expressions = Expressions(self.operators, self.memories, invariant, self._replaced)
        self._bound = bound or {}
        self._merges: list[int] = []
        self._chosen_by: dict[Access, tuple[tuple[int, ...], int, int]] = {}
        self.locks: dict[int, set[str]] = {}
        self._ended, self._waits, self.zeros = ended, AskedWaits(self.graph), ZeroBits()

    def add(self, step: GuardedStatement) -> None:
        """Add a statement."""
        spend(STATEMENT, step.statement.position)
        self.graph.called.append((len(self.graph.nodes), step.statement.path))
        locks = locks_in(step.statement)
        self.fifos.chain.clear()
        self._add(replace(step, statement=without_lock(step.statement)) if locks else step)
        for lock in locks:
            self._lock(lock.array)

    def _add(self, step: GuardedStatement) -> None:
        statement = self.zeros.joined(step.statement)
        if statement.value is None or not statement.writes:
            if (states := states_of(statement)) is not None:
                self._waits.add(states)
            elif statement.value is not None:
                self.expressions.value(statement.value, statement)
            return
        target, branches = statement.writes[0], self.values.branches
        self.expressions.serial = target.array in self._ended
        to = self.operators.format(target)
        other = self.values.enter(step.conditions)
        index = self.expressions.index(statement.index, statement)
        value = self.operators.converted(self.expressions.value(statement.value, statement, to.whole), to)
        if target.array in self._bound:
            self._bound[target.array].choose(self.graph, value, self.operators.library.budget)
        conditions = step.conditions
        if other is not None:
            # This branch is the alternative to the values of the branch before.
            self.values.merge(other)
            conditions = conditions[-1:]
        place = self.memories.place(target, index)
        merged, *inside = self._seen(place, value, to, conditions, inside=other is None)
        kept = not conditions or place in self.values.known
        by_data = all(is_data(each) for each in step.conditions)
        self.memories.store(target, merged, index, value if by_data else None)
        if not kept and self._is_partial(target, conditions):
            tests = tuple(map(self.values.condition, conditions))
            self.memories.partial.setdefault(target.array, {})[target] = tests, value
        for access in statement.writes[1:]:
            self.memories.store(access, merged)
        if self.expressions.serial:
            self.memories.waits.append(merged)
        if branches.open and not place.random:
            branches.wrote(place, value, inside or [merged])
        self.zeros.note(statement, always=not step.conditions, whole_numbers=to.family == "integer")

    def _seen(
        self, target: Access, value: int, to: Format, conditions: tuple[Condition, ...], *, inside: bool
    ) -> list[int]:  # fmt: skip
        """Return the value that code after all branches sees, then the values for each branch but the innermost."""
        if not conditions and not self.values.branches.open:  # the usual case
            return [value]
        if levels := self._by_branches(target, value, to):
            return levels
        if target.random:
            return [value]
        merged = self._under_all(conditions, target, value, to, alone=inside)
        return [merged, *(self._inside(target, value, to) if self.values.branches.open and inside else ())]

    def _lock(self, array: str) -> None:
        """Let a lock give access to another block after the last token that was taken or put (R7.7)."""
        self.values.forget(array)
        self.memories.order.lock(array, self.fifos.last)
        self.locks.setdefault(self.fifos.last, set()).add(array)

    def _inside(self, target: Access, value: int, to: Format) -> list[int]:
        """Return the value of a variable for each branch but the innermost, chosen by the tests of inner branches.

        Empty if an open branch is an ``else``, or if the target is in a memory.
        """
        branches, old = self.values.branches.open, self.values.known.get(target)
        if target.subscripts or old is None or any(branch.other for branch in branches):
            return []
        found = [value]
        for n in range(len(branches) - 1, 0, -1):
            before = next((each.raw[target] for each in reversed(branches[:n]) if target in each.raw), old)
            operands = self.values.condition(branches[n].condition), found[-1], before
            found.append(self.operators.op("select", to, operands))
            self._merges.append(found[-1])
        return found[:0:-1]

    def _by_branches(self, target: Access, value: int, to: Format) -> list[int]:
        """Return the values of a variable outside of branches on data, and in each branch but the innermost (R5.8).

        Every branch chooses between its own value and the value without it, so that an arm of a chain of alternatives
        takes one multiplexer. Empty for other targets, and if at most one branch is open.
        """
        branches = self.values.branches.open
        if target.subscripts or not branches:
            return []
        for n, branch in enumerate(branches):  # before the branches change the variable
            if target not in branch.left and (left := self.values.without(n, target)) is not None:
                branch.left[target] = left
        by_data = all(is_data(branch.condition) for branch in branches)
        if len(branches) < 2 or not (by_data or any(branch.other for branch in branches)):
            return []
        if any(target in branch.against.get(target.array, ()) and target not in branch.left for branch in branches):
            return []
        found = [value]
        for branch in reversed(branches):
            if target not in branch.left:
                branch.left[target] = self.operators.input(str(target), to)
            found.append(self._chosen(branch, found[-1], branch.left[target], to))
        return found[:0:-1]

    def _chosen(self, branch: OpenBranch, inside: int, left: int, to: Format) -> int:
        """Return one value if the test of a branch holds, and another value if it does not."""
        test = self.values.condition(branch.condition)
        both = for_both(self.operators, test, inside, left, self._replaced) if branch.other else None
        if both is not None:
            return both
        at = self.graph.nodes[inside]
        operands = (test, *at.operands) if at.name == "select" and left in at.operands else (test, inside, left)
        found = self.operators.op("select", to, operands)
        self._merges.append(found)
        return found

    def _is_partial(self, target: Access, conditions: tuple[Condition, ...]) -> bool:
        """Return whether a store under conditions on iterators leaves an element unchanged in other iterations."""
        memory = bool(target.subscripts) and not target.random and self.memories.ports.fifo(target) is None
        return memory and not any(map(is_data, conditions))

    def only_if_used(self, node: int) -> None:
        """Mark a node for removal if no other node uses it in the end."""
        self._merges.append(node)

    def finish(self) -> Graph:
        """Remove unused multiplexers of branches, and other marked nodes without a use; return the graph."""
        for node in self.idle(()):
            self.graph.nodes[node].kind = "dead"
        self._waits.follow()
        self.graph.called.append((len(self.graph.nodes), ()))
        return self.graph

    def idle(self, kept: Iterable[int]) -> set[int]:
        """Return the marked nodes without a use, such as multiplexers of branches; ``kept`` counts as used."""
        nodes, found = self.graph.nodes, set[int]()
        uses = Counter(operand for node in nodes if node.kind != "dead" for operand in node.operands)
        uses.update((*kept, *(edge.source for edge in self.graph.back)))
        for merge in reversed(self._merges):
            if not uses[merge] and nodes[merge].kind != "dead" and merge not in found:
                found.add(merge)
                uses.subtract(nodes[merge].operands)
        return found

    def _under_all(
        self, conditions: tuple[Condition, ...], target: Access, node: int, to: Format, *, alone: bool
    ) -> int:  # fmt: skip
        """Return the value of a location after a statement under conditions.

        A value that the same tests have chosen for the location before is replaced by its value without them, unless
        the statement is in an alternative of the branch before (not ``alone``).
        """
        old, tests = self.values.known.get(target), tuple[int, ...]()
        if old is not None and conditions and alone:
            tests = tuple(map(self.values.condition, conditions))
            same, chosen, without = self._chosen_by.get(target, ((), -1, -1))
            if (same, chosen) == (tests, old):
                self.values.known[target] = old = without
        for condition in conditions:
            node = self._under(condition, target, node, to)
        if tests and old is not None:
            self._chosen_by[target] = tests, node, old
        return node

    def _under(self, condition: Condition, target: Access, node: int, to: Format) -> int:
        """Return the value of a location after a statement that may not have been executed."""
        old = self.values.known.get(target)
        if old is None and not target.subscripts:
            old = self.memories.load(target)
        if old is None:
            return node
        test = self.values.condition(condition)
        if isinstance(condition, Not):
            other = condition.part
            found = sunk(self.operators, test, lambda: self.values.condition(other), node, old, self._replaced)
            if found is not None:
                return found
        at, old = self.graph.nodes[node], self._remaining(condition, test, old)
        if (found := by_sign(self.operators, test, node, old, to, self._replaced)) is not None:
            return found
        # If the new value is itself a choice with the old value, one multiplexer takes both conditions.
        operands = (test, *at.operands) if at.name == "select" and old in at.operands else (test, node, old)
        found = self.operators.op("select", to, operands)
        self._merges.append(found)
        return found

    def _replaced(self, nodes: tuple[int, int]) -> None:
        """Mark replaced nodes for removal, after the nodes that use them."""
        self._merges[:0] = nodes

    def _remaining(self, condition: Condition, test: int, old: int) -> int:
        """Return the part of an old value that remains if this branch or its alternative has chosen it before."""
        before = self.graph.nodes[old]
        if before.name != "select" or len(before.operands) != 3:
            return old
        if before.operands[0] == test:
            return before.operands[2]
        if isinstance(condition, Not) and before.operands[0] == self.values.condition(condition.part):
            return before.operands[1]
        return old


def statement_graph(statement: Statement, library: Library, arrays: Mapping[str, Array]) -> Graph:
    """Return the graph of a single statement."""
    builder = GraphBuilder(Ports(Operators(library, arrays)))
    builder.add(GuardedStatement(statement))
    return builder.graph
