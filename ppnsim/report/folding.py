"""Sentences on a terminal: broken between words, further lines indented; what is to be pasted stays in one piece."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import TextIO

from rich.cells import cell_len

_GAP = 3  # blanks between parts of a line that stand apart
# What a shell or a source takes as it is: from here to the end of the line nothing is broken.
_PASTED = re.compile(r"(?<![\w'`.])(?:ppnsim [a-z][a-z-]* |#pragma |--depth ).*")


def folded(text: str, room: int) -> str:
    """Return lines that fit in as many columns, if their words do.

    Examples
    --------
    >>> print(folded("  'short_out' at depth 9 or more breaks the circle (checked by running it)", 48))
      'short_out' at depth 9 or more breaks the
        circle (checked by running it)
    >>> print(folded("fork and join   finish 55 cycles   engine des   0.01 s", 48))
    fork and join   finish 55 cycles   engine des
      0.01 s
    >>> print(folded("depths without loss: ppnsim size net.toml --style frozen", 30))
    depths without loss:
      ppnsim size net.toml --style frozen
    """
    return "\n".join(part for line in text.split("\n") for part in _parts(line, room))


def told_on(stream: TextIO, sentence: str) -> str:
    """Return a sentence as a stream takes it: folded for a terminal, whole for a file."""
    return folded(sentence, shutil.get_terminal_size().columns) if stream.isatty() else sentence


def _parts(line: str, room: int) -> Iterator[str]:
    """Yield the lines that a line is broken into."""
    if cell_len(line) <= room:
        yield line
        return
    indent = " " * (len(line) - len(line.lstrip(" ")))
    begun = ""
    for gap, words in _units(line, room):
        longer = f"{begun}{' ' * gap}{words}" if begun else f"{indent}{words}"
        if begun and cell_len(longer) > room:
            yield begun
            longer = f"{indent}  {words}"
        begun = longer
    yield begun


def _units(line: str, room: int) -> Iterator[tuple[int, str]]:
    """Yield what may not be broken, with the blanks before: what is pasted, parts that stand apart, else words."""
    pasted = _PASTED.search(line)
    said = line if pasted is None else line[: pasted.start()]
    for part in filter(None, re.split(rf" {{{_GAP},}}", said.strip(" "))):
        words = [part] if cell_len(part) <= room // 2 else part.split()
        yield from zip((_GAP, *[1] * len(words)), words, strict=False)
    if pasted is not None:
        yield _GAP if said.endswith(" " * _GAP) else 1, pasted[0]
