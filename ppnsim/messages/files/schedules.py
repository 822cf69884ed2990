"""The JSON of messages: LogGP parameters and, for every rank, what it sends, receives and computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, PlainValidator

from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.quantities import one_of
from ppnsim.formats.schema import Keys, Row, Whole
from ppnsim.messages.model.loggp import LogGP, PortSharing, Receiving
from ppnsim.messages.model.schedule import Kind, RankOperation, Schedule, checked

UnitName = Literal["fs", "ps", "ns", "us", "ms", "s"]
_FINER = "times are whole: take a finer unit, such as ps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """A file: ``unit`` is that of all its times, empty if it names none."""

    link: LogGP
    schedule: Schedule
    unit: str = ""


def _time(value: object) -> int:
    if isinstance(value, float):
        raise values.rule(f"must be a whole number ({_FINER})")
    return values.whole(value)


Time = Annotated[int, PlainValidator(_time)]
Indices = values.listed(values.whole, "indices into the same rank's list")


class LogGPKeys(Keys):
    """``loggp``."""

    latency: Time = Field(alias="L")
    overhead: Time = Field(alias="o")
    gap: Time = Field(alias="g")
    per_byte: Time = Field(alias="G")
    overhead_per_byte: Time = Field(0, alias="O")
    eager: Time | None = Field(None, alias="S")
    unit: Annotated[UnitName, one_of(UnitName)] | None = None
    receiving: Annotated[Receiving, one_of(Receiving)] = Field("full", alias="recv_cpu")
    sharing: Annotated[PortSharing, one_of(PortSharing)] = "fifo"


class OperationRow(Row):
    """An entry of a rank's list; a calc has a time in place of bytes, and no peer."""

    kind: Annotated[Kind, one_of(Kind)]
    amount: Time = Field(alias="bytes or time")
    peer: Whole | None = None
    deps: Annotated[tuple[int, ...], PlainValidator(Indices)]


class MessagesJson(Keys):
    """A whole file."""

    loggp: LogGPKeys
    schedule: list[list[OperationRow]]


def parse_messages(data: object) -> Messages:
    """Return the messages of decoded JSON, checked.

    ``loggp`` holds L, o, g and G, perhaps O (default 0), S (default: all messages are eager), and in words ``unit``,
    ``recv_cpu`` and ``sharing``; ``schedule`` for each rank a list of ``[kind, bytes or time, peer, deps]``.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that the link or the schedule breaks.

    Examples
    --------
    >>> file = {"loggp": {"L": 5, "o": 1, "g": 2, "G": 0}, "schedule": [[["send", 8, 1, []]], [["recv", 8, 0, []]]]}
    >>> parse_messages(file).schedule[1][0].peer
    0
    >>> parse_messages(file | {"schedule": [[["snd", 8, 1, []]], []]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: schedule[0][0]: kind = 'snd' is none of send, recv, calc (did you mean 'send'?)
    """
    file = validated(MessagesJson, data)
    link = LogGP(**{key: value for key, value in file.loggp if key != "unit"})
    ranks = [[RankOperation(row.kind, row.amount, row.peer, row.deps) for row in rank] for rank in file.schedule]
    return Messages(link=link, schedule=checked(ranks), unit=file.loggp.unit or "")
