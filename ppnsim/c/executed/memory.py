"""Holds the known values of variables while control flow is executed: numbers, and the targets of pointers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ppnsim.c.executed.named_variables import is_reference
from ppnsim.c.syntax import Variable

Place = tuple[Variable, str]
"""A variable, and a path to a part of it: ``.size`` is a member, ``[2]`` an element."""


@dataclass(frozen=True, slots=True)
class PointsTo:
    """A pointer to a place; the place is None for memory of the caller, which contains no variable of the program."""

    place: Place | None


Known = int | PointsTo


LARGEST = 256
"""Most parts of one variable that are followed; nothing is known of a larger array."""


@dataclass(slots=True)
class Memory:
    """The known values of variables; only variables that are ``asked`` for, and targets of pointers, are kept.

    ``shared`` are the variables to which a pointer may refer, ``large`` those with too many parts to follow. Copies of
    a memory share their dictionaries; ``own`` are the variables whose dictionary no copy shares, so that it may be
    changed in place.
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
        """Set the value at a place, and forget the values of its parts; None means that the value is not known."""
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
        """Forget the known values of a place and of its parts."""
        if not path:
            self.values.pop(variable, None)
        elif found := [each for each in self.values.get(variable, ()) if is_part(each, path)]:
            known = self._changed(variable)
            for each in found:
                del known[each]

    def _changed(self, variable: Variable) -> dict[str, Known]:
        """Return the values of a variable as a dictionary that no copy shares."""
        if variable not in self.own:
            self.own.add(variable)
            self.values[variable] = dict(self.values.get(variable, {}))
        return self.values.setdefault(variable, {})

    def parts(self, place: Place) -> dict[str, Known]:
        """Return the known values of a place and of its parts, by the remaining path."""
        variable, path = place
        known = {} if variable in self.large else self.values.get(variable, {})
        return {each[len(path) :]: value for each, value in known.items() if is_part(each, path)}

    def forget_shared(self) -> None:
        """Forget the values of all variables to which an unknown pointer may refer."""
        for variable in list(filter(self.shared.__contains__, self.values)):
            del self.values[variable]

    def copy(self) -> Memory:
        """Return a memory with the same values."""
        self.own.clear()
        return Memory(self.asked, self.shared, dict(self.values), self.large)

    def join(self, other: Memory) -> None:
        """Keep only the values that are equal in another memory, because either memory may be the real one."""
        for variable, known in self.values.items():
            same = other.values.get(variable, {})
            if same is not known:
                self.values[variable] = {path: value for path, value in known.items() if same.get(path) == value}
                self.own.add(variable)


def is_part(path: str, whole: str) -> bool:
    """Return whether a path names a place or a part of it.

    Examples
    --------
    >>> [is_part(each, ".row") for each in (".row", ".row[2]", ".rows")]
    [True, True, False]
    """
    return not whole or path == whole or path.startswith((f"{whole}.", f"{whole}["))
