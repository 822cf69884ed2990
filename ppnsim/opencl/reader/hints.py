"""Pragmas: ``#pragma unroll``, and ``#pragma ppnsim`` with the words below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.c.pragmas.text import number, without_comments
from ppnsim.errors import InputError, did_you_mean

_LINE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(unroll|ppnsim)\b([^\n]*)$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"__attribute(?:__)?\s*\(\(\s*opencl_unroll_hint(?:\s*\(([^()]*)\))?\s*\)\)")
_CLAUSE = re.compile(r"(\w+)[ \t]*(?:\(((?:[^()]|\([^()]*\))*)\))?")
_KERNEL = ("global_size", "local_size", "argument")
_STATEMENT = ("tripcount", "share", "reuse", "vector", "private", "access")
WORDS = (*_KERNEL, *_STATEMENT)
FULL = 0  # unrolled completely


@dataclass(frozen=True, slots=True)
class Hint:
    """A clause of a pragma: its word, the text in brackets, and its place."""

    word: str
    text: str
    file: str
    line: int

    @property
    def where(self) -> str:
        """The place in messages."""
        return f"{self.file}:{self.line}:1"


@dataclass(slots=True)
class Hints:
    """The hints of the sources of a kernel, and the numbers that they may name."""

    found: list[Hint]
    names: dict[str, int] = field(default_factory=dict)

    def between(self, file: str, after: int, until: int) -> dict[str, Hint]:
        """Return the hints on the lines between two lines (both excluded) by word."""
        return {each.word: each for each in self.found if each.file == file and after < each.line < until}

    def number(self, hint: Hint, least: int = 1) -> int:
        """Return the number in the brackets of a hint: an expression in numbers, macros and scalar arguments."""
        return self.amount(hint.text, f"{hint.where}: {hint.word}", least)

    def amount(self, text: str, where: str, least: int = 1) -> int:
        """Return the value of an expression, at least ``least``."""
        value = number(text, self.names)
        if value is None:
            unknown = [name for name in re.findall(r"[A-Za-z_]\w*", text) if name not in self.names]
            why = f": '{unknown[0]}' has no value{did_you_mean(unknown[0], self.names)}" if unknown else ""
            raise InputError(f"'{text}' is not a whole number{why}", where=where)
        if value < least:
            raise InputError(f"{text} = {value} (at least {least} is needed)", where=where)
        return value

    def trip(self, hint: Hint) -> int:
        """Return the count of ``tripcount(8)``, or of ``tripcount(min=1, avg=4, max=16)`` the average or maximum."""
        counts = dict(part.replace(" ", "").split("=", 1) for part in hint.text.split(",") if "=" in part)
        if counts.keys() - {"min", "avg", "max"} or (counts and not counts.keys() & {"avg", "max"}):
            raise InputError(f"tripcount({hint.text}) needs avg or max beside min", where=hint.where)
        text = counts.get("avg", counts.get("max", hint.text))
        return self.amount(text, f"{hint.where}: tripcount", least=0)

    def share(self, hint: Hint) -> Fraction:
        """Return the number from 0 to 1 in the brackets of a hint."""
        try:
            share = Fraction(hint.text)
        except (ValueError, ZeroDivisionError):
            share = Fraction(-1)
        if not 0 <= share <= 1:
            raise InputError(f"share({hint.text}) is not a share from 0 to 1", where=hint.where)
        return share

    def numbers(self, hint: Hint) -> tuple[int, ...]:
        """Return the one, two or three numbers of a hint."""
        return sizes_of([self.amount(part, f"{hint.where}: {hint.word}") for part in hint.text.split(",")], hint.where)


def sizes_of(numbers: list[int], where: str) -> tuple[int, ...]:
    """Return the sizes of one, two or three dimensions."""
    if not 1 <= len(numbers) <= 3:
        raise InputError(f"{len(numbers)} sizes are given (one for each of up to three dimensions)", where=where)
    return tuple(numbers)


def read_hints(sources: Mapping[str, str]) -> list[Hint]:
    """Return the hints of sources.

    Raises
    ------
    InputError
        For an unknown word.

    Examples
    --------
    >>> [(each.word, each.text, each.line) for each in read_hints({"k.cl": "#pragma ppnsim global_size(4, 4)"})]
    [('global_size', '4, 4', 1)]
    """
    return [hint for file, text in sorted(sources.items()) for hint in _hints(file, text)]


def _hints(file: str, text: str) -> Iterator[Hint]:
    clean = without_comments(text)
    for match in _ATTRIBUTE.finditer(clean):
        yield Hint("unroll", (match[1] or "").strip(), file, clean.count("\n", 0, match.start()) + 1)
    for match in _LINE.finditer(clean):
        line = clean.count("\n", 0, match.start(1)) + 1
        if match[1] == "unroll":
            yield Hint("unroll", match[2].strip(), file, line)
            continue
        for word, inner in _CLAUSE.findall(match[2]):
            if word not in WORDS:
                message = f"#pragma ppnsim knows no '{word}' in OpenCL C{did_you_mean(word, WORDS)}"
                raise InputError(message, where=f"{file}:{line}:1")
            yield Hint(word, inner.strip(), file, line)
