"""Tcl commands on lists, strings and file names; each turns text into text and changes nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ppnsim.hls.project.places import elsewhere
from ppnsim.hls.project.tcl_strings import formatted, joined, lreplace, lsearch, place_in, string
from ppnsim.hls.project.tcl_words import items


@dataclass(frozen=True, slots=True)
class Place:
    """The context of a command: the folder to which file names are relative, and file and line for messages."""

    folder: Path
    where: str


def _lindex(arguments: Sequence[str], place: Place) -> str:
    found, *places = arguments
    for each in places:
        every = items(found, place.where)
        at = place_in(each, len(every))
        found = every[at] if 0 <= at < len(every) else ""
    return found


def _lrange(arguments: Sequence[str], place: Place) -> str:
    every = items(arguments[0], place.where)
    first, last = (place_in(text, len(every)) for text in arguments[1:])
    return joined(every[max(0, first) : max(0, last + 1)])


def _split(arguments: Sequence[str], _place: Place) -> str:
    text, *marks = arguments
    return joined(re.split(f"[{re.escape(marks[0])}]", text) if marks else text.split())


def _only(arguments: Sequence[str]) -> str:
    """Return the only word that a command takes here, such as a word without options."""
    (word,) = arguments
    return word


_GLOB = {"-directory": 2, "-path": 5, "-types": 3}
"""Options of ``glob`` with a word, and the letters that identify them."""


def _glob(arguments: Sequence[str], place: Place) -> str:
    """Return the files that match patterns; patterns in a missing folder, of another machine, remain as names."""
    given, patterns, tails, rest = dict[str, str](), list[str](), False, list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            patterns.append(word)
        elif option := next((each for each in _GLOB if len(word) >= _GLOB[each] and each.startswith(word)), ""):
            given[option] = rest.pop(0) if rest else ""
        elif word == "-tails":
            tails = True
        elif word not in ("--", "-nocomplain"):
            raise ValueError(word)
    folder, start, types = (given.get(each, "") for each in _GLOB)
    names = [Path(folder, start + each) for pattern in patterns for each in _alternatives(pattern.replace("\\", "/"))]
    found = [each for name in names for each in _matching(name, place) if _is_of(place.folder / each, types.split())]
    return joined([os.path.relpath(each, folder) if tails and folder else str(each) for each in found])


def _is_of(path: Path, types: Sequence[str]) -> bool:
    """Return whether a file has one of the types that ``glob`` asks for; missing files count as files."""
    return ("d" not in types or path.is_dir()) and ("f" not in types or not path.is_dir())


def _matching(name: Path, place: Place) -> list[Path]:
    if name.is_absolute():
        found = sorted(Path(name.anchor).glob(str(name.relative_to(name.anchor))))
    else:
        found = [each.relative_to(place.folder) for each in sorted(place.folder.glob(str(name)))]
    if not found and not (place.folder / name.parent).is_dir():
        other = elsewhere(place.folder, str(name.parent))
        return [name.parent / each.name for each in sorted(other.glob(name.name))] if other is not None else []
    return found


def _alternatives(pattern: str) -> list[str]:
    """Return the patterns for which a pattern with braces stands.

    Examples
    --------
    >>> _alternatives("src/*.{c,cpp}")
    ['src/*.c', 'src/*.cpp']
    """
    before, braces, rest = pattern.partition("{")
    inside, closed, after = rest.partition("}")
    if not braces or not closed:
        return [pattern]
    return [f"{before}{each}{end}" for each in inside.split(",") for end in _alternatives(after)]


def _file(arguments: Sequence[str], place: Place) -> str:
    what, *rest = arguments
    if what in ("mkdir", "delete", "copy", "rename"):
        return ""
    path = Path(*rest)
    answers: Mapping[str, Callable[[], str]] = {
        "join": lambda: str(path), "dirname": lambda: str(path.parent), "tail": lambda: path.name,
        "rootname": lambda: str(path.with_suffix("")), "extension": lambda: path.suffix, "normalize": lambda: str(path),
        "exists": lambda: str(int((place.folder / path).exists())),
    }  # fmt: skip
    if what not in answers:
        raise ValueError(what)
    return answers[what]()


FUNCTIONS: Mapping[str, Callable[[Sequence[str], Place], str]] = {
    "llength": lambda arguments, place: str(len(items(arguments[0], place.where))), "lindex": _lindex,
    "lrange": _lrange, "list": lambda arguments, _: joined(arguments),
    "concat": lambda arguments, _: " ".join(filter(None, map(str.strip, arguments))),
    "join": lambda arguments, place: (arguments[1] if arguments[1:] else " ").join(items(arguments[0], place.where)),
    "lsort": lambda arguments, place: joined(sorted(items(_only(arguments), place.where))),
    "string": lambda arguments, _: string(arguments),
    "lsearch": lambda arguments, place: lsearch(arguments, place.where),
    "lreplace": lambda arguments, place: lreplace(arguments, place.where),
    "format": lambda arguments, _: formatted(arguments),
    "lreverse": lambda arguments, place: joined(items(_only(arguments), place.where)[::-1]),
    "split": _split, "glob": _glob, "file": _file, "pwd": lambda *_: ".", "clock": lambda *_: "0",
    "puts": lambda *_: "",
}  # fmt: skip
