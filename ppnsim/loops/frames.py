"""Where a loop program comes from: its place in the source, and the functions whose bodies are in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.loops.position import Position


@dataclass(frozen=True, slots=True)
class Region:
    """The part of a source file that a program's body comes from, in bytes from ``start`` to before ``end``.

    ``names`` are its declarations that code behind it can use: scalars with their types, arrays with "". Then the range
    of the whole function in bytes; why the region cannot be replaced, "" if it can, and where that is so.
    """

    start: int
    end: int
    function: tuple[int, int] = (0, 0)
    names: tuple[tuple[str, str], ...] = ()
    obstacle: str = ""
    where: Position = field(default=Position())


@dataclass(frozen=True, slots=True)
class Frame:
    """A function whose body is part of a program: its place in the source and the meaning of its names.

    ``path`` is the path of its statements. ``names`` are pairs of a name in the function and the array, "" for one that
    is declared and not used; of a part of a struct also with its path, ``f.lines``. ``values`` are its integers with a
    known value, ``dead`` first and last lines of branches that its constants never take. ``rows``: names of a row, or
    of an object in an array, with the number of subscripts that choose it. ``called``: the line of its call, or 0;
    ``column``: the column of its call there.
    """

    path: tuple[str, ...]
    position: Position
    end: int
    names: tuple[tuple[str, str], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    dead: tuple[tuple[int, int], ...] = ()
    rows: tuple[tuple[str, int], ...] = ()
    called: int = 0
    again: tuple[tuple[str, int, str], ...] = ()
    column: int = 0
