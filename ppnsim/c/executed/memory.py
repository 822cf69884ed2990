"""What is known of the variables of a program while its control flow is executed: numbers, and where pointers point."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ppnsim.c.executed.named_variables import is_reference
from ppnsim.c.syntax import Variable

Place = tuple[Variable, str]
"""A variable, and the part of it: ``.size`` is a member, ``[2]`` an element."""


@dataclass(frozen=True, slots=True)
class PointsTo:
    """A pointer to a place; to None if that is memory of the caller, which holds none of the variables here."""

    place: Place | None


Known = int | PointsTo


LARGEST = 256
"""Parts of one variable that are followed: of a larger array, nothing is known."""


@dataclass(slots=True)
class Memory:
    """The known values of variables; only those are kept that are ``asked`` for, and where pointers point.

    ``shared`` are those that something may point to, ``large`` those with too many parts to follow. Copies have the
    same dictionaries; ``own`` are the variables whose dictionary no copy has, which may be changed in place.
    """

    asked: Collection[Variable]
    shared: Collection[Variable]
    values: dict[Variable, dict[str, Known]] = field(default_factory=dict)
    large: set[Variable] = field(default_factory=set)
    own: set[Variable] = field(default_factory=set)

    def read(self, place: Place | None) -> Known | None:
        """Return the value at a place, None if it is not known."""
        if place is None or place[0] in self.large:
            return None
        known = self.values.get(place[0])
        return None if known is None else known.get(place[1])

    def write(self, place: Place, value: Known | None) -> None:
        """Set the value at a place, and forget those of its parts; None: it is not known."""
        variable, path = place
        if variable in self.large or (variable not in self.asked and not is_reference(variable)):
            return
        self.forget(variable, path)
        if value is None:
            return
        known = self._changed(variable)
        known[path] = value
        if len(known) > LARGEST:
            self.large.add(variable)
            del self.values[variable]

    def forget(self, variable: Variable, path: str = "") -> None:
        """Forget what is known of a place and of its parts."""
        if not path:
            self.values.pop(variable, None)
        elif found := [each for each in self.values.get(variable, ()) if is_part(each, path)]:
            known = self._changed(variable)
            for each in found:
                del known[each]

    def _changed(self, variable: Variable) -> dict[str, Known]:
        """Return the values of a variable to change them here, and in no copy."""
        if variable not in self.own:
            self.own.add(variable)
            self.values[variable] = dict(self.values.get(variable, {}))
        return self.values.setdefault(variable, {})

    def parts(self, place: Place) -> dict[str, Known]:
        """Return the known values of a place and of its parts, by the rest of their paths."""
        variable, path = place
        known = {} if variable in self.large else self.values.get(variable, {})
        return {each[len(path) :]: value for each, value in known.items() if is_part(each, path)}

    def forget_shared(self) -> None:
        """Forget all that an unknown pointer may point to."""
        for variable in [each for each in self.values if each in self.shared]:
            del self.values[variable]

    def copy(self) -> Memory:
        """Return a memory with the same values."""
        self.own.clear()
        return Memory(self.asked, self.shared, dict(self.values), self.large)

    def join(self, other: Memory) -> None:
        """Keep what is known alike in another memory: either may be the one."""
        for variable, known in self.values.items():
            same = other.values.get(variable, {})
            if same is not known:
                self.values[variable] = {path: value for path, value in known.items() if same.get(path) == value}
                self.own.add(variable)


def is_part(path: str, whole: str) -> bool:
    """Return whether a path is that of a place, or of a part of it.

    Examples
    --------
    >>> [is_part(each, ".row") for each in (".row", ".row[2]", ".rows")]
    [True, True, False]
    """
    return not whole or path == whole or path.startswith((f"{whole}.", f"{whole}["))
