"""Expands macros with pragmas: ``#define PIPE _Pragma("HLS pipeline")``, ``#define LATE(N) P(HLS latency min=N)``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_INSIDE = re.compile(
    r"\b_Pragma[ \t]*\([ \t]*\"[ \t]*HLS[ \t]+(?P<operator>[^\"]*)\"|\b\w+[ \t]*\([ \t]*HLS[ \t]+(?P<macro>\w[^()]*)\)",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^()\n]*)\))?[ \t]+([^\n]*)", re.MULTILINE)
_INCLUDED = re.compile(r"^[ \t]*#[ \t]*include[ \t]*\"([^\"\n]+)\"", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PragmaMacro:
    """A macro with pragmas: its parameters, and the texts of the pragmas after ``HLS``."""

    parameters: tuple[str, ...]
    pragmas: tuple[str, ...]


def pragma_macros(file: str, text: str) -> dict[str, PragmaMacro]:
    r"""Return the macros with pragmas that a text, or a header that it includes from its folder, defines.

    Examples
    --------
    >>> found = pragma_macros("k.cpp", '#define PIPE(N) _Pragma("HLS pipeline II=N")\n#define FAST PIPE(1)\n')
    >>> {name: (each.parameters, each.pragmas) for name, each in found.items()}
    {'PIPE': (('N',), ('pipeline II=N',)), 'FAST': ((), ('pipeline II=1',))}
    """
    found: dict[str, PragmaMacro] = {}
    for defined in _texts(file, text, set()):
        for name, parameters, body in _DEFINED.findall(defined):
            pragmas = tuple(text for _, text in inside(body, found))
            if pragmas:
                found[name] = PragmaMacro(tuple(p.strip() for p in parameters.split(",") if p.strip()), pragmas)
    return found


def inside(code: str, macros: Mapping[str, PragmaMacro]) -> Iterator[tuple[int, str]]:
    """Yield the pragmas in a line of code, in their order: the column of each, from 0 on, and its text."""
    places = [(match.start(), next(each for each in match.groups() if each)) for match in _INSIDE.finditer(code)]
    for name, macro in macros.items():
        for match in re.finditer(rf"\b{name}\b(?:[ \t]*\(([^()]*)\))?", code):
            given = [each.strip() for each in (match[1] or "").split(",") if each.strip()]
            if len(given) != len(macro.parameters):
                continue
            for text in macro.pragmas:
                for parameter, value in zip(macro.parameters, given, strict=True):
                    text = re.sub(rf"\b{parameter}\b", value, text)
                places.append((match.start(), text))
    yield from ((column, text.strip()) for column, text in sorted(places, key=lambda place: place[0]))


def _texts(file: str, text: str, seen: set[str]) -> Iterator[str]:
    """Yield the texts of the headers that a text includes from the file's folder, and then the text."""
    for name in _INCLUDED.findall(text):
        header = Path(os.path.normpath(Path(file).parent / name))  # headers may include each other by "../"
        if str(header) not in seen and header.is_file():
            seen.add(str(header))
            yield from _texts(str(header), header.read_text(encoding="utf-8", errors="replace"), seen)
    yield re.sub(r"\\[ \t]*\n", " ", text)


def stands_for(name: str, texts: Mapping[str, str]) -> str:
    """Return the only name that a macro stands for, "" for none or several: ``#define TOP scale``."""
    macro = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(name)}[ \t]+(\w+)[ \t]*(?://.*|/\*.*)?$", re.MULTILINE)
    found = {each for text in texts.values() for each in macro.findall(text)}
    return found.pop() if len(found) == 1 else ""
