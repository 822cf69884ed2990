"""Tcl commands that examine strings and lists; each turns text into text and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

from ppnsim.hls.project.tcl_words import items

_LONGEST = 1 << 20
"""Most letters of a text that a script may make at once."""


def place_in(text: str, length: int) -> int:
    """Return the index that a word names: ``3``, ``end``, ``end-1``.

    Examples
    --------
    >>> place_in("end-1", 4)
    2
    """
    return int(text) if not text.startswith("end") else length - 1 + int(text[3:] or 0)


def joined(parts: Sequence[str]) -> str:
    """Return a Tcl list.

    Examples
    --------
    >>> joined(["a", "b c", ""])
    'a {b c} {}'
    """
    return " ".join(part if part and not re.search(r"[\s{}\[\]$;\"]", part) else f"{{{part}}}" for part in parts)


def string(arguments: Sequence[str]) -> str:
    """Return the result of ``string ..``.

    Examples
    --------
    >>> string(["first", "hls", "vitis_hls"]), string(["range", "2023.2", "0", "3"])
    ('6', '2023')
    >>> string(["map", "- _ . {}", "a-b.c"])
    'a_bc'
    """
    what, *rest = arguments
    if what in ("equal", "compare", "match"):
        *marks, one, other = rest
        if marks not in ([], ["-nocase"]):
            raise ValueError(what)
        one, other = (one.lower(), other.lower()) if marks else (one, other)
        return {
            "equal": str(int(one == other)), "compare": str((one > other) - (one < other)),
            "match": str(int(matches(one, other))),
        }[what]  # fmt: skip
    return str(_STRINGS[what](*rest)) if what in _STRINGS else _refused(what)


def matches(pattern: str, text: str) -> bool:
    """Return whether a text matches a pattern of ``string match``.

    Examples
    --------
    >>> matches("xc*", "xcu280"), matches("[ab]?", "c1")
    (True, False)
    """
    return fnmatchcase(text, pattern.replace("[!", "[[]!"))


def _refused(what: str) -> str:
    raise ValueError(what)


def _first(part: str, text: str, start: str = "0") -> int:
    return text.find(part, place_in(start, len(text)))


def _range(text: str, first: str, last: str) -> str:
    return text[max(0, place_in(first, len(text))) : max(0, place_in(last, len(text)) + 1)]


def _map(pairs: str, text: str) -> str:
    listed = items(pairs, "")
    by = dict(zip(listed[-2::-2], listed[::-2], strict=True))  # the first of two entries for one text counts
    if not by:
        return text
    return re.sub("|".join(map(re.escape, listed[::2])), lambda found: by[found[0]], text)


def _trimmed(text: str, marks: str = " \t\n\r\f\v") -> str:
    return text.strip(marks)


def _repeated(text: str, times: str) -> str:
    if len(text) * int(times) > _LONGEST:
        raise ValueError(times)
    return text * int(times)


_STRINGS: Mapping[str, Callable[..., object]] = {
    "first": _first, "range": _range, "map": _map, "trim": _trimmed,
    "last": lambda part, text: text.rfind(part),
    "index": lambda text, at: _range(text, at, at),
    "length": lambda text: len(text),
    "tolower": lambda text: text.lower(), "toupper": lambda text: text.upper(),
    "trimleft": lambda text, marks=" \t\n\r\f\v": text.lstrip(marks),
    "trimright": lambda text, marks=" \t\n\r\f\v": text.rstrip(marks),
    "repeat": _repeated,
}  # fmt: skip


def lsearch(arguments: Sequence[str], where: str) -> str:
    """Return the index of the first element of a list that matches a pattern, -1 for none.

    Examples
    --------
    >>> lsearch(["zynq virtexu", "virtex*"], ""), lsearch(["-exact", "a b", "c"], "")
    ('1', '-1')
    """
    *marks, listed, pattern = arguments
    if marks not in ([], ["-exact"], ["-glob"]):
        raise ValueError(marks[0])
    every = items(listed, where)
    fits = [each == pattern if marks == ["-exact"] else matches(pattern, each) for each in every]
    return str(fits.index(True) if any(fits) else -1)


def lreplace(arguments: Sequence[str], where: str) -> str:
    """Return a list in which other elements replace some.

    Examples
    --------
    >>> lreplace(["a b c", "1", "end", "x"], "")
    'a x'
    """
    listed, first, last, *given = arguments
    every = items(listed, where)
    start, end = place_in(first, len(every)), place_in(last, len(every))
    return joined([*every[: max(0, start)], *given, *every[max(start, end + 1) :]])


def formatted(arguments: Sequence[str]) -> str:
    """Return the result of ``format``.

    Examples
    --------
    >>> formatted(["%s_%02d_%.1f", "a", "7", "3.33"])
    'a_07_3.3'
    """
    text, *given = arguments
    kinds = re.findall(r"%[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])", text)
    rest = iter(given)
    as_number = {"d": int, "i": int, "x": int, "X": int, "o": int, "f": float, "e": float, "g": float}
    return text % tuple(as_number.get(kind, str)(next(rest)) for kind in kinds if kind != "%")
