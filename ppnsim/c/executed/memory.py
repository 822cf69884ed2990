"""What is known of the variables of a program while its control flow is executed: numbers, and where pointers point."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ppnsim.c.executed.influences import is_reference
from ppnsim.c.syntax import Variable

Place = tuple[Variable, str]
"""A variable, and the part of it: ``.size`` is a member, ``[2]`` an element."""


@dataclass(frozen=True, slots=True)
class PointsTo:
    """A pointer to a place; to None if that is memory of the caller, which holds none of the variables here."""

    place: Place | None


Known = int | PointsTo


@dataclass(slots=True)
class Memory:
    """The known values of variables; only those are kept that are ``asked`` for, and where pointers point.

    ``shared`` are those that something may point to.
    """

    asked: Collection[Variable]
    shared: Collection[Variable]
    values: dict[Place, Known] = field(default_factory=dict)

    def read(self, place: Place | None) -> Known | None:
        """Return the value at a place, None if it is not known."""
        return None if place is None else self.values.get(place)

    def write(self, place: Place, value: Known | None) -> None:
        """Set the value at a place, and forget those of its parts; None: it is not known."""
        variable, path = place
        if variable not in self.asked and not is_reference(variable):
            return
        self.forget(variable, path)
        if value is not None:
            self.values[place] = value

    def forget(self, variable: Variable, path: str = "") -> None:
        """Forget what is known of a place and of its parts."""
        inner = (f"{path}.", f"{path}[")
        gone = [p for p in self.values if p[0] is variable and (not path or p[1] == path or p[1].startswith(inner))]
        for each in gone:
            del self.values[each]

    def forget_shared(self) -> None:
        """Forget all that an unknown pointer may point to."""
        for variable in self.shared:
            self.forget(variable)

    def copy(self) -> Memory:
        """Return a memory with the same values."""
        return Memory(self.asked, self.shared, dict(self.values))

    def join(self, other: Memory) -> None:
        """Keep what is known alike in another memory: either may be the one."""
        self.values = {place: value for place, value in self.values.items() if other.values.get(place) == value}
