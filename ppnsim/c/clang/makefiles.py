"""Reads the compiler options in a Makefile, ``-I folder`` and ``-D NAME=value``, with its variables replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ppnsim.c.continued_lines import joined_lines

_FURTHER = 8
"""Most levels of parent folders that are searched, up to the folder of a repository."""
_MOST_FILES, _MOST_BYTES, _DEEPEST = 40, 1 << 18, 12
_MOST_REPLACED = 1 << 22
"""Most characters inserted for variables of one Makefile: a variable that contains itself twice grows forever."""
_UNKNOWN = "\0"
"""The replacement for a function of make, which is never executed, and for a value that is too long or endless."""
_SET = re.compile(r"[ ]*(?:export[ \t]+|override[ \t]+)?([\w.-]+)[ \t]*(::?|\?|\+)?=[ \t]*(.*)")
_INCLUDE = re.compile(r"-?include[ \t]+(.*)")
_CONDITION = re.compile(r"[ \t]*(ifeq|ifneq|ifdef|ifndef|else|endif)\b[ \t]*(.*)")
_PAIR = re.compile(r"\((.*),(.*)\)|[\"'](.*)[\"'][ \t]+[\"'](.*)[\"']")
_VARIABLE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)\}|\([^()]*\)|\{[^{}]*\})")
_FLAG = re.compile(r"(?<!\S)-(?:(I)[ \t]*([^\s\"';]+)|(D)[ \t]*(\w+=[^\s\"';]+))")
_COMMENT = re.compile(r"(?<!\\)#.*")


@dataclass(frozen=True, slots=True)
class Flag:
    """An option: ``I`` with an existing folder, or ``D`` with ``NAME=value``; ``place`` is its file and line."""

    letter: str
    text: str
    place: str


@dataclass(slots=True)
class _Make:
    """The state while a Makefile is read; ``lines`` are commands and values of variables, each with its position."""

    folder: Path
    values: dict[str, str] = field(default_factory=dict)
    lines: list[tuple[str, str]] = field(default_factory=list)
    files: int = 0
    replaced_so_far: int = 0

    def read(self, file: Path) -> None:
        self.files += 1
        try:
            if self.files > _MOST_FILES or not file.is_file() or file.stat().st_size > _MOST_BYTES:
                return
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:  # not readable, or not a valid file name
            return
        taken: list[tuple[bool, bool]] = []
        for number, line in enumerate(joined_lines(text).split("\n"), 1):
            line = _COMMENT.sub("", line)
            if (condition := _CONDITION.match(line)) is not None:
                self._branch(condition[1], condition[2].strip(), taken)
            elif all(now for now, _ in taken):
                self._line(line, f"{file}:{number}")

    def _branch(self, word: str, what: str, taken: list[tuple[bool, bool]]) -> None:
        """Open or close a condition: record whether its lines count, and whether lines of later branches cannot count.

        If a condition is not known, no branch of it counts.
        """
        _, over = taken.pop() if word in ("else", "endif") and taken else (False, False)
        if word == "endif":
            return
        inner = _CONDITION.match(what)
        holds = self._holds(word, what) if word != "else" else inner is None or self._holds(inner[1], inner[2].strip())
        taken.append((holds is True and not over, holds is not False or over))

    def _holds(self, word: str, what: str) -> bool | None:
        """Return whether a condition is true, None if it is not known."""
        if word in ("ifdef", "ifndef"):
            return (self.values.get(what, "") != "") == (word == "ifdef")
        pair = _PAIR.match(what)
        if pair is None:
            return None
        left, right = (
            self.replaced(each or "").strip()
            for each in (pair.groups()[:2] if pair[1] is not None else pair.groups()[2:])
        )
        return None if _UNKNOWN in left + right else (left == right) == (word == "ifeq")

    def _line(self, line: str, place: str) -> None:
        if (included := _INCLUDE.match(line)) is not None:
            for name in self.replaced(included[1]).split():
                self.read(self.folder / name)
            return
        given = _SET.fullmatch(line) if not line.startswith("\t") else None
        if given is None:
            self.lines.append((line, place))
            return
        name, how, value = given[1], given[2] or "", given[3].strip()
        self.lines.append((value, place))
        if how == "+":
            self.values[name] = f"{self.values.get(name, '')} {value}".strip()
        elif how != "?" or name not in self.values:
            self.values[name] = self.replaced(value) if how.startswith(":") else value

    def replaced(self, text: str) -> str:
        """Return a text with the values of its variables, and nothing for unset variables."""
        for _ in range(_DEEPEST):
            text, count = _VARIABLE.subn(self._value, text)
            if not count:
                return text
        return _VARIABLE.sub(_UNKNOWN, text)

    def _value(self, found: re.Match[str]) -> str:
        name = found[1] or found[2]
        value = self.values.get(name, "") if name else _UNKNOWN
        self.replaced_so_far += len(value)
        return value if self.replaced_so_far <= _MOST_REPLACED else _UNKNOWN


def flags_of(source: str) -> Iterator[Flag]:
    """Yield the options in the Makefile of the nearest folder around a source that has one, in their order."""
    if (file := _makefile_of(source)) is not None:
        yield from _flags(file.parent, file)


def named_in(header: str, source: str) -> str:
    """Return the place in the Makefile around a source that names a header, "" if none does: a rule may make it."""
    if (file := _makefile_of(source)) is None or file.stat().st_size > _MOST_BYTES:
        return ""
    name = re.compile(rf"(?<![\w.-]){re.escape(Path(header).name)}(?![\w.-])")
    lines = enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
    return next((f"{file}:{number}" for number, line in lines if name.search(_COMMENT.sub("", line))), "")


def _makefile_of(source: str) -> Path | None:
    around = Path(source).resolve().parent
    for folder in (around, *around.parents[:_FURTHER]):
        if len(folder.parts) < 3:
            return None
        files = (folder / name for name in ("GNUmakefile", "makefile", "Makefile"))
        if (found := next(filter(Path.is_file, files), None)) is not None:
            return found
        if (folder / ".git").exists():
            return None
    return None


def _flags(folder: Path, file: Path) -> Iterator[Flag]:
    make = _Make(folder, {"CURDIR": str(folder), "PWD": str(folder)})
    make.read(file)
    for line, place in make.lines:
        for found in _FLAG.finditer(make.replaced(line)):
            if _UNKNOWN in found[0] or "$" in found[0]:
                continue
            if found[3]:
                yield Flag("D", found[4], place)
            elif (path := _folder(folder / found[2])) is not None:
                yield Flag("I", str(path), place)


def _folder(path: Path) -> Path | None:
    try:
        return path.resolve() if path.is_dir() else None
    except OSError:  # the name is too long, or the folder is not readable
        return None
