"""Tcl commands on several variables, or on parts of one: ``dict``, ``lassign``, ``unset``, ``upvar``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ppnsim.hls.project.tcl_strings import joined
from ppnsim.hls.project.tcl_variables import Variables
from ppnsim.hls.project.tcl_words import items


def _pairs(text: str, where: str) -> dict[str, str]:
    listed = items(text, where)
    return dict(zip(listed[::2], listed[1::2], strict=True))


def _text(pairs: Mapping[str, str]) -> str:
    return joined([part for pair in pairs.items() for part in pair])


def _dict(variables: Variables, words: Sequence[str], where: str) -> str:
    """Set and get the values of keys, on one level."""
    what, *rest = words
    if what == "create":
        return _text(_pairs(joined(rest), where))
    if what == "set":
        name, key, each = rest
        before = variables.get(name, where) if variables.known(name) else ""
        return variables.put(name, _text(_pairs(before, where) | {key: each}))
    pairs, keys = _pairs(rest[0], where), rest[1:]
    answers: Mapping[tuple[str, int], Callable[[], str]] = {
        ("get", 1): lambda: pairs[keys[0]], ("exists", 1): lambda: str(int(keys[0] in pairs)),
        ("keys", 0): lambda: joined(list(pairs)), ("values", 0): lambda: joined(list(pairs.values())),
        ("size", 0): lambda: str(len(pairs)),
    }  # fmt: skip
    if (what, len(keys)) not in answers or (what == "get" and keys[0] not in pairs):
        raise ValueError(what)
    return answers[what, len(keys)]()


def _lassign(variables: Variables, words: Sequence[str], where: str) -> str:
    every = items(words[0], where)
    for name, each in zip(words[1:], [*every, *[""] * len(words)], strict=False):
        variables.put(name, each)
    return joined(every[len(words) - 1 :])


def _unset(variables: Variables, words: Sequence[str], _where: str) -> str:
    for name in words:
        if not name.startswith("-"):
            variables.drop(name)
    return ""


def _upvar(variables: Variables, words: Sequence[str], _where: str) -> str:
    """Let names stand for variables of the caller."""
    names = words[1:] if words[0] == "1" else words
    if len(names) % 2 or words[0].startswith("#"):
        raise ValueError(words[0])
    variables.linked[-1].update(zip(names[1::2], names[::2], strict=True))
    return ""


SEVERAL: Mapping[str, Callable[[Variables, Sequence[str], str], str]] = {
    "dict": _dict, "lassign": _lassign, "unset": _unset, "upvar": _upvar,
}  # fmt: skip
