"""The small input of messages: LogGP parameters and, for every rank, what it sends, receives and computes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.small_json import entries, table, whole
from ppnsim.formats.values import shown
from ppnsim.messages.model.loggp import LETTERS, LogGP, ReceiveCpu, Sharing
from ppnsim.messages.model.schedule import KINDS, RankOperation, Schedule, checked, place

NEEDED = ("L", "o", "g", "G")
UNITS = ("fs", "ps", "ns", "us", "ms", "s")
_CHOICES: dict[str, tuple[str, ...]] = {
    "unit": UNITS, "recv_cpu": get_args(ReceiveCpu), "sharing": get_args(Sharing),
}  # fmt: skip
_FINER = "times are whole: take a finer unit, such as ps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """A file: ``unit`` is that of all its times, empty if it names none."""

    link: LogGP
    schedule: Schedule
    unit: str = ""


def read(data: object, _: Path) -> Messages:
    """Return the messages of a decoded file (see `parse_messages`)."""
    return parse_messages(data)


def parse_messages(data: object) -> Messages:
    """Return the messages of decoded JSON, checked.

    ``loggp`` holds L, o, g and G, perhaps O (default 0), S (default: all messages are eager), and in words ``unit``,
    ``recv_cpu`` and ``sharing``; ``schedule`` for each rank a list of ``[kind, bytes or time, peer, deps]``.

    Raises
    ------
    InputError
        At the first fault, named by its key.

    Examples
    --------
    >>> file = {"loggp": {"L": 5, "o": 1, "g": 2, "G": 0}, "schedule": [[["send", 8, 1, []]], [["recv", 8, 0, []]]]}
    >>> parse_messages(file).schedule[1][0].peer
    0
    >>> parse_messages(file | {"schedule": [[["snd", 8, 1, []]], []]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: schedule[0][0]: kind = 'snd' is unknown (did you mean 'send'?)
    """
    keys = ("loggp", "schedule")
    file = table(data, where="the file", needed=keys, known=keys)
    given = table(file["loggp"], where="loggp", needed=NEEDED, known=(*LETTERS, *_CHOICES))
    times: dict[str, Any] = {
        LETTERS[letter]: whole(value, where="loggp", name=letter, hint=_FINER)
        for letter, value in given.items()
        if letter in LETTERS and not (letter == "S" and value is None)
    }
    words: dict[str, Any] = {name: _choice(given[name], name) for name in _CHOICES if name in given}
    unit = words.pop("unit", "")
    ranks = entries(file["schedule"], where="schedule")
    schedule = [
        [_operation(operation, place(rank, index)) for index, operation in enumerate(_list(operations, rank))]
        for rank, operations in enumerate(ranks)
    ]
    return Messages(link=LogGP(**times, **words), schedule=checked(schedule), unit=unit)


def _list(operations: object, rank: int) -> list[Any]:
    return entries(operations, where=f"schedule[{rank}]")


def _choice(value: object, name: str) -> str:
    if value not in _CHOICES[name] or not isinstance(value, str):
        hint = did_you_mean(value, _CHOICES[name]) if isinstance(value, str) else ""
        raise InputError(f"{name} = {shown(value)} is none of {', '.join(_CHOICES[name])}{_near(hint)}", where="loggp")
    return value


def _near(hint: str) -> str:
    return hint if "did you mean" in hint else ""


def _operation(value: object, where: str) -> RankOperation:
    if not isinstance(value, list) or len(value) != 4:
        raise InputError(f"{shown(value)} must be [kind, bytes or time, peer, deps]", where=where)
    kind, amount, peer, deps = value
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS) if isinstance(kind, str) else did_you_mean("", KINDS)
        raise InputError(f"kind = {shown(kind)} is unknown{hint}", where=where)
    if peer is not None:
        whole(peer, where=where, name="peer")
    if not isinstance(deps, list):
        raise InputError(f"deps = {shown(deps)} must be a list of indices into the same rank's list", where=where)
    for dep in deps:
        whole(dep, where=where, name="dep")
    is_time = kind == "calc"
    whole(amount, where=where, name="time" if is_time else "bytes", hint=_FINER if is_time else "")
    return RankOperation(kind, amount, peer, tuple(deps))
