"""Finds the places that expressions name, and the variables that may change if a place is not known."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ppnsim.c.executed.budget import ExecutedParts, executed
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.memory import Known, Memory, Place, PointsTo
from ppnsim.c.executed.named_variables import is_handed, is_pointer, is_unsteady
from ppnsim.c.plain.evaluate import kept
from ppnsim.c.syntax import SyntaxNode, Variable

MOST = 150_000
"""Most parts of a program that are executed for one loop; beyond this its iterations count as unknown."""


class TooMuch(Exception):
    """The execution for a loop is given up, and its iterations are unknown."""


class EndlessLoop(TooMuch):
    """A loop returns to an earlier state; ``place`` is the position of the loop (`called_so`)."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place


@dataclass(slots=True)
class PlaceFinder:
    """Finds places in a ``memory``; ``left`` is the number of parts of a program that may still be executed.

    ``whole`` counts the parts that are executed for all loops.
    """

    influences: Influences
    memory: Memory
    left: int = MOST
    whole: ExecutedParts = field(default_factory=executed)

    def value(self, node: SyntaxNode) -> Known | None:
        """Execute an expression and return its value, None if it is not known."""
        raise AssertionError(node)

    def spend(self) -> None:
        """Count an executed part of the program; raise TooMuch if there were too many."""
        self.left -= 1
        self.whole.parts += 1
        if self.left < 0:
            raise TooMuch

    def number(self, node: SyntaxNode) -> int | None:
        """Execute an expression and return its value if it is a known number."""
        found = self.value(node)
        return found if isinstance(found, int) else None

    def place(self, node: SyntaxNode) -> Place | None:
        """Return the place that an expression names, None if it is not known or belongs to no variable."""
        match node.kind:
            case "name" if node.variable is not None:
                return self._referred(node.variable) if is_handed(node.variable) else (node.variable, "")
            case "cast" | "bits":
                return self.place(node.children[0])
            case "member":
                outer = self._base(node.children[0])
                return None if outer is None else (outer[0], f"{outer[1]}.{node.text}")
            case "index":
                at, outer = self.number(node.children[1]), self._base(node.children[0])
                if outer is None or at is None:
                    return None
                if is_pointer(node.children[0]):
                    return moved(outer, at)
                return within((outer[0], f"{outer[1]}[{at}]"))
            case "unary" if node.text == "*":
                return self.pointed(node.children[0])
        return None

    def _base(self, node: SyntaxNode) -> Place | None:
        return self.pointed(node) if is_pointer(node) else self.place(node)

    def _referred(self, variable: Variable) -> Place | None:
        """Return the place to which a reference refers, or the first element of an array argument."""
        found = self.memory.read((variable, ""))
        return found.place if isinstance(found, PointsTo) else None

    def pointed(self, node: SyntaxNode) -> Place | None:
        """Return the place that a pointer points to."""
        found = self.value(node)
        return found.place if isinstance(found, PointsTo) else None

    def write(self, target: SyntaxNode, value: Known | None) -> None:
        """Set the value at the place of an expression; if the place is unknown, forget all possible targets."""
        place, inner = self.place(target), target.bare
        while inner.kind == "bits":
            inner, value = inner.children[0].bare, None
        if place is None:
            self.lose(inner)
        elif place[0].type.base().shared or is_unsteady(place[0]):
            self.memory.forget(place[0])
        else:
            self.memory.write(place, kept(value, inner.type) if isinstance(value, int) else value)

    def lose(self, node: SyntaxNode) -> None:
        """Forget all values that may change by a write to an unknown place."""
        origin = self.origin(node)
        if isinstance(origin, Variable):
            self.memory.forget(origin)
        elif origin is None:
            self.memory.forget_shared()

    def origin(self, node: SyntaxNode) -> Variable | PointsTo | None:
        """Return the variable of a place, a pointer for the caller's memory, None if it may be any variable.

        A token of a stream is in no variable, like the caller's memory.
        """
        match node.kind:
            case "token":
                return PointsTo(None)
            case "name" if node.variable is not None:
                return self.target(node) if is_handed(node.variable) else node.variable
            case "cast" | "bits":
                return self.origin(node.children[0])
            case "member" | "index":
                inner = node.children[0]
                return self.target(inner) if is_pointer(inner) else self.origin(inner)
            case "unary" if node.text in ("*", "&"):
                return self.target(node.children[0]) if node.text == "*" else self.origin(node.children[0])
        return None

    def target(self, node: SyntaxNode) -> Variable | PointsTo | None:
        """Return the variable into which a pointer points."""
        named = node.variable if node.kind == "name" else None
        found = self.memory.read((named, "")) if named is not None and is_handed(named) else self.value(node)
        if isinstance(found, PointsTo):
            return found if found.place is None else found.place[0]
        inner = [each for each in node.children if each.type.kind in ("pointer", "array")]
        return self.target(inner[0]) if node.kind in ("binary", "cast") and inner else None

    def handed(self, argument: SyntaxNode) -> None:
        """Forget the values that a function without a body may change through an argument."""
        bare = argument.bare
        if bare.kind in ("name", "member", "index") or (bare.kind == "unary" and bare.text in ("*", "&")):
            self.lose(bare)
        if bare.type.kind == "pointer" and isinstance(found := self.target(bare), Variable):
            self.memory.forget(found)
        elif bare.type.kind == "pointer" and found is None:
            self.memory.forget_shared()

    def refer(self, parameter: Variable, argument: SyntaxNode) -> None:
        """Make a parameter point into the variable to which an argument belongs, or points."""
        by_name = "&" in parameter.type.text
        found = self.origin(argument) if by_name else self.target(argument)
        known = PointsTo((found, "")) if isinstance(found, Variable) else found
        self.memory.write((parameter, ""), known)

    def far(self, node: SyntaxNode) -> PointsTo | None:
        """Return a pointer to the caller's memory if an expression names a part of that memory, else None."""
        origin = self.origin(node)
        return origin if isinstance(origin, PointsTo) else None


def moved(place: Place, by: int) -> Place | None:
    """Return the place some elements after another one, None if it is not in the same array."""
    variable, path = place
    if not by:
        return place
    whole, _, last = path.removesuffix("]").rpartition("[")
    return within((variable, f"{whole}[{int(last) + by}]")) if path.endswith("]") else None


def within(place: Place) -> Place | None:
    """Return the place of an element, None if the row has no such element, because it is in another row or nowhere."""
    of = place[0].type
    for member, at in re.findall(r"\.(\w+)|\[(-?\d+)\]", place[1]):
        if member:
            of = dict(of.fields).get(member, of)
        elif of.kind == "array" and of.element is not None:
            if isinstance(of.size, int) and not 0 <= int(at) < of.size:
                return None
            of = of.element
    return place
