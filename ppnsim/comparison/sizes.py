"""Sizes of a C source that vary: macros and parameters, and what models are told of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError


def said_in(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the macros and parameters that options of a C source set, for models: numbers where they are numbers.

    Examples
    --------
    >>> said_in({"defines": {"N": "8", "T": "float"}, "settings": {"m": 4}})
    {'N': 8, 'T': 'float', 'm': 4}
    """
    given = options.get("defines")
    macros = {name: str(text) for name, text in given.items()} if isinstance(given, Mapping) else {}
    told = {name: int(text) if text.lstrip("-").isdecimal() else text for name, text in macros.items()}
    return {**told, **(options.get("settings") or {})}


def with_sizes(path: str, options: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, Any]:
    """Return options of a C source with values of its macros and parameters.

    A name in a directive of the preprocessor is a macro, any other one a parameter.

    Raises
    ------
    InputError
        If the source defines such a macro itself, without asking whether it is defined: its value would not vary.
    """
    if not sizes:
        return dict(options)
    text = Path(path).read_text(encoding="utf-8", errors="replace") if Path(path).is_file() else ""
    lines = "\n".join(re.findall(r"^\s*#\s*(?:define|if|ifdef|ifndef|elif)\b.*$", text, re.MULTILINE))
    defines, settings = dict(options.get("defines") or {}), dict(options.get("settings") or {})
    for name, value in sizes.items():
        if name in defines or re.search(rf"\b{re.escape(name)}\b", lines):
            if set(re.findall(rf"^\s*#\s*(\w+)\b.*\b{re.escape(name)}\b", lines, re.MULTILINE)) == {"define"} and (
                re.search(rf"^\s*#\s*define\s+{re.escape(name)}\b", lines, re.MULTILINE)
            ):
                words = f"its '#define {name}' has the last word: put it between '#ifndef {name}' and '#endif'"
                raise InputError(words, where=path)
            defines[name] = str(value)
        else:
            settings[name] = value
    return {**options, "defines": defines, "settings": settings}


def with_values(path: str, options: Mapping[str, Any], values: Mapping[str, int | str]) -> dict[str, Any]:
    """Return options of a C source with values of its macros, its parameters and, as ``clock``, its clock.

    Examples
    --------
    >>> with_values("k.cpp", {"clock": "10 ns"}, {"clock": "5 ns", "n": 4})
    {'clock': '5 ns', 'defines': {}, 'settings': {'n': 4}}
    """
    sizes = {name: int(value) for name, value in values.items() if name != "clock"}
    found = with_sizes(path, options, sizes)
    return {**found, "clock": values["clock"]} if "clock" in values else found
