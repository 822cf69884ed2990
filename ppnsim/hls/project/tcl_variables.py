"""Variables of a Tcl script, and the commands that set and ask them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.errors import InputError
from ppnsim.hls.project.tcl_commands import joined
from ppnsim.hls.project.tcl_words import items

_ENVIRONMENT = re.compile(r"env\((.*)\)")


class UnsetError(InputError):
    """A variable has no value, which is not known where a sourced file or the environment gives it."""


@dataclass(slots=True)
class Variables:
    """The variables of the script and of the procedures that are open, the innermost last.

    ``shared`` are the names that each of them takes from the script (``global``). ``absent`` are the files that the
    script sources and that are not there: what they set is not known.
    """

    scopes: list[dict[str, str]]
    shared: list[set[str]] = field(default_factory=lambda: [set()])
    absent: list[str] = field(default_factory=list)

    def open(self, values: dict[str, str]) -> None:
        """Begin a procedure."""
        self.scopes.append(values)
        self.shared.append(set())

    def close(self) -> None:
        """End a procedure."""
        self.scopes.pop()
        self.shared.pop()

    def get(self, name: str, where: str) -> str:
        """Return the value of a variable; ``env(NAME)`` is that of the environment."""
        plain, scope = name.removeprefix("::"), self._scope(name)
        if plain in scope:
            return scope[plain]
        if (match := _ENVIRONMENT.fullmatch(plain)) is None:
            gone = f"; '{self.absent[-1]}', which it sources, is not there" if self.absent else ""
            raise UnsetError(f"no variable '{name}' is set{gone}", where=where)
        if match[1] not in os.environ:
            raise UnsetError(f"the environment has no variable '{match[1]}'", where=where)
        return os.environ[match[1]]

    def put(self, name: str, value: str) -> str:
        """Set a variable; return its value."""
        self._scope(name)[name.removeprefix("::")] = value
        return value

    def known(self, name: str) -> bool:
        """Return whether a variable is set."""
        match = _ENVIRONMENT.fullmatch(name.removeprefix("::"))
        return name.removeprefix("::") in self._scope(name) or bool(match and match[1] in os.environ)

    def keys(self, name: str) -> list[str]:
        """Return the keys of an array, in the order in which they were set."""
        start = f"{name.removeprefix('::')}("
        return [each[len(start) : -1] for each in self._scope(name) if each.startswith(start) and each.endswith(")")]

    def _scope(self, name: str) -> dict[str, str]:
        shared = name.partition("(")[0] in self.shared[-1]  # an element belongs where its array does
        return self.scopes[0] if shared or name.startswith("::") else self.scopes[-1]


def _set(variables: Variables, words: Sequence[str], where: str) -> str:
    name, *given = words
    return variables.put(name, given[0]) if given else variables.get(name, where)


def _global(variables: Variables, words: Sequence[str], _where: str) -> str:
    variables.shared[-1].update(words)
    return ""


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
    if what not in ("names", "exists") or rest:
        raise ValueError(what)
    keys = variables.keys(name)
    return joined(keys) if what == "names" else str(int(bool(keys)))


def _regexp(variables: Variables, words: Sequence[str], _where: str) -> str:
    """Match a pattern of Tcl, of which those of Python are a wider kind; parts go into variables."""
    pattern, text, *names = words
    if pattern.startswith("-"):
        raise ValueError(pattern)
    found = re.search(pattern, text)
    if found is not None:
        for name, part in zip(names, [found[0], *found.groups(""), *[""] * len(names)], strict=False):
            variables.put(name, part)
    return str(int(found is not None))


VARIABLES: Mapping[str, Callable[[Variables, Sequence[str], str], str]] = {
    "set": _set, "global": _global, "incr": _incr, "append": _append, "lappend": _lappend, "info": _info,
    "array": _array, "regexp": _regexp,
}  # fmt: skip
