"""The options of the compiler that a Makefile gives, ``-I folder`` and ``-D NAME=value``, without its variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ppnsim.c.continued import joined_lines

_FURTHER = 8
"""Folders above that of the source, up to the folder of a repository."""
_MOST_FILES, _MOST_BYTES, _DEEPEST = 40, 1 << 18, 12
_SET = re.compile(r"[ ]*(?:export[ \t]+|override[ \t]+)?([\w.-]+)[ \t]*(::?|\?|\+)?=[ \t]*(.*)")
_INCLUDE = re.compile(r"-?include[ \t]+(.*)")
_CONDITION = re.compile(r"[ \t]*(ifeq|ifneq|ifdef|ifndef|else|endif)\b[ \t]*(.*)")
_PAIR = re.compile(r"\((.*),(.*)\)|[\"'](.*)[\"'][ \t]+[\"'](.*)[\"']")
_VARIABLE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)\}|\([^()]*\)|\{[^{}]*\})")
_FLAG = re.compile(r"(?<!\S)-(?:(I)[ \t]*([^\s\"';]+)|(D)[ \t]*(\w+=[^\s\"';]+))")
_COMMENT = re.compile(r"(?<!\\)#.*")


@dataclass(frozen=True, slots=True)
class Flag:
    """An option: ``I`` with a folder that is there, or ``D`` with ``NAME=value``; ``place`` is file and line of it."""

    letter: str
    text: str
    place: str


@dataclass(slots=True)
class _Make:
    """A Makefile while it is read; ``lines`` are what variables are given, and the commands, each with its place."""

    folder: Path
    values: dict[str, str] = field(default_factory=dict)
    lines: list[tuple[str, str]] = field(default_factory=list)
    files: int = 0

    def read(self, file: Path) -> None:
        self.files += 1
        if self.files > _MOST_FILES or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return
        taken: list[bool] = []
        text = file.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(joined_lines(text).split("\n"), 1):
            line = _COMMENT.sub("", line)
            if (condition := _CONDITION.match(line)) is not None:
                self._branch(condition[1], condition[2].strip(), taken)
            elif all(taken):
                self._line(line, f"{file}:{number}")

    def _branch(self, word: str, what: str, taken: list[bool]) -> None:
        """Open or close a condition; one that is not known is not taken."""
        if word == "endif" or word == "else":
            before = taken.pop() if taken else True
            if word == "else":
                inner = _CONDITION.match(what)
                taken.append(not before)
                if inner is not None and not before:
                    taken.pop()
                    self._branch(inner[1], inner[2].strip(), taken)
            return
        if word in ("ifdef", "ifndef"):
            taken.append((what in self.values) == (word == "ifdef"))
            return
        pair = _PAIR.match(what)
        left, right = ("", "?") if pair is None else pair.groups()[:2] if pair[1] is not None else pair.groups()[2:]
        same = self.replaced(left or "").strip() == self.replaced(right or "").strip()
        taken.append(same == (word == "ifeq"))

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

    def replaced(self, text: str, depth: int = 0) -> str:
        """Return a text with the values of variables in it; nothing for functions of make, and for what is not set."""
        if depth > _DEEPEST:
            return ""
        return _VARIABLE.sub(lambda each: self.replaced(self.values.get(each[1] or each[2] or "", ""), depth + 1), text)


def flags_of(source: str) -> Iterator[Flag]:
    """Yield the options in the Makefile of the nearest folder around a source that has one, in its order."""
    around = Path(source).resolve().parent
    for folder in (around, *around.parents[:_FURTHER]):
        if len(folder.parts) < 3:
            return
        for name in ("GNUmakefile", "makefile", "Makefile"):
            if (folder / name).is_file():
                yield from _flags(folder, folder / name)
                return
        if (folder / ".git").exists():
            return


def _flags(folder: Path, file: Path) -> Iterator[Flag]:
    make = _Make(folder, {"CURDIR": str(folder), "PWD": str(folder)})
    make.read(file)
    for line, place in make.lines:
        for found in _FLAG.finditer(make.replaced(line)):
            if found[3]:
                yield Flag("D", found[4], place)
            elif (path := folder / found[2]).is_dir():
                yield Flag("I", str(path.resolve()), place)
