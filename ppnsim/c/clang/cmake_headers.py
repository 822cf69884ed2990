"""Generates headers that CMake configures from a template, ``sizes.h.in``, with the values of its project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_COMMAND = re.compile(r"\b(\w+)[ \t\r\n]*\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*)\)")
_WORD = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|([^\s\"]+)")
_COMMENT = re.compile(r"#[^\n]*")
_VARIABLE = re.compile(r"\$\{(\w+)\}|@(\w+)@")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*cmakedefine(01)?[ \t]+(\w+)[ \t]*(.*)$", re.MULTILINE)
_OWN = ("CMAKE", "CMAKE_CURRENT", "PROJECT")
_FALSE = frozenset(("", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"))


def configured(template: Path) -> tuple[str, dict[str, str]]:
    """Return the text that a project generates from a template, and the values used; "" if a value is not known.

    The project is the ``CMakeLists.txt`` in the folder of the template, or in a parent folder, that configures the
    template. Its variables have the values that ``set`` and ``option`` give them outside of conditions.
    """
    values = _values_for(template)
    used: dict[str, str] = {}
    unknown = False

    def value(found: re.Match[str]) -> str:
        nonlocal unknown
        name = found[1] or found[2]
        unknown |= name not in values
        used[name] = values.get(name, "")
        return used[name]

    def define(found: re.Match[str]) -> str:
        nonlocal unknown
        name, rest = found[2], found[3]
        unknown |= name not in values
        used[name] = values.get(name, "")
        holds = used[name].upper() not in _FALSE
        if found[1]:
            return f"#define {name} {int(holds)}"
        return f"#define {name} {rest}" if holds else f"/* #undef {name} */"

    text = template.read_text(encoding="utf-8", errors="replace")
    text = _VARIABLE.sub(value, _DEFINE.sub(define, text))
    return ("", used) if unknown or not values else (text, used)


def _values_for(template: Path) -> Mapping[str, str]:
    """Return the variables of the project that configures a template; empty if there is none."""
    for folder in template.parents[:3]:
        project = folder / "CMakeLists.txt"
        if project.is_file():
            values, templates = _read(project.read_text(encoding="utf-8", errors="replace"))
            if any(each.rpartition("/")[2] == template.name for each in templates):
                own = {f"{name}_SOURCE_DIR": str(folder) for name in _OWN}
                return own | {f"{name}_BINARY_DIR": str(folder / "build") for name in _OWN} | values
    return {}


def _read(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the variables that a project sets outside of conditions, and the templates that it configures."""
    values: dict[str, str] = {}
    templates: list[str] = []
    inside = 0
    for command, given in _COMMAND.findall(_COMMENT.sub("", text)):
        name = command.lower()
        words = [quoted or plain for quoted, plain in _WORD.findall(given)]
        inside += name in ("if", "foreach", "while", "function", "macro")
        inside -= name in ("endif", "endforeach", "endwhile", "endfunction", "endmacro")
        if name == "configure_file" and words:
            templates.append(words[0])
        elif name in ("set", "option") and words and inside:
            values.pop(words[0], None)  # the value depends on a condition
        elif name == "set" and len(words) > 1 and not any("$" in each for each in words[:2]):
            values.setdefault(words[0], words[1]) if "CACHE" in words else values.update({words[0]: words[1]})
        elif name == "option" and words:
            values.setdefault(words[0], words[2] if len(words) > 2 else "OFF")
    return values, templates
