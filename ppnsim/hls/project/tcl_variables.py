"""Variables of a Tcl script, and the commands that set and get them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.errors import InputError
from ppnsim.hls.project.tcl_strings import joined
from ppnsim.hls.project.tcl_words import items

EXECUTABLE = "vitis_hls"
VERSION = "Vitis HLS v2023.2"
"""The tool in which a script runs, as its version is reported to the script."""
OF_TOOL: dict[str, tuple[str, str]] = {
    f"XILINX_{name}": (f"/opt/Xilinx/{folder}/2023.2", "an installation of the tool")
    for name, folder in (("VIVADO", "Vivado"), ("HLS", "Vitis_HLS"), ("VITIS", "Vitis"))
}
"""Variables of the running tool: scripts ask them for its version."""
_ENVIRONMENT = re.compile(r"env\((.*)\)")


class UnsetError(InputError):
    """A variable has no value; a sourced file or the environment may set it, which is not known."""


@dataclass(slots=True)
class Variables:
    """The variables of the script and of the open procedures, the innermost last.

    ``shared`` are the names that each procedure takes from the script (``global``), ``linked`` the names of variables
    of its caller, each with the name there (``upvar``). ``absent`` are missing files that the script sources: the
    variables that they set are unknown. ``given`` are environment variables of the running tool, each with its value
    and its origin; ``said`` are those that the script uses.
    """

    scopes: list[dict[str, str]]
    shared: list[set[str]] = field(default_factory=lambda: [set()])
    linked: list[dict[str, str]] = field(default_factory=lambda: [{}])
    absent: list[str] = field(default_factory=list)
    given: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    def open(self, values: dict[str, str]) -> None:
        """Start a procedure."""
        self.scopes.append(values)
        self.shared.append(set())
        self.linked.append({})

    def close(self) -> None:
        """End a procedure."""
        self.scopes.pop()
        self.shared.pop()
        self.linked.pop()

    def get(self, name: str, where: str) -> str:
        """Return the value of a variable; ``env(NAME)`` is that of the environment."""
        plain, scope = self._place(name)
        if plain in scope:
            return scope[plain]
        if (match := _ENVIRONMENT.fullmatch(plain)) is None:
            gone = f"; '{self.absent[-1]}', which it sources, is not there" if self.absent else ""
            raise UnsetError(f"no variable '{name}' is set{gone or f'; set it above (set {name} ..)'}", where=where)
        if match[1] not in os.environ and match[1] in self.given:
            value, place = self.given[match[1]]
            self.said[match[1]] = f"{where}: the environment has no variable '{match[1]}': it is {value}, as in {place}"
            return value
        if match[1] not in os.environ:
            words = f"the environment has no variable '{match[1]}'; give it one: {match[1]}=.. before the command"
            raise UnsetError(words, where=where)
        return os.environ[match[1]]

    def put(self, name: str, value: str) -> str:
        """Set a variable; return its value."""
        plain, scope = self._place(name)
        scope[plain] = value
        return value

    def drop(self, name: str) -> None:
        """Delete a variable, or all elements of an array."""
        plain, scope = self._place(name)
        for each in [key for key in scope if key == plain or key.startswith(f"{plain}(")]:
            del scope[each]

    def known(self, name: str) -> bool:
        """Return whether a variable is set."""
        plain, scope = self._place(name)
        match = _ENVIRONMENT.fullmatch(plain)
        return plain in scope or (match is not None and (match[1] in os.environ or match[1] in self.given))

    def keys(self, name: str) -> list[str]:
        """Return the keys of an array, in the order in which they were set."""
        plain, scope = self._place(name)
        start = f"{plain}("
        return [each[len(start) : -1] for each in scope if each.startswith(start) and each.endswith(")")]

    def _place(self, name: str) -> tuple[str, dict[str, str]]:
        """Return the name of a variable at its definition, and the variables there; an element is with its array."""
        base, opened, rest = name.removeprefix("::").partition("(")
        level = 0 if name.startswith("::") else len(self.scopes) - 1
        while level and base in self.linked[level]:
            base, level = self.linked[level][base], level - 1
        return f"{base}{opened}{rest}", self.scopes[0 if base in self.shared[level] else level]


def _set(variables: Variables, words: Sequence[str], where: str) -> str:
    name, *given = words
    return variables.put(name, given[0]) if given else variables.get(name, where)


def _global(variables: Variables, words: Sequence[str], _where: str) -> str:
    variables.shared[-1].update(words)
    return ""


def _variable(variables: Variables, words: Sequence[str], where: str) -> str:
    """Set variables of the namespace, in pairs of name and value; the last may have no value."""
    _global(variables, words[::2], where)
    return [*map(variables.put, words[::2], words[1::2]), ""][-1]


def _incr(variables: Variables, words: Sequence[str], where: str) -> str:
    name, *by = words
    before = variables.get(name, where) if variables.known(name) else "0"
    return variables.put(name, str(int(before) + int(by[0] if by else "1")))


def _append(variables: Variables, words: Sequence[str], where: str) -> str:
    name, *parts = words
    return variables.put(name, (variables.get(name, where) if variables.known(name) else "") + "".join(parts))


def _lappend(variables: Variables, words: Sequence[str], where: str) -> str:
    name, *parts = words
    before = variables.get(name, where) if variables.known(name) else ""
    return variables.put(name, " ".join(filter(None, (before, joined(parts)))))


def _info(variables: Variables, words: Sequence[str], where: str) -> str:
    what, *rest = words
    if what == "script":
        return where.rpartition(":")[0]
    if what == "nameofexecutable":
        return EXECUTABLE
    if what != "exists":
        raise ValueError(what)
    return str(int(variables.known(rest[0])))


def _array(variables: Variables, words: Sequence[str], where: str) -> str:
    what, name, *rest = words
    if what == "set":
        listed = items(rest[0], where)
        for key, value in zip(listed[::2], listed[1::2], strict=True):
            variables.put(f"{name}({key})", value)
        return ""
    if what not in ("names", "exists", "size", "get") or rest:
        raise ValueError(what)
    keys = variables.keys(name)
    if what == "get":
        return joined([part for key in keys for part in (key, variables.get(f"{name}({key})", where))])
    return joined(keys) if what == "names" else str(len(keys) if what == "size" else int(bool(keys)))


def _regexp(variables: Variables, words: Sequence[str], _where: str) -> str:
    """Match a Tcl pattern as a Python pattern, which is a superset; matched parts go into variables."""
    options, (pattern, text, *names) = _options(words)
    found = re.search(pattern, text, re.IGNORECASE if "-nocase" in options else 0)
    if found is not None:
        for name, part in zip(names, [found[0], *found.groups(""), *[""] * len(names)], strict=False):
            variables.put(name, part)
    return str(int(found is not None))


def _regsub(variables: Variables, words: Sequence[str], _where: str) -> str:
    """Replace matches of a pattern, the first or all; the text goes into a variable, if one is named."""
    options, (pattern, text, by, *names) = _options(words)
    by = re.sub(r"(?<!\\)&", r"\\g<0>", by)
    flags = re.IGNORECASE if "-nocase" in options else 0
    made, times = re.subn(pattern, by, text, count=0 if "-all" in options else 1, flags=flags)
    if not names:
        return made
    variables.put(names[0], made)
    return str(times)


def _options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options of a command with a pattern, and its other words."""
    first = next((at for at, word in enumerate(words) if not word.startswith("-") or word == "--"), len(words))
    if unknown := set(words[:first]) - {"-nocase", "-all"}:
        raise ValueError(unknown)
    return list(words[:first]), list(words[first + (words[first : first + 1] == ["--"]) :])


VARIABLES: Mapping[str, Callable[[Variables, Sequence[str], str], str]] = {
    "set": _set, "global": _global, "variable": _variable, "incr": _incr, "append": _append, "lappend": _lappend,
    "info": _info, "array": _array, "regexp": _regexp, "regsub": _regsub,
}  # fmt: skip
