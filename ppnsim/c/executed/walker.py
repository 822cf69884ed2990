"""Executes the control flow of a kernel as far as its numbers are known, and counts the iterations of one loop of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.c.executed.expressions import DEEPEST, Expressions, Returned, TooMuch
from ppnsim.c.executed.memory import Memory, Pointer
from ppnsim.c.executed.mentions import Mentions, closure, is_handed, is_reference, names, root, start_of
from ppnsim.c.kinds import NON_AFFINE, STEPS
from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.syntax import Function, SyntaxNode, Variable

Step = tuple[int, int | None] | None
"""An iteration of a loop: its number from 0 on, and the value of the loop's counter; None for any iteration."""
Visits = dict[tuple[Step, ...], int | None]
"""The iterations of a loop in each visit, by the iterations of the loops around; None where they are not known."""


def visits_of(
    loop: SyntaxNode, kernel: Function, mentions: Mentions, settings: Mapping[str, int]
) -> dict[tuple[str, ...], Visits]:
    """Return the iterations of a loop that a kernel, or a function that it calls, has, by the calls around it.

    Nothing is returned if it takes too long to find out.
    """
    assert kernel.body is not None
    head = loop.children[:3] if loop.kind == "for" else loop.children[loop.kind == "do" :][:1]
    asked = closure({each for part in head for each in mentions.sources(part)}, mentions.flow(kernel))
    walker = Walker(str(loop.position), asked, mentions, _shared(asked, kernel, mentions))
    memory = walker.expressions.memory
    for parameter in kernel.parameters:
        if is_reference(parameter):
            memory.write((parameter, ""), Pointer(None))
        elif (given := settings.get(parameter.name)) is not None:
            memory.write((parameter, ""), given)
    try:
        walker.run(kernel.body)
    except Returned:
        pass
    except TooMuch:
        return {}
    return walker.visits


def _shared(asked: frozenset[Variable], kernel: Function, mentions: Mentions) -> frozenset[Variable]:
    """Return the variables that something may point to."""
    found = {each for each in asked if each.type.kind != "integer" or each.scope in ("global", "static")}
    seen, waiting = set[str](), [kernel]
    while waiting:
        function = waiting.pop()
        if function.name in seen:
            continue
        seen.add(function.name)
        for node in function.walk():
            if node.kind == "unary" and node.text == "&" and (named := root(node)) is not None:
                found.add(named)
            elif node.kind == "declare" and node.variable is not None and is_handed(node.variable):
                found |= names(node)
            elif (called := mentions.called(node)) is not None:
                waiting.append(called)
                pairs = zip(called.parameters, node.children, strict=False)
                found |= {v for p, each in pairs if is_handed(p) and (v := root(each)) is not None}
    return frozenset(found)


@dataclass(slots=True)
class Walker:
    """Executes statements; loops that have nothing to do with the iterations of the ``target`` are left out."""

    target: str
    asked: frozenset[Variable]
    mentions: Mentions
    shared: frozenset[Variable]
    around: list[Step] = field(default_factory=list)
    visits: dict[tuple[str, ...], Visits] = field(default_factory=dict)
    expressions: Expressions = field(init=False)
    _changing: dict[int, tuple[SyntaxNode, list[SyntaxNode]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.mentions, Memory(self.asked, self.shared), self.run)

    def run(self, node: SyntaxNode) -> None:
        """Execute a statement."""
        inside = self.expressions
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
        if test is not None:
            for child in node.children[1 if test else 2 :][:1]:
                self.run(child)
            return
        before, inside.unsure = inside.memory, inside.unsure + 1
        ways = []
        for child in (*node.children[1:], None)[:2]:
            inside.memory = before.copy()
            if child is not None:
                self.run(child)
            ways.append(inside.memory)
        inside.unsure -= 1
        inside.memory = ways[0]
        inside.memory.join(ways[1])

    def _loop(self, node: SyntaxNode) -> None:
        here = str(node.position)
        changes = bool(self.mentions.outside(node) & self.asked)
        holds = self.target in self.mentions.loops(node)
        if not (holds or changes):
            self._lose(node)
            return
        if node.kind == "for":
            self.run(node.children[0])
        counter = start_of(node) or (root(node.children[0].children[0]) if node.kind == "for" else None)
        owned = counter is not None and counter in self.asked
        if here == self.target or changes or owned:
            count = self._iterated(node, counter)
        else:
            count = self._any(node)
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
        idle = not (self.mentions.outside(body) & self.asked or self.target in self.mentions.loops(body))
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
        """Return how often a ``for`` runs that adds a number to its counter until a comparison ends it; None for others.

        The counter is left as it is then.
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
            if str(node.position) == self.target:
                self._record(None)
            raise

    def _any(self, node: SyntaxNode) -> None:
        """Execute a loop whose iterations are not known: what holds for any of them is found from one."""
        self._lose(node)
        self.around.append(None)
        self._body(node)
        self.around.pop()
        self._lose(node)

    def _lose(self, node: SyntaxNode, deep: int = 0) -> None:
        """Forget all that a statement may change."""
        inside, memory = self.expressions, self.expressions.memory
        changes = self._changes(node)
        for each in changes:  # pointers first: where they point in an iteration is not known
            target = each.variable if each.kind == "declare" else each.children[0].variable if each.children else None
            if target is not None and is_reference(target) and each.kind != "call":
                memory.write((target, ""), None)
        for each in changes:
            inside.spend()
            if each.kind == "declare" and each.variable is not None:
                memory.forget(each.variable)
            elif each.kind == "call":
                self._lose_called(each, deep)
            else:
                inside.lose(each.children[0].bare)

    def _lose_called(self, node: SyntaxNode, deep: int) -> None:
        """Forget all that a call may change."""
        inside, function = self.expressions, self.mentions.called(node)
        if function is None or function.body is None:
            for child in node.children:
                inside.handed(child)
            return
        if deep > DEEPEST:
            raise TooMuch
        for parameter, argument in zip(function.parameters, node.children, strict=False):
            if is_reference(parameter):
                inside.refer(parameter, argument)
        self._lose(function.body, deep + 1)

    def _changes(self, node: SyntaxNode) -> list[SyntaxNode]:
        """Return the parts of a statement that change something asked for, or a place that a pointer says."""
        if id(node) not in self._changing:
            found = [each for each in node.walk() if self._is_change(each)]
            self._changing[id(node)] = node, found
        return self._changing[id(node)][1]

    def _is_change(self, each: SyntaxNode) -> bool:
        if each.kind == "call":
            return True
        if each.kind == "declare":
            return each.variable in self.asked or (each.variable is not None and is_reference(each.variable))
        if each.kind != "assign" and (each.kind != "unary" or each.text not in STEPS):
            return False
        target = root(each.children[0].bare)
        return target is None or target in self.asked or is_reference(target) or target.type.kind == "struct"
