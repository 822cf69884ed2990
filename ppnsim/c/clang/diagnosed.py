"""Has clang parse a file, and makes its errors those of ppnsim; headers that other compilers include are included."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.c.clang.library import in_system, position
from ppnsim.c.clang.vendors import explained
from ppnsim.errors import InputError

KEEP_GOING = 0x200  # without this flag, clang reports nothing more after a missing header
SKIPPED = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD  # keeps what the preprocessor leaves out
_TWICE = re.compile(r"(.+?\.(?:h|hpp|hh|hxx)):\d+:\d+: not C that can be read: redefinition of ")
_REDEFINED = re.compile(r"'(\w+)' macro redefined")
# Names that a message says are not declared, by the header that declares them.
_ASSUMED = {
    "stdint.h": re.compile(r"'u?int(8|16|32|64)_t'"), "assert.h": re.compile(r"'assert' is not declared"),
    "math.h": re.compile(r"'(exp|log|pow|sqrt|sin|cos|tan|fabs|floor|ceil|round|M_PI)f?' is not declared"),
    "string.h": re.compile(r"'mem(cpy|set)' is not declared"), "stddef.h": re.compile(r"'size_t'"),
}  # fmt: skip


def with_headers(path: str, arguments: Sequence[str]) -> Any:
    """Return clang's tree of a file; a standard header of which only a name is missing is included."""
    more: list[str] = []
    once: dict[str, str] = {}
    while True:
        try:
            return tree(path, [*arguments, *more], once=once)
        except InputError as reason:
            text = str(reason)
            if (twice := _TWICE.match(text)) is not None and twice[1] not in (path, *once):
                # A header without a guard that several sources of a design include.
                once[twice[1]] = Path(twice[1]).read_text(encoding="utf-8", errors="replace") + "\n#pragma once\n"
                continue
            missing = [f"-include{header}" for header, words in _ASSUMED.items() if words.search(text)]
            if not missing or missing[0] in more:
                raise
            more += missing[:1]


def tree(
    path: str, arguments: Sequence[str], options: int = 0, worded: Callable[[Any], str] | None = None,
    once: Mapping[str, str] = MappingProxyType({}),
) -> Any:  # fmt: skip
    """Return clang's tree of a file; raise InputError at an error, in the words of ``worded``.

    ``once`` are texts that stand for those of files.
    """
    unit = cindex.Index.create().parse(
        path, args=list(arguments), unsaved_files=list(once.items()), options=KEEP_GOING | SKIPPED | options
    )
    given = {each[2:].partition("=")[0] for each in arguments if each.startswith("-D") and not each.startswith("-D__")}
    for found in unit.diagnostics:
        redefined = _REDEFINED.fullmatch(found.spelling)
        if redefined is not None and redefined[1] in given:
            name = redefined[1]
            words = f"the file defines '{name}' itself: put #ifndef {name} around it, or -D has no effect"
            raise InputError(words, where=str(position(found.location)))
        missing = found.spelling.endswith("file not found")
        if found.severity < cindex.Diagnostic.Error or (in_system(found.location) and not missing):
            # Headers of gcc have words that only gcc knows; clang reads all that a kernel needs of them.
            continue
        words = worded(found) if worded is not None else explained(found.spelling)
        raise InputError(words, where=str(position(found.location)))
    return unit
