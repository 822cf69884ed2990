"""Environment variables of the tool from a Makefile beside a script: ``export hlsSim=0; vitis_hls -f run.tcl``."""

from __future__ import annotations

import re
from pathlib import Path

from ppnsim.c.continued_lines import joined_lines

_MAKEFILES = re.compile(r"makefile|.*\.mk", re.IGNORECASE)
_MOST_BYTES = 1 << 18
_SET = re.compile(r"(?<![\w/$({-])([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_COMMENT = re.compile(r"(^|\s)@?#.*")


def environment(script: str) -> dict[str, tuple[str, str]]:
    """Return the variables that the first recipe with a script sets, each with its value and its place.

    A value that is a variable of the Makefile is known if the Makefile sets it once, to a text without variables.
    """
    path = Path(script)
    if not path.is_file():
        return {}
    for makefile in sorted(each for each in path.parent.iterdir() if _MAKEFILES.fullmatch(each.name)):
        if not makefile.is_file() or makefile.stat().st_size > _MOST_BYTES:
            continue
        text = joined_lines(makefile.read_text(encoding="utf-8", errors="replace"))
        for number, line in enumerate(text.split("\n"), 1):
            found = re.search(rf"(?<=\s)(?:\./)?{re.escape(path.name)}(?!\S)", _COMMENT.sub("", line))
            if found and line.startswith("\t") and (given := _SET.findall(found.string[: found.start()])):
                values = {name: _resolved(value.strip("\"'"), text) for name, value in given}
                return {name: (value, f"{makefile}:{number}") for name, value in values.items() if value is not None}
    return {}


def _resolved(value: str, text: str) -> str | None:
    """Return a value without the variables of a Makefile, None if one of them is not known."""
    for name in _VARIABLE.findall(value):
        lines = re.findall(rf"^[ \t]*(?:export[ \t]+)?{name}[ \t]*[:?]?=[ \t]*(.*?)[ \t]*$", text, re.MULTILINE)
        if len(lines) != 1 or "$" in lines[0]:
            return None
        value = value.replace(f"$({name})", lines[0]).replace(f"${{{name}}}", lines[0])
    return None if "$" in value or "`" in value else value
