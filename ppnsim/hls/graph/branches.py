"""The open branches around a statement while a body is built, and the values of locations in them (R5.8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ppnsim.hls.graph.exclusive import OpenBranch, Stored
from ppnsim.hls.graph.memory_order import Shape, shape
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access


class _Shapes(dict[int, tuple[Access, "Shape | None"]]):
    """The iterators in the subscripts of each location: with the same ones, two are equal or apart; None if random.

    The key is the identity of a location, which is found sooner than its hash; so the location is kept.
    """

    def kept(self, access: Access) -> tuple[Access, Shape | None]:
        """Keep a location and its iterators."""
        found = self[id(access)] = access, None if access.random else shape(access)
        return found

    def of(self, access: Access) -> Shape | None:
        """Return the iterators of a location."""
        return (self.get(id(access)) or self.kept(access))[1]


@dataclass(slots=True)
class Branches:
    """The branches around a statement, outermost first: hardware executes both branches of an ``if`` (R5.8).

    ``given`` is the value that a location has under some conditions before their branches are opened.
    """

    open: list[OpenBranch] = field(default_factory=list)
    given: dict[tuple[Condition, ...], tuple[Access, int]] = field(default_factory=dict)
    _shapes: _Shapes = field(default_factory=_Shapes)

    def turn(self, conditions: tuple[Condition, ...], known: dict[Access, int]) -> OpenBranch | None:
        """Close and open branches until ``conditions`` are around; return the last branch if it is an ``else``."""
        same = 0
        while same < min(len(self.open), len(conditions)) and self.open[same].condition == conditions[same]:
            same += 1
        closed, self.open = self.open[same:], self.open[:same]
        if closed and same < len(conditions) and conditions[same] == Not(closed[0].condition):
            branch = closed.pop(0)
            for around, raw in zip(self.open, branch.outside, strict=True):
                around.raw = raw
            other = OpenBranch(conditions[same], branch.before, unsure=branch.unsure, free=branch.ports, other=True)
            other.loaded = dict(branch.loaded)
            other.against = {array: set().union(*each.values()) for array, each in branch.stored.items()}
            other.left = {
                access: node for access, node in branch.raw.items() if access in other.against.get(access.array, ())
            }
            self.open.append(other)
        for access in {access for branch in closed for access in branch.unsure}:
            known.pop(access, None)
        for condition in conditions[len(self.open) :]:
            outside = [dict(branch.raw) for branch in self.open]
            self.open.append(OpenBranch(condition, dict(known), outside))
            if conditions in self.given and len(self.open) == len(conditions):
                access, value = self.given[conditions]
                self.open[-1].raw[access] = value
        return self.open[-1] if self.open and self.open[-1].other else None

    def value(self, access: Access) -> int | None:
        """Return the value that the open branches give a location, None if they give it none."""
        for branch in reversed(self.open):
            if (found := branch.raw.get(access)) is not None:
                return found
        for branch in reversed(self.open):  # an else starts with the values from before the if
            if branch.other and (found := branch.before.get(access)) is not None:
                return found
        return None

    def wrote(self, access: Access, raw: int, outside: Sequence[int]) -> None:
        """Note the value that a statement gives a location: only the innermost branch sees it without a multiplexer.

        ``outside`` are the values that the other branches see, outermost first; one value if all see the same.
        """
        for n, branch in enumerate(self.open):
            branch.raw[access] = outside[min(n, len(outside) - 1)]
        self.open[-1].raw[access] = raw

    def loaded(self, access: Access, node: int) -> None:
        """Note a load: an ``else`` can use it if no code of the branch before has stored to the location (R3.6)."""
        for branch in self.open:
            if not self._meets(branch.stored, access):
                branch.loaded.setdefault(access, node)

    def forget(self, written: Access, meeting: Collection[Access]) -> None:
        """Forget the values of a written location and of those ``meeting`` it: all known ones that may alias it."""
        for branch in self.open:
            self._note(branch, written)
            for table in (branch.raw, *((branch.before, branch.loaded) if branch.other else ())):
                for access in meeting:
                    table.pop(access, None)

    def _meets(self, stored: Stored, access: Access) -> bool:
        """Return whether a location may be one of those that a branch has stored."""
        own = self._shapes.of(access)
        return any(
            access in group if kind is not None and kind == own
            else any(not surely_apart(each, access) for each in group)
            for kind, group in stored.get(access.array, {}).items()
        )  # fmt: skip

    def _note(self, branch: OpenBranch, access: Access) -> None:
        branch.stored.setdefault(access.array, {}).setdefault(self._shapes.of(access), set()).add(access)

    def settle(self, access: Access) -> None:
        """Let a location that the branch before this ``else`` has stored, too, be known behind both (R2.2)."""
        if self.open and self.open[-1].other and access in self.open[-1].unsure:
            self.open[-1].unsure.remove(access)
            if len(self.open) > 1:
                self.open[-2].unsure.add(access)

    def assign(self, variable: Access) -> None:
        """Forget the values of a variable that gets a new value."""
        for branch in self.open:
            self._note(branch, variable)
            branch.raw.pop(variable, None)
            if branch.other:
                branch.before.pop(variable, None)
                branch.loaded.pop(variable, None)

    def alternative(self, port: str) -> int | None:
        """Return the first access to a port in the nearest exclusive branch that has no alternative yet.

        The access also counts for the branches inside: their ``else`` can take it as an alternative in turn.
        """
        for depth in range(len(self.open) - 1, -1, -1):
            branch = self.open[depth]
            for found in branch.free:
                if found[0] == port:
                    branch.free.remove(found)
                    for inner in self.open[depth + 1 :]:
                        inner.ports.append(found)
                    return found[1]
        return None
