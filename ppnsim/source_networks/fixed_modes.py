"""Rounding and saturation of ``ap_fixed``: numbers here only have widths, and the answer says so (R2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ppnsim.c.pragmas.text import blanked
from ppnsim.loops.program import LoopProgram

_TYPE = re.compile(r"\bap_u?fixed\s*<[^;{}]*?\b(?:AP_RND|AP_SAT)[^;{}>]*")
_MODE = re.compile(r"\bAP_(?:RND|SAT)\w*")
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def said_of_modes(program: LoopProgram, sources: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence if a source, or a header that it includes by name, has ``ap_fixed`` that rounds or saturates.

    Parameters
    ----------
    sources : the text of each file of the program.
    """
    if not any(each.type.startswith(("ap_fixed", "ap_ufixed")) for each in program.arrays):
        return
    for file, text in _with_headers(sources):
        plain = blanked(text)
        if (found := _TYPE.search(plain)) is not None:
            modes = _MODE.findall(found[0])
            line = plain.count("\n", 0, plain.index(modes[0], found.start())) + 1
            take = "takes" if len(modes) == 1 else "take"
            yield (
                f"{file}:{line}: {' and '.join(modes)} of ap_fixed {take} no time and no area here: in hardware an "
                "adder rounds, and comparisons and multiplexers saturate, so that loops with such assignments may be "
                "deeper"
            )
            return


def _with_headers(sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each source and its headers, each once, with their texts."""
    seen: set[str] = set()
    for file, text in sources.items():
        yield from _reached(Path(file), text, seen)


def _reached(file: Path, text: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    if str(file) in seen:
        return
    seen.add(str(file))
    yield str(file), text
    for name in _INCLUDED.findall(text):
        header = file.parent / name
        if header.is_file():
            yield from _reached(header, header.read_text(encoding="utf-8", errors="replace"), seen)
