"""Computes operators on known values: numbers as in C, and pointers that move."""

from __future__ import annotations

import re

from ppnsim.c.executed.memory import Known, Place, PointsTo
from ppnsim.c.executed.named_variables import fits, is_handed
from ppnsim.c.executed.places import PlaceFinder, moved
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.evaluate import kept, operated
from ppnsim.c.plain.nodes import with_inherited
from ppnsim.c.syntax import CType, SyntaxNode, Variable


class ComputedValues(PlaceFinder):
    """The part of the expression runner that reads variables and computes."""

    __slots__ = ()

    def _read(self, node: SyntaxNode) -> Known | None:
        if node.type.kind == "array":
            if node.kind == "name" and node.variable is not None and is_handed(node.variable):
                found = self.memory.read((node.variable, ""))
                return found if "&" not in node.variable.type.text else self._first(self.place(node))
            return self._first(self.place(node))
        place = self.place(node)
        found = self.memory.read(place)
        return found if place is None or found is not None else self._constant(*place)

    @staticmethod
    def _first(place: Place | None) -> PointsTo | None:
        return PointsTo((place[0], f"{place[1]}[0]")) if place is not None else None

    def _lasts(self, initial: SyntaxNode) -> bool:
        """Return whether an expression keeps its value: no side effects, and no variables that change."""
        for each in initial.walk():
            if each.kind in ("assign", "call", "token") or (each.kind == "unary" and each.text in STEPS):
                return False
            named = each.variable
            if named is not None and (named.volatile or not (named.type.base().const or self.influences.fixed(named))):
                return False
        return True

    def _is_constant(self, owner: Variable) -> bool:
        if owner.type.kind == "pointer" or owner.volatile or owner.scope == "parameter":
            return False  # the initial value of a parameter is its default
        return bool(owner.type.base().const) or self.influences.fixed(owner)

    def _constant(self, owner: Variable, path: str) -> Known | None:
        """Return the value of a constant number, or of an element of a constant table."""
        if not self._is_constant(owner):
            return None
        initial, of = owner.initial, owner.type
        for part in re.findall(r"\.\w+|\[-?\d+\]", path):
            if initial is None or initial.kind != "list":
                return None
            initial = with_inherited(initial, of)
            if not fits(initial, of):
                return None
            if part[0] == "." and of.kind == "struct" and not of.shared:
                at = [name for name, _ in of.fields].index(part[1:])
                of = of.fields[at][1]
            elif part[0] == "[" and of.element is not None:
                at, of = int(part[1:-1]), of.element
            else:
                return None
            if at >= len(initial.children):
                return 0  # a part that the list leaves out
            initial = initial.children[at] if at >= 0 else None
        if initial is None or initial.kind == "list" or (owner.scope == "local" and not self._lasts(initial)):
            return None
        found = self.number(initial)
        return None if found is None else self._kept(found, of)

    def _chosen(self, node: SyntaxNode) -> Known | None:
        test = self.number(node.children[0])
        if test is not None:
            return self.value(node.children[1 if test else 2])
        found = [self.value(child) for child in node.children[1:]]  # both have no side effects, which are statements
        return found[0] if found[0] == found[1] else None

    def _unary(self, node: SyntaxNode) -> Known | None:
        inner = node.children[0]
        if node.text == "*":
            return self.memory.read(self.pointed(inner))
        if node.text == "&":
            place = self.place(inner)
            return PointsTo(place) if place is not None else self.far(inner)
        old = self.value(inner)
        if node.text in STEPS:
            new = self._added(old, 1 if "+" in node.text else -1, node.type)
            self.write(inner, new)
            return old if node.text[0] == "x" else new
        if not isinstance(old, int) or node.text not in ("-", "+", "!", "~"):
            return None
        return self._kept({"-": -old, "+": old, "!": int(not old), "~": ~old}[node.text], node.type)

    def _binary(self, node: SyntaxNode) -> Known | None:
        left = self.value(node.children[0])
        if node.text in ("&&", "||") and isinstance(left, int) and bool(left) == (node.text == "||"):
            return int(bool(left))
        right = self.value(node.children[1])
        if node.text in ("&&", "||") and isinstance(right, int) and bool(right) == (node.text == "||"):
            return int(bool(right))  # for any value of the other side
        if node.text == ",":
            return right
        if isinstance(left, PointsTo) or isinstance(right, PointsTo):
            return self._moved(left, right, node.text)
        return operated(node.text, left, right, of=node.type)

    def _moved(self, left: Known | None, right: Known | None, operator: str) -> Known | None:
        """Return a pointer after a move; a pointer to the caller's memory stays, other moves are not followed."""
        pointer = left if isinstance(left, PointsTo) else right
        other = right if isinstance(left, PointsTo) else left
        if not isinstance(pointer, PointsTo) or isinstance(other, PointsTo) or operator not in ("+", "-"):
            return None
        if pointer.place is None:
            return pointer
        by = None if other is None else -other if operator == "-" else other
        place = None if by is None else moved(pointer.place, by)
        return None if place is None else PointsTo(place)

    def _added(self, old: Known | None, by: int, of: CType) -> Known | None:
        if isinstance(old, PointsTo):
            return self._moved(old, by, "+")
        return None if old is None else self._kept(old + by, of)

    @staticmethod
    def _kept(value: Known | None, of: CType) -> int | None:
        return kept(value, of) if isinstance(value, int) and of.kind == "integer" else None


def common(left: CType, right: CType) -> CType:
    """Return the type in which ``x op= y`` is computed: the wider type, but at least ``int``."""
    wider = left if (left.bits, bool(left.wraps)) >= (right.bits, bool(right.wraps)) else right
    return wider if wider.bits >= 32 or wider.kind != "integer" else CType("integer", "int", 32)
