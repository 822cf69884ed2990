"""Executes the control flow of a kernel as far as its numbers are known, and counts the iterations of one loop."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.c.executed.expressions import ExpressionRunner, Returned
from ppnsim.c.executed.forgetting import Forgetting
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.memory import Memory
from ppnsim.c.executed.named import called_so, names, root, start_of
from ppnsim.c.executed.places import TooMuch
from ppnsim.c.kinds import NON_AFFINE, Kind
from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.syntax import SyntaxNode, Variable

Step = tuple[int, int | None] | None
"""An iteration of a loop: its number from 0 on, and the value of the loop's counter; None for any iteration."""
Visits = dict[tuple[Step, ...], int | None]
"""The iterations of a loop in each visit, by the iterations of the loops around; None where they are not known."""


_LEFT_OUT: frozenset[Kind] = frozenset(("if", "assign", "unary", "call", "cast", "binary"))


@dataclass(slots=True)
class Walker:
    """Executes statements; loops that have nothing to do with the iterations of the ``target`` are left out.

    Of other loops without the target, those that change what its iterations depend on are executed if it is
    ``thorough``; else what they change is not known behind them.
    """

    target: str
    asked: frozenset[Variable]
    influences: Influences
    shared: frozenset[Variable]
    thorough: bool = True
    around: list[Step] = field(default_factory=list)
    visits: dict[tuple[str, ...], Visits] = field(default_factory=dict)
    expressions: ExpressionRunner = field(init=False)
    forgetting: Forgetting = field(init=False)

    def __post_init__(self) -> None:
        self.expressions = ExpressionRunner(self.influences, Memory(self.asked, self.shared), run=self.run)
        self.forgetting = Forgetting(self.asked, self.influences, self.expressions)

    def run(self, node: SyntaxNode) -> None:
        """Execute a statement, if that changes anything."""
        inside = self.expressions
        if node.kind in _LEFT_OUT and not (self.forgetting.changes(node) or self.target in self.influences.loops(node)):
            return
        match node.kind:
            case "block":
                for child in node.children:
                    self.run(child)
            case "declare":
                self._declared(node)
            case "if":
                self._branched(node)
            case "for" | "while" | "do":
                self._loop(node)
            case "return":
                value = inside.returned(node.children[0]) if node.children else None
                if not inside.unsure:
                    raise Returned(value)
                inside.may_return(value)
            case "empty":
                pass
            case _ if node.kind in NON_AFFINE:
                raise TooMuch
            case _:
                inside.value(node)

    def _declared(self, node: SyntaxNode) -> None:
        variable, inside = node.variable, self.expressions
        if variable is None or variable.scope == "static":
            return
        if not node.children or variable.type.kind == "array":
            inside.memory.write((variable, ""), None)
            if node.children and node.children[0].kind == "list" and variable in self.asked:
                inside.listed((variable, ""), node.children[0])
            return
        inside.bind(variable, node.children[0])

    def _branched(self, node: SyntaxNode) -> None:
        inside = self.expressions
        test = inside.number(node.children[0])
        if called_so(node) == self.target:
            self._record(None if test is None else int(bool(test)))
        if test is not None:
            for child in node.children[1 if test else 2 :][:1]:
                self.run(child)
            return
        before, inside.unsure = inside.memory, inside.unsure + 1
        ways = []
        for at in (1, 2):
            inside.memory = before.copy()
            for child in node.children[at : at + 1]:
                self.run(child)
            ways.append(inside.memory)
        inside.unsure -= 1
        inside.memory = ways[0]
        inside.memory.join(ways[1])

    def _loop(self, node: SyntaxNode) -> None:
        here = called_so(node)
        holds = self.target in self.influences.loops(node)
        changes = (holds or self.thorough) and bool(self.influences.outside(node) & self.asked)
        if not (holds or changes):
            self.forgetting.lose(node)
            if any(each.kind == "return" for each in node.walk()):
                self.expressions.may_return(None)
            return
        if node.kind == "for":
            self.run(node.children[0])
        counter = start_of(node) or (root(node.children[0].children[0]) if node.kind == "for" else None)
        owned = counter is not None and counter in self.asked
        walked = here == self.target or changes or owned
        count = self._iterated(node, counter) if walked else self._any(node)
        if here == self.target:
            self._record(count)

    def _record(self, count: int | None) -> None:
        found = self.visits.setdefault(self.expressions.sites, {})
        place = tuple(self.around)
        found[place] = count if found.get(place, count) == count else None

    def _iterated(self, node: SyntaxNode, counter: Variable | None) -> int | None:
        """Execute a loop iteration by iteration and return how many there were, None if that is not known."""
        inside, count = self.expressions, 0
        test, body = node.children[node.kind != "while"], node.children[0 if node.kind == "do" else -1]
        if not names(test) and node.kind != "do":  # it has no end
            return self._any(node)
        idle = not (self.influences.outside(body) & self.asked or self.target in self.influences.loops(body))
        if idle and counter is not None and (known := self._stepped(node, counter)) is not None:
            return known
        while True:
            if node.kind != "do" or count:
                if (found := inside.number(test)) is None:
                    return self._any(node)
                if not found:
                    return count
            value = inside.memory.read((counter, "")) if counter is not None else None
            self.around.append((count, value if isinstance(value, int) else None))
            self._body(node, idle=idle)
            self.around.pop()
            count += 1

    def _stepped(self, node: SyntaxNode, counter: Variable) -> int | None:
        """Return how often a ``for`` runs that adds a number until a comparison ends it; None for other loops.

        The counter is left as it is behind the loop.
        """
        _, test, step, _ = node.children
        by, start = step_of(step, counter), self.expressions.memory.read((counter, ""))
        if not by or not isinstance(start, int) or test.kind != "binary" or test.text not in ("<", "<=", ">", ">="):
            return None
        left, right = test.children
        end = self.expressions.number(right)
        if left.bare.variable is not counter or left.bare.kind != "name" or counter in names(right) or end is None:
            return None
        if (by > 0) != (test.text[0] == "<") or (left.kind == "cast" and min(start, end) < 0):
            return None
        count = max(0, -(-(end - start + (test.text[1:] == "=") * (1 if by > 0 else -1)) // by))
        low, high = counter.type.limits
        if not low <= start + count * by <= high or (left.kind == "cast" and start + count * by < 0):
            return None
        self.expressions.memory.write((counter, ""), start + count * by)
        return count

    def _body(self, node: SyntaxNode, *, idle: bool = False) -> None:
        """Execute one iteration; the body of an ``idle`` loop changes nothing that is asked for."""
        known = len(self.around)
        try:
            if not idle:
                self.run(node.children[0 if node.kind == "do" else -1])
            if node.kind == "for":
                self.expressions.value(node.children[2])
        except Returned:
            del self.around[known - 1 :]
            if called_so(node) == self.target:
                self._record(None)
            raise

    def _any(self, node: SyntaxNode) -> int | None:
        """Execute a loop whose iterations are not known: what holds for any of them is found from one."""
        self.forgetting.lose(node)
        self.around.append(None)
        self.expressions.unsure += 1
        self._body(node)
        self.expressions.unsure -= 1
        self.around.pop()
        self.forgetting.lose(node)
        return None
