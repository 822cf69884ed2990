"""Reads header folders for a source from scripts of the tool, ``add_files top.cpp -cflags "-I include"``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ppnsim.c.clang.makefiles import Flag

_SET = re.compile(r"^[ \t]*set[ \t]+(\w+)[ \t]+[\"{]*([^\"{}\n;]*)", re.MULTILINE)
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_FOLDER = re.compile(r"(?<![^\s\"'{=])-I[ \t]*([^\s\"';{}\[\]\\]+)")
_MOST_FILES, _MOST_BYTES = 40, 1 << 18


def folders_of(source: str) -> Iterator[Flag]:
    """Yield the folders in scripts beside a source, in the order of the scripts' names and their lines.

    A script counts if it names the source file. Only variables that the script sets to literal values are known.

    Examples
    --------
    >>> list(folders_of("/no/such/top.cpp"))
    []
    """
    around = Path(source).resolve()
    for file in sorted(around.parent.glob("*.tcl"))[:_MOST_FILES]:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        values = dict(_SET.findall(text))
        lines = [_VARIABLE.sub(lambda at: values.get(at[1] or at[2], at[0]), line) for line in text.split("\n")]  # noqa: B023
        if not any(around.name in line for line in lines):
            continue
        for number, line in enumerate(lines, 1):
            for found in _FOLDER.finditer(line.partition("#")[0]):
                if "$" not in found[1] and (folder := file.parent / found[1]).is_dir():
                    yield Flag("I", str(folder.resolve()), f"{file}:{number}")
