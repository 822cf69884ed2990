"""Line numbers for the user: code in one of ppnsim's headers is shown at the line of the user's call."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf
from pathlib import Path

from ppnsim.loops.program import LoopProgram, Position

_OWN = str(Path(__file__).parents[1] / "c" / "clang" / "headers")


def shown_line(position: Position, program: LoopProgram) -> int:
    """Return the line of a place; in a function of ppnsim's headers, the line of the call if there is only one.

    Examples
    --------
    >>> shown_line(Position("k.cpp", 7, 1), LoopProgram(name="k", arrays=(), body=()))
    7
    """
    if not position.file.startswith(_OWN):
        return position.line
    calls = {
        frame.called for frame in program.frames
        if frame.position.file == position.file and frame.position.line <= position.line <= frame.end
    }  # fmt: skip
    return calls.pop() if len(calls) == 1 and 0 not in calls else position.line


def lines_in_words(places: Iterable[Position], program: LoopProgram) -> str:
    """Return the lines of some places as text; lines of another file than the program's have the name of that file.

    Examples
    --------
    >>> program = LoopProgram(name="k", arrays=(), body=(), file="d/k.cpp")
    >>> lines_in_words([Position("d/k.cpp", 9, 1), Position("d/k.cpp", 7, 5), Position("d/h.h", 3, 1)], program)
    'lines 7, 9 and line 3 of h.h'
    """
    files: dict[str, set[int]] = {}
    for place in places:
        line = shown_line(place, program)
        called = place.file.startswith(_OWN) and line != place.line
        files.setdefault(program.file if called else place.file, set()).add(line)
    found = []
    for file, lines in sorted(files.items(), key=lambda each: (each[0] not in ("", program.file), each[0])):
        of = f" of {Path(file).name}" if file not in ("", program.file) and program.file else ""
        found.append(f"line{'s' * (len(lines) > 1)} {', '.join(map(str, sorted(lines)))}{of}")
    return " and ".join(found)


def line_of_words(words: str) -> float:
    """Return the line number with which a sentence begins, infinity if it begins with none.

    Examples
    --------
    >>> line_of_words("k.cpp:12:1: latency max"), line_of_words("--pragma inline")
    (12, inf)
    """
    found = re.match(r".+?:(\d+):", words)
    return int(found[1]) if found else inf
