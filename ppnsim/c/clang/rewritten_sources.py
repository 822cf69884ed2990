"""Changes source texts that clang refuses but other compilers accept."""

from __future__ import annotations

import re
from pathlib import Path

from ppnsim.c.clang.library import UNWRITTEN

_SPECIFIER = re.compile(r"\b(?:class|struct)(?=\s+ap_u?(?:int|fixed)\s*<)")

_SPECIFIED = re.compile(r"(.+?):\d+:\d+: not C that can be read: type alias template '\w+' cannot be referenced with a")
_NULL = re.compile(
    r"(.+?):(\d+):\d+: not C that can be read: comparison between pointer and integer \('.*\*' and 'char'\)"
)
_READ = re.compile(
    r"(.+?):(\d+):\d+: not C that can be read: no viable conversion from returned value of type '\w.*stream.*'bool'$"
)

GEOMETRY = "a pointer with xcl_array_geometry, which other compilers make an array"
_GEOMETRY = re.compile(r"\*\s*(\w+)\s*__attribute(?:__)?\s*\(\(\s*xcl_array_geometry\s*(?=\()")
_ALLOCATED = re.compile(r"\b(?:void\s+)?_ssdm_op_alloc\s*\([^;{}]*\)\s*;")


def rewritten(text: str, once: dict[str, str]) -> bool:
    """Change the text to which an error refers, if other compilers accept it; return whether it has been changed."""
    if (specified := _SPECIFIED.match(text)) is not None:
        return _unspecified(specified[1], once)
    if GEOMETRY in text:
        return _as_arrays(text.partition(":")[0], once)
    if (read := _READ.match(text)) is not None:
        return _as_truth(read[1], int(read[2]), once)
    null = _NULL.match(text)
    return null is not None and _as_null(null[1], int(null[2]), once)


def _unspecified(file: str, once: dict[str, str]) -> bool:
    """Remove ``class`` or ``struct`` before vendor types in a file, ``class ap_uint<8> x``; they are aliases here."""
    if file.startswith(UNWRITTEN):
        return False
    text = once.get(file) or Path(file).read_text(encoding="utf-8", errors="replace")
    once[file], found = _SPECIFIER.subn(lambda word: " " * len(word[0]), text)
    return found > 0


def _as_arrays(file: str, once: dict[str, str]) -> bool:
    """Turn pointers with a number of elements into arrays, and remove the tool's call that allocates them."""
    text = once.get(file) or Path(file).read_text(encoding="utf-8", errors="replace")
    before = text
    while (found := _GEOMETRY.search(text)) is not None:
        start = at = found.end()
        depth = 0
        while at < len(text) and (depth or at == start):
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
        rest = re.match(r"\s*\)\s*\)", text[at:])
        if depth or rest is None:
            return False
        text = f"{text[: found.start()]}{found[1]}[{text[start:at]}]{text[at + rest.end() :]}"
    once[file] = _ALLOCATED.sub(lambda call: ";" + "\n" * call[0].count("\n"), text)
    return text != before


def _as_null(file: str, line: int, once: dict[str, str]) -> bool:
    r"""Read ``'\0'`` next to a pointer as the null pointer, which it is in C++ before 2011."""
    lines = (once.get(file) or Path(file).read_text(encoding="utf-8", errors="replace")).split("\n")
    lines[line - 1], found = re.subn(r"'\\0'", "0   ", lines[line - 1])
    once[file] = "\n".join(lines)
    return found > 0


def _as_truth(file: str, line: int, once: dict[str, str]) -> bool:
    """Return whether reading succeeded where a function returns what it read from, as in C++ before 2011."""
    lines = (once.get(file) or Path(file).read_text(encoding="utf-8", errors="replace")).split("\n")
    lines[line - 1], found = re.subn(r"\breturn\b([^;!]+);", r"return !!(\1);", lines[line - 1])
    once[file] = "\n".join(lines)
    return found > 0
