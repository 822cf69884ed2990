"""Forgets the known values of variables that a part of a program may change when it is not executed."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.c.executed.expressions import DEEPEST, ExpressionRunner
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.memory import Place
from ppnsim.c.executed.named_variables import is_reference, root
from ppnsim.c.executed.places import TooMuch
from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import SyntaxNode, Variable

_AROUND = frozenset(("block", "if", *LOOPS))
"""Statements that contain other statements."""


@dataclass(slots=True)
class Forgetting:
    """Forgets the values of the variables ``asked`` that statements may change."""

    asked: frozenset[Variable]
    influences: Influences
    expressions: ExpressionRunner
    _changing: dict[int, tuple[SyntaxNode, list[SyntaxNode]]] = field(default_factory=dict, init=False)

    def lose(self, node: SyntaxNode, deep: int = 0) -> None:
        """Forget all values that a statement may change."""
        inside, memory = self.expressions, self.expressions.memory
        changes = [each for each in self.changes(node) if each.kind not in ("return", "left")]
        for each in changes:  # pointers first, because their targets in an iteration are not known
            if (moved := _moved(each)) is not None:
                memory.write((moved, ""), None)
        for each in changes:
            inside.spend()
            if each.kind == "declare" and each.variable is not None:
                memory.forget(each.variable)
            elif each.kind == "call":
                self.lose_called(each, deep)
            elif (part := self._member(each.children[0].bare)) is not None:
                memory.forget(*part)
            else:
                inside.lose(each.children[0].bare)

    def _member(self, target: SyntaxNode) -> Place | None:
        """Return the place of one member of an object, if other members keep their values; None for other places."""
        inner = target
        while inner.kind == "member" and inner.children[0].type.kind == "struct":
            inner = inner.children[0]
        inner = inner.children[0] if inner.kind == "member" else inner
        if target.kind != "member" or inner.kind != "name":
            return None
        place = self.expressions.place(target)
        return None if place is None or place[0].type.base().shared else place

    def lose_called(self, node: SyntaxNode, deep: int) -> None:
        """Forget all values that a call may change."""
        inside, function = self.expressions, self.influences.called(node)
        if function is None or function.body is None:
            for child in node.children:
                inside.handed(child)
            return
        if deep > DEEPEST:
            raise TooMuch
        for parameter, argument in zip(function.parameters, node.children, strict=False):
            if is_reference(parameter):
                inside.refer(parameter, argument)
        self.lose(function.body, deep + 1)

    def changes(self, node: SyntaxNode) -> list[SyntaxNode]:
        """Return the parts of a statement that change an asked variable or an unknown place, and its early exits."""
        if id(node) not in self._changing:
            if node.kind in _AROUND:  # combined from the results for the inner statements
                found = [each for child in node.children for each in self.changes(child)]
            else:
                found = [each for each in self.influences.candidates(node) if self._is_change(each)]
            self._changing[id(node)] = node, found
        return self._changing[id(node)][1]

    def _is_change(self, each: SyntaxNode) -> bool:
        if each.kind in ("return", "left"):
            return True
        if each.kind == "call":
            return self._is_changing(each)
        if each.kind == "declare":
            return each.variable in self.asked or (each.variable is not None and is_reference(each.variable))
        target = root(each.children[0].bare)
        if target is not None and target.type.base().kind == "real":
            return False  # asked numbers are never elements of an array of real numbers
        return target is None or target in self.asked or is_reference(target) or target.type.kind == "struct"

    def _is_changing(self, call: SyntaxNode) -> bool:
        """Return whether a call may change more than the variable that takes its value."""
        if not self.asked.isdisjoint(self.influences.outside(call)):
            return True
        function = self.influences.called(call)
        if function is None:
            return any(each.type.kind not in ("integer", "real") for each in call.children)
        return any(map(is_reference, function.parameters)) or bool(self.influences.loops(call))


def _moved(change: SyntaxNode) -> Variable | None:
    """Return the pointer that a statement moves, or the reference that it declares."""
    target = change.variable if change.kind == "declare" else None
    if change.kind in ("assign", "unary") and change.children[0].kind == "name":
        target = change.children[0].variable
        target = None if target is None or "&" in target.type.text else target
    return target if target is not None and is_reference(target) else None
