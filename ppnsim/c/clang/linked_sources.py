"""Reads several sources as one text, with their macros and static functions kept apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ppnsim.c.clang.library import UNWRITTEN

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_STATIC = re.compile(r"^static\b[^;={}()]*?(\w+)[ \t\n]*\(", re.MULTILINE)
_USING_STD = re.compile(r"^[ \t]*using[ \t]+namespace[ \t]+std\b", re.MULTILINE)
_RENAMED = re.compile(r"(\w+?)_(?:of_)?\d+")


def apart(path: str, linked: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments that read further sources before a file, and the texts between them, by name.

    After each source its macros are undefined. A static function whose name another source also uses is renamed, so
    that no call takes the function of another source. Sources with `using namespace std` come behind those without it,
    whose names it could make ambiguous.
    """
    read = {file: Path(file).read_text(encoding="utf-8", errors="replace") for file in (*linked, path)}
    texts = {file: read[file] for file in (*sorted(linked, key=lambda file: bool(_USING_STD.search(read[file]))), path)}
    names = {file: set(_STATIC.findall(text)) for file, text in texts.items()}
    shared = {name for name, times in Counter(name for own in names.values() for name in own).items() if times > 1}
    arguments: list[str] = []
    between: dict[str, str] = {}
    for number, (file, text) in enumerate(texts.items()):
        own = sorted(names[file] & shared) if number else []
        if own:
            between[f"{UNWRITTEN}own_{number}.h"] = "".join(f"#define {name} {name}_of_{number}\n" for name in own)
            arguments += ["-include", f"{UNWRITTEN}own_{number}.h"]
        if file != path:
            ended = dict.fromkeys((*own, *_MACRO.findall(text)))
            between[f"{UNWRITTEN}end_{number}.h"] = "".join(f"#undef {name}\n" for name in ended)
            arguments += ["-include", file, "-include", f"{UNWRITTEN}end_{number}.h"]
    return arguments, between


def written(cursor: Any) -> str:
    """Return the name of a variable in its source, for pragmas, even if `apart` or `rename` changed it."""
    name = str(cursor.spelling)
    if (renamed := _RENAMED.fullmatch(name)) is None:
        return name
    words = {token.spelling for token in cursor.get_tokens()}
    return renamed[1] if name not in words and renamed[1] in words else name
