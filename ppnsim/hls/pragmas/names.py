"""What the names in directives mean: arrays of the program, in the function that the directive stands in."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.loops.program import Array, Frame


class ArrayNames:
    """The arrays of a program by what directives call them."""

    def __init__(self, every: Sequence[Array]) -> None:
        self.every = every
        self.inside: dict[str, list[str]] = {}
        self.members: dict[str, list[tuple[str, str]]] = {}
        for each in every:
            for end in (place for place, letter in enumerate(each.name + ".") if letter == "."):
                self.inside.setdefault(each.name[:end], []).append(each.name)
            if each.member:
                self.members.setdefault(each.member[0], []).append((each.member[1], each.name))

    def meant(self, frames: Sequence[Frame], only: str = "") -> dict[str, frozenset[str]]:
        """Return the arrays that names mean in a function, or in the whole program; a struct means all its members.

        ``only``: the name that is asked for, where others need not be looked at.
        """
        named = {name for frame in frames for name in frame.names} or {(array.name, array.name) for array in self.every}
        if only:
            named = {each for each in named if each[0] == "this" or f"{only}.".startswith(f"{each[0]}.")}
        found: dict[str, set[str]] = {}
        for name, array in named:
            found.setdefault(name, set()).update(self.inside.get(array, ()) if array else ())
            for member, part in self.members.get(array, ()):
                for known in (f"{name}.{member}", *((member,) if name == "this" else ())):
                    found.setdefault(known, set()).add(part)
        return {name: frozenset(parts) for name, parts in found.items()}


def names_in(every: Sequence[Array], frames: Sequence[Frame]) -> dict[str, frozenset[str]]:
    """Return the arrays that names mean in a function, or in the whole program."""
    return ArrayNames(every).meant(frames)


def variable_of(array: Array, frames: Sequence[Frame]) -> str:
    """Return the name of an array in the source: that in the outermost function that has it."""
    whole, path = array.member or (array.name, "")
    outermost = sorted(frames, key=lambda frame: len(frame.path))
    names = (name for frame in outermost for name, known in frame.names if known == whole)
    return f"{next(names, whole)}.{path}".removesuffix(".")
