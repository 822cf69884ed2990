"""Both branches of an ``if`` are executed, and multiplexers choose between what they leave (R5.8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ppnsim.hls.structure.counting import is_data
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access


@dataclass(slots=True)
class OpenBranch:
    """A branch around the statement that is added.

    Attributes
    ----------
    before : the values that were known before it.
    outside : the same for ``raw`` of the branches around it.
    raw : values that locations have in it; code after the branch sees them through a multiplexer.
    unsure : locations whose value is unknown if the branch is not executed.
    ports : accesses to FIFOs in it.
    free : accesses to FIFOs in the branch that excludes this one, as far as they have no alternative yet.
    other : it is an ``else``.
    """

    condition: Condition
    before: dict[Access, int]
    outside: list[dict[Access, int]] = field(default_factory=list)
    raw: dict[Access, int] = field(default_factory=dict)
    unsure: set[Access] = field(default_factory=set)
    ports: list[tuple[str, int]] = field(default_factory=list)
    free: list[tuple[str, int]] = field(default_factory=list)
    other: bool = False


@dataclass(slots=True)
class Branches:
    """The branches around a statement, outermost first."""

    open: list[OpenBranch] = field(default_factory=list)

    def turn(self, conditions: tuple[Condition, ...], known: dict[Access, int]) -> OpenBranch | None:
        """Close and open branches until those around are ``conditions``; return the last one if it is an ``else``."""
        same = 0
        while same < min(len(self.open), len(conditions)) and self.open[same].condition == conditions[same]:
            same += 1
        closed, self.open = self.open[same:], self.open[:same]
        for place, branch in enumerate(closed):
            turned = not place and same < len(conditions) and conditions[same] == Not(branch.condition)
            if turned:
                for around, raw in zip(self.open, branch.outside, strict=True):
                    around.raw = dict(raw)
                unsure, free = set(branch.unsure), list(branch.ports)
                other = OpenBranch(conditions[same], branch.before, unsure=unsure, free=free, other=True)
                self.open.append(other)
            else:
                for access in branch.unsure:
                    known.pop(access, None)
        for condition in conditions[len(self.open) :]:
            outside = [dict(branch.raw) for branch in self.open]
            self.open.append(OpenBranch(condition, dict(known), outside))
        return self.open[-1] if self.open and self.open[-1].other else None

    def tests(self) -> list[Condition]:
        """Return the conditions around a statement that are on data."""
        return [branch.condition for branch in self.open if is_data(branch.condition)]

    def value(self, access: Access) -> int | None:
        """Return the value that the branches around give a location, None if they give it none."""
        raw = next((branch.raw[access] for branch in reversed(self.open) if access in branch.raw), None)
        if raw is not None:
            return raw
        # An else sees the values of before the if.
        return next((each.before[access] for each in reversed(self.open) if each.other and access in each.before), None)

    def wrote(self, access: Access, raw: int, merged: int) -> None:
        """Note the value that a statement gives a location: only the innermost branch sees it without a multiplexer."""
        for branch in self.open:
            branch.raw[access] = merged
        self.open[-1].raw[access] = raw

    def forget(self, apart: Callable[[Access], bool]) -> None:
        """Forget the values of all locations that are not ``apart`` from the location that is written."""
        for branch in self.open:
            for table in (branch.raw, branch.before if branch.other else {}):
                for access in [each for each in table if not apart(each)]:
                    del table[access]

    def note(self, port: str, node: int) -> None:
        """Note an access to a FIFO that is executed only in the branches around."""
        for branch in self.open:
            branch.ports.append((port, node))

    def alternative(self, port: str) -> int | None:
        """Return the first access to a port, in the branch that excludes this one, that has no alternative yet."""
        for branch in self.open:
            for found in branch.free:
                if found[0] == port:
                    branch.free.remove(found)
                    return found[1]
        return None
