"""Names in directives: the arrays that a name means in the function that contains the directive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.blocks import OF_BLOCKS
from ppnsim.loops.program import Array, Frame


class ArrayNames:
    """The arrays of a program by the names that directives use."""

    def __init__(self, every: Sequence[Array]) -> None:
        self.every = every
        self.inside: dict[str, list[str]] = {}
        self.members: dict[str, list[tuple[str, str]]] = {}
        for each in every:
            for end in (place for place, letter in enumerate(each.name + ".") if letter == "."):
                self.inside.setdefault(each.name[:end], []).append(each.name)
            if each.member:
                self.members.setdefault(each.member[0], []).append((each.member[1], each.name))

    def _parts(self, array: str) -> list[tuple[str, str]]:
        """Return the arrays in a struct, or in a part of one, with their paths in it."""
        found = list(self.members.get(array, ()))
        for whole in _wholes(array) if not found else ():
            inner = f"{array[len(whole) + 1 :]}."
            found += [(m.removeprefix(inner), part) for m, part in self.members.get(whole, ()) if m.startswith(inner)]
        return found

    def meant(self, frames: Sequence[Frame], only: str = "") -> dict[str, frozenset[str]]:
        """Return the arrays that names mean in a function, or in the whole program; a struct means all its members.

        ``only``: the only name that is needed, so that others are not resolved.
        """
        named = {name for frame in frames for name in _exact(frame)} or {
            (array.name, array.name) for array in self.every
        }
        if only:
            named = {each for each in named if each[0] == "this" or f"{only}.".startswith(f"{each[0]}.")}
        found: dict[str, set[str]] = {}
        for name, array in named:
            found.setdefault(name, set()).update(self.inside.get(array, ()) if array else ())
            for member, part in self._parts(array):
                short = ((member,) if name == "this" else ()) + ((name,) if member in OF_BLOCKS else ())
                for known in (f"{name}.{member}", *short):
                    found.setdefault(known, set()).add(part)
        return {name: frozenset(parts) for name, parts in found.items()}


def declared_before(frame: Frame, line: int) -> Frame:
    """Return a frame in which a name that several blocks declare means what was last declared before a line."""
    last = {name: array for name, at, array in frame.again if at <= line}
    known = {(name, array) for name, _, array in frame.again}
    names = tuple((name, last.get(name, array) if (name, array) in known else array) for name, array in frame.names)
    return replace(frame, names=names)


def _exact(frame: Frame) -> list[tuple[str, str]]:
    """Return the meanings of the names of a frame; a name for a part of a struct means only that part."""
    parts = {(name, whole) for name, array in frame.names for whole in _wholes(array)}
    return [each for each in frame.names if each not in parts]


def _wholes(array: str) -> list[str]:
    """Return the prefixes of the name of a struct's part: ``f`` and ``f.line`` for ``f.line.rows``."""
    return [array[:end] for end, letter in enumerate(array) if letter == "."]


def names_in(every: Sequence[Array], frames: Sequence[Frame]) -> dict[str, frozenset[str]]:
    """Return the arrays that names mean in a function, or in the whole program."""
    return ArrayNames(every).meant(frames)


def variable_of(array: Array, frames: Sequence[Frame]) -> str:
    """Return the name of an array in the source: its name in the outermost function that has it."""
    whole, path = array.member or (array.name, "")
    outermost = sorted(frames, key=lambda frame: len(frame.path))
    names = (name for frame in outermost for name, known in frame.names if known == whole)
    return f"{next(names, whole)}.{path}".removesuffix(".")
