"""How a kernel is launched and hinted: by options, attributes, ``#pragma unroll``, and ``#pragma ppnsim``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.c.pragmas.numbers import number
from ppnsim.c.pragmas.text import without_comments
from ppnsim.c.syntax import Function, TranslationUnit, refuse
from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.values import LARGEST
from ppnsim.loops.position import Position
from ppnsim.opencl.reader.symbolic.ndrange import ITEM_FUNCTIONS, NDRange

_LINE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(unroll|ppnsim)\b([^\n]*)$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"__attribute(?:__)?\s*\(\(\s*opencl_unroll_hint(?:\s*\(([^()]*)\))?\s*\)\)")
_CLAUSE = re.compile(r"(\w+)[ \t]*(?:\(((?:[^()]|\([^()]*\))*)\))?")
WORDS = ("global_size", "local_size", "argument", "tripcount", "share", "reuse", "vector", "private", "access")
FULL = 0  # unrolled completely


@dataclass(frozen=True, slots=True)
class Hint:
    """A clause of a pragma, or an attribute: its word, the text in brackets, and its place."""

    word: str
    text: str
    file: str
    line: int
    column: int = 1

    @property
    def where(self) -> str:
        """The place in messages."""
        return f"{self.file}:{self.line}:1"


@dataclass(slots=True)
class Hints:
    """The hints of the sources of a kernel, and the numbers that they may name."""

    found: list[Hint]
    names: dict[str, int] = field(default_factory=dict)

    def between(self, after: int, until: Position) -> dict[str, Hint]:
        """Return the hints behind a line and before a place, by word: attributes may stand on the line of a loop."""
        mine = (each for each in self.found if each.file == until.file and each.line > after)
        return {each.word: each for each in mine if (each.line, each.column) <= (until.line, until.column)}

    def number(self, hint: Hint) -> int:
        """Return the number in the brackets of a hint: an expression in numbers, macros and scalar arguments."""
        return self.amount(hint.text, f"{hint.where}: {hint.word}")

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
        line, column = clean.count("\n", 0, match.start()) + 1, match.start() - clean.rfind("\n", 0, match.start())
        yield Hint("unroll", (match[1] or "").strip(), file, line, column)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOptions:
    """Which kernel of a source is read, and how it is launched.

    Attributes
    ----------
    kernel : name of the kernel, needed if the source has several.
    sizes, groups : global and local work size; empty if the source gives them.
    defines, include : macros and folders of headers.
    """

    kernel: str | None = None
    sizes: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    defines: Mapping[str, str] | None = None
    include: Sequence[str] = ()

    @property
    def given(self) -> bool:
        """Whether any option is given."""
        return bool(self.kernel or self.sizes or self.groups or self.defines or self.include)


def argument_values(function: Function, hint: Hint | None, hints: Hints) -> dict[str, int]:
    """Return the values of ``#pragma ppnsim argument(n = 1024, m = 16)``."""
    scalars = [each.name for each in function.parameters if each.type.kind == "integer"]
    values: dict[str, int] = {}
    for part in hint.text.split(",") if hint is not None else ():
        name, equals, text = (each.strip() for each in part.partition("="))
        if hint is None or not equals or name not in scalars:
            where = hint.where if hint else ""
            raise InputError(f"argument({part.strip()}) is not NAME = N{did_you_mean(name, scalars)}", where=where)
        values[name] = hints.amount(text, f"{hint.where}: argument", least=-LARGEST)
        hints.names[name] = values[name]
    return values


def work_sizes(
    unit: TranslationUnit, function: Function, hints: Hints, mine: Mapping[str, Hint], asked: ReaderOptions
) -> NDRange:
    """Return the work sizes by options, else by pragmas and attributes; 1 if the kernel never asks for its number."""
    sizes = asked.sizes or (hints.numbers(mine["global_size"]) if "global_size" in mine else ())
    required = attribute(function, "reqd_work_group_size", hints)
    groups = asked.groups or required or (hints.numbers(mine["local_size"]) if "local_size" in mine else ())
    if required and tuple(groups) + (1,) * (3 - len(groups)) != required + (1,) * (3 - len(required)):
        message = f"reqd_work_group_size asks for {' x '.join(map(str, required))}"
        raise InputError(f"the work group is {' x '.join(map(str, groups))}, but {message}", where=unit.file)
    if not sizes and _asks(unit, function):
        way_out = "give --global N[,N[,N]], or #pragma ppnsim global_size(N) before the kernel"
        refuse(function.position, f"the number of work items of '{function.name}' is not given: {way_out}")
    try:
        return NDRange(tuple(sizes or (1,)), tuple(groups) or None).checked()
    except InputError as error:
        raise InputError(str(error), where=unit.file) from None


def _asks(unit: TranslationUnit, function: Function) -> bool:
    """Return whether a kernel or a function that it may call asks for the number of the work item."""
    bodies = [each.body for each in unit.functions.values() if each is function or "kernel" not in each.attributes]
    return any(n.kind == "call" and n.spelled in ITEM_FUNCTIONS for body in bodies if body for n in body.walk())


def attribute(function: Function, name: str, hints: Hints) -> tuple[int, ...]:
    """Return the numbers of an attribute of a kernel, () without it."""
    text = next((each.removeprefix(name) for each in function.attributes if each.startswith(f"{name} ")), None)
    if text is None:
        return ()
    return sizes_of([hints.amount(each, f"{function.position}: {name}") for each in text.split(",")], name)
