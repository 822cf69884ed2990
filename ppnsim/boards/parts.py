"""Parts as a vendor's scripts write them, such as ``xcu280-fsvh2892-2L-e``: the table that each of them takes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from ppnsim.boards.board import Board

# Its DSP blocks add and multiply floats themselves, which no table of ours has.
_VERSAL = r"xcv[cpemh]\d|xcv80|versal"
# Parts of defence, space and automotive grade are dies of the commercial ones in other packages: xqzu5ev is xczu5ev.
_QUALIFIED = re.compile(r"x[aq]r?(?=[7kvz]|au)")
# The table whose fabric is nearest, by the beginning of a part's name or family; the first that fits is taken.
_NEAREST = (
    (r"xcu\d|xcvu|virtexuplus|xcku\d+p|kintexuplus|xck\d|xcau|artixuplus|spartanuplus", "xcvu9p"),
    (_VERSAL, "xcvu9p"),
    (r"xczu|zynquplus", "xczu9eg"),
    (r"xcku|kintexu|virtexu", "xcvu9p"),
    (r"xc7v|virtex7", "xc7vx690t"),
    # The larger Zynq-7000 have the fabric of Kintex-7.
    (r"xc7k|kintex7|xc7z(?:030|035|045|100)", "xc7k325t"),
    (r"xc7a|artix7|xc7s|spartan7", "xc7a100t"),
    (r"xc7z|zynq", "xc7z020"),
    (r"xc6v|virtex6", "xc6vlx240t"),
)  # fmt: skip
# A part with its speed grade, or only a family; anything shorter may be a mistyped name of a table.
_GRADE = re.compile(r"-(\d)(l?v?)(?:-|i|e|$)")
_PLATFORM = re.compile(r"xilinx_([a-z0-9]+)_")
_WRITTEN = re.compile(r"x[cqa][a-z0-9]+.*-\d.*|(?:virtex|kintex|zynq|artix|spartan|versal)[a-z0-9]*")


def table_of(part: str, known: Collection[str]) -> tuple[str, str]:
    """Return the table of a part and "" if it is the part's own; else the nearest one and what is assumed.

    The name is "" if nothing is known of such a part.

    Parameters
    ----------
    known : names of tables in lower case.

    Examples
    --------
    >>> table_of("xc7z020clg400-1", {"xc7z020", "xcvu9p"})
    ('xc7z020', '')
    >>> table_of("xck26-sfvc784-2LV-c", {"xc7z020", "xcvu9p"})
    ('xcvu9p', "no table of part 'xck26-sfvc784-2LV-c': operators and resources are those of xcvu9p")
    """
    name = part.lower()
    if same := _same(name, known):
        return same, ""
    if (platform := _PLATFORM.match(name)) and platform[1] in known:
        return platform[1], ""
    if not _WRITTEN.fullmatch(name):
        return "", ""
    die = _QUALIFIED.sub("xc", name, count=1)
    fitting = (table for pattern, table in _NEAREST if re.match(pattern, die) and table in known)
    near = _same(die, known) or next(fitting, "")
    other = ", of an older family" if re.match(_VERSAL, die) else ""
    return near, f"no table of part '{part}': operators and resources are those of {near}{other}" if near else ""


def _same(name: str, known: Collection[str]) -> str:
    """Return the table of the part itself, "" without one."""
    same = max((each for each in known if len(each) > 4 and name.startswith(each)), key=len, default="")
    return same if same and re.match(r"$|[-_]|[a-z]{2,4}\d{3,4}(?:$|[-_])", name[len(same) :]) else ""


def graded(board: Board, part: str, assumed: str = "") -> Board:
    """Return a board with the times of the speed grade that a part's name ends with, and with what that assumes.

    A grade is as much slower as its DSP blocks are; ``-2L`` is ``-2`` at its usual voltage, ``-2LV`` is slower.

    Examples
    --------
    >>> board = graded(Board(name="xcvu9p", grade="-2", grades={"-2": 775, "-1": 645}), "xcvu9p-flga2104-1-e")
    >>> round(board.timing.grade_scale, 2)
    1.2
    """
    said = "; ".join(filter(None, (assumed, board.assumed)))
    found = _GRADE.search(part.lower(), part.find("-"))
    grade = found and f"-{found[1]}{found[2].upper() if 'v' in found[2] else ''}"
    if not grade or grade == board.grade or not {grade, board.grade} <= board.grades.keys():
        return replace(board, assumed=said)
    scale = board.grades[board.grade] / board.grades[grade]
    words = f"speed grade {grade} of part '{part}': times are those of grade {board.grade}, times {scale:.2f}"
    timing = replace(board.timing, grade_scale=board.timing.grade_scale * scale)
    return replace(board, timing=timing, assumed="; ".join(filter(None, (said, words))))
