"""Executes the control flow of a kernel as far as its numbers are known, to count the iterations of target loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ppnsim.c.executed.expressions import ExpressionRunner, Returned
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.invalidation import Forgetting
from ppnsim.c.executed.memory import Known, Memory
from ppnsim.c.executed.named_variables import Step, Visits, Ways, body_of, called_so, names, root, start_of
from ppnsim.c.executed.places import EndlessLoop, TooMuch
from ppnsim.c.executed.stepped_loops import stepped
from ppnsim.c.kinds import NON_AFFINE, Kind
from ppnsim.c.syntax import SyntaxNode, Variable

_LEFT_OUT: frozenset[Kind] = frozenset(("if", "assign", "unary", "call", "cast", "binary"))


_BY_NUMBERS = ("sure", "most")
_MOST_TESTS = 4096
"""Most iterations that are executed of a loop whose test depends on data, to see whether known numbers end it."""


class _WayOut(Exception):
    """Control leaves a loop early, at a position of the source; by the test in its head, if ``at_head``."""

    def __init__(self, node: SyntaxNode) -> None:
        super().__init__(node.position)
        self.at_head = "around the test" in node.text


@dataclass(slots=True)
class Walker:
    """Executes statements, except loops that do not influence the iterations of the ``targets``.

    A loop without a target may change variables that the iterations depend on. It is executed if the walker is
    ``thorough``; else ``skipped`` becomes true, and the values of these variables are unknown after the loop. ``ways``
    tells which early exits from the bodies of targets are taken. ``passed`` collects exits that data decides and that
    are not taken because known numbers end the loop. ``visits`` holds the iterations of each target, by the calls
    around the target.
    """

    targets: frozenset[str]
    asked: frozenset[Variable]
    influences: Influences
    shared: frozenset[Variable]
    thorough: bool = True
    ways: Ways = "all"
    passed: set[str] = field(default_factory=set)
    around: list[Step] = field(default_factory=list)
    visits: dict[str, dict[tuple[str, ...], Visits]] = field(default_factory=dict)
    skipped: bool = False
    followed: list[bool | Ways] = field(default_factory=list)
    expressions: ExpressionRunner = field(init=False)
    forgetting: Forgetting = field(init=False)

    def __post_init__(self) -> None:
        self.expressions = ExpressionRunner(self.influences, Memory(self.asked, self.shared), run=self._opened)
        self.forgetting = Forgetting(self.asked, self.influences, self.expressions)

    def run(self, node: SyntaxNode) -> None:
        """Execute a statement, if it changes anything."""
        inside = self.expressions
        if node.kind in _LEFT_OUT and not (self.forgetting.changes(node) or self._concerns(node)):
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
                if self.followed and self.followed[-1]:
                    raise _WayOut(node)
            case "left" if self.followed and self.followed[-1]:
                raise _WayOut(node)
            case "empty" | "left":
                pass
            case _ if node.kind in NON_AFFINE:
                raise TooMuch
            case _:
                inside.value(node)

    def _opened(self, body: SyntaxNode) -> None:
        """Execute the body of a called function; a return inside it leaves no loop around the call."""
        self.followed.append(False)
        try:
            self.run(body)
        finally:
            self.followed.pop()

    def _concerns(self, node: SyntaxNode) -> bool:
        """Return whether a statement is executed although it changes nothing."""
        return self._holds(node)

    def _holds(self, node: SyntaxNode) -> bool:
        """Return whether a target is in a statement."""
        return not self.targets.isdisjoint(self.influences.loops(node))

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
        self._decided(node, None if test is None else int(bool(test)))
        if test is not None:
            for child in node.children[1 if test else 2 :][:1]:
                self.run(child)
            return
        before, level = inside.memory, inside.unsure
        ways, gone = list[Memory](), set[str]()
        for at in (1, 2):
            inside.memory, inside.unsure = before.copy(), level + 1
            try:
                for child in node.children[at : at + 1]:
                    self.run(child)
            except _WayOut as left:
                if self.followed[-1] not in _BY_NUMBERS:
                    raise
                gone.add(str(left))
                continue  # data decides whether the loop is left: only the other branch is followed
            ways.append(inside.memory)
        inside.unsure = level
        if not ways:
            raise _WayOut(node)
        self.passed |= gone
        inside.memory = ways[0]
        for other in ways[1:]:
            inside.memory.join(other)

    def _decided(self, node: SyntaxNode, holds: int | None) -> None:
        """Record whether the condition of an ``if`` is true."""
        self._record(node, holds)

    def _loop(self, node: SyntaxNode) -> None:
        holds = self._holds(node)
        changes = not self.asked.isdisjoint(self.influences.outside(node))
        if not (holds or (changes and self.thorough)):
            self.skipped |= changes
            self.forgetting.lose(node)
            if any(each.kind == "return" for each in self.forgetting.changes(node)):
                self.expressions.may_return(None)
            return
        if node.kind == "for":
            self.run(node.children[0])
        counter = start_of(node) or (root(node.children[0].children[0]) if node.kind == "for" else None)
        owned = counter is not None and counter in self.asked
        walked = called_so(node) in self.targets or changes or owned
        if self._ways_of(node) == "first":
            goes = self._goes_on(node, 0)
            self._any(node)
            count = None if goes is None else int(bool(goes))
        else:
            count = self._iterated(node, counter) if walked else self._any(node)
        self._record(node, count)

    def _record(self, node: SyntaxNode, count: int | None) -> None:
        """Record how often a target runs in this visit."""
        if (target := called_so(node)) not in self.targets:
            return
        found = self.visits.setdefault(target, {}).setdefault(self.expressions.sites, {})
        place = tuple(self.around)
        found[place] = count if found.get(place, count) == count else None

    def _iterated(self, node: SyntaxNode, counter: Variable | None) -> int | None:
        """Execute a loop iteration by iteration and return the number of iterations, None if it is not known."""
        inside, count = self.expressions, 0
        test, body = node.children[node.kind != "while"], body_of(node)
        leaves, tested = bool(self.influences.ways_out(node)), bool(names(test))
        follows = self._ways_of(node, leaves=leaves)
        repeats = tested and follows == ("all" if leaves else "none")
        if not tested and follows == "none" and node.kind != "do":  # an endless loop
            return self._any(node)
        idle = follows == "none" and self._is_still(body)
        if idle and (known := stepped(node, counter, inside)) is not None:
            return known
        seen: dict[Variable, dict[str, Known]] | None = None
        while True:
            if not (goes := self._goes_on(node, count)):
                return self._any(node) if goes is None else count
            value = inside.memory.read(None if counter is None else (counter, ""))
            self.around.append((count, value if isinstance(value, int) else None))
            left = self._body(node, idle=idle, follows=follows)
            self.around.pop()
            if left == "head":  # the test is false: this iteration does not begin
                return count
            count += 1
            if left is not False:
                return count if left else self._any(node)
            if repeats and seen == inside.memory.values:
                raise EndlessLoop(called_so(node))
            if count.bit_count() == 1:  # the saved state is replaced when the number of iterations has doubled
                seen = inside.memory.copy().values

    def _goes_on(self, node: SyntaxNode, count: int) -> int | None:
        """Return whether a loop has a further iteration after ``count`` iterations; None if it is not known."""
        goes = self.expressions.number(node.children[node.kind != "while"]) if node.kind != "do" or count else 1
        return 1 if goes is None and count < _MOST_TESTS and self._ways_of(node) == "most" else goes

    def _ways_of(self, node: SyntaxNode, *, leaves: bool = True) -> Ways:
        """Return which early exits from a loop are taken; ``leaves``: the loop has an early exit."""
        ways: Ways = self.ways if called_so(node) in self.targets else "all"
        return ways if leaves or ways == "most" else "none"

    def _is_still(self, body: SyntaxNode) -> bool:
        """Return whether the body of a loop changes no variable that is asked for, and contains no target."""
        return self.asked.isdisjoint(self.influences.outside(body)) and not self._holds(body)

    def _body(self, node: SyntaxNode, *, idle: bool = False, follows: Ways = "none") -> bool | Literal["head"] | None:
        """Execute one iteration; return whether it leaves the loop by an exit of ``follows``, None if it may do so.

        "head" is the exit by a test that was moved from the head of the loop to the start of its body.
        The body of an ``idle`` loop changes no variable that is asked for.
        """
        inside, known, level = self.expressions, len(self.around), self.expressions.unsure
        self.followed.append(follows != "none" and follows)
        try:
            if not idle:
                self.run(body_of(node))
            if node.kind == "for":
                inside.value(node.children[2])
        except _WayOut as left:
            sure, inside.unsure = inside.unsure == level, level
            del self.around[known:]
            return None if not sure else "head" if left.at_head else True
        except Returned:
            step = self.around[known - 1]
            del self.around[known - 1 :]
            self._record(node, None if step is None or self.ways == "none" else step[0] + 1)
            raise
        finally:
            self.followed.pop()
        return False

    def _any(self, node: SyntaxNode) -> int | None:
        """Execute one iteration that stands for all, when their number is not known."""
        self.forgetting.lose(node)
        self.around.append(None)
        self.expressions.unsure += 1
        self._body(node)
        self.expressions.unsure -= 1
        self.around.pop()
        self.forgetting.lose(node)
        return None
