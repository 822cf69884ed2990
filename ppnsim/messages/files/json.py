"""The JSON of messages, and the JSON of flows.

Messages are LogGP parameters and, for every rank, what it sends, receives and computes. Flows go over a star of hosts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, PlainValidator

from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.quantities import one_of
from ppnsim.formats.schema import Keys, Real, Row, Whole
from ppnsim.messages.model.flows import FairFlow, Star
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


_SLOWEST = 1e-9  # bytes per second; with the largest number of files, every finish fits in a float
_MOST_HOSTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Flows:
    """A file."""

    star: Star
    flows: tuple[FairFlow, ...]


def _hosts(value: object) -> int:
    hosts = values.whole(value)
    if hosts > _MOST_HOSTS:
        raise values.rule(f"is out of range (up to {_MOST_HOSTS} are taken)")
    return hosts


def _bandwidth(value: object) -> float:
    rate = values.real(value)
    if 0 < rate < _SLOWEST:
        raise values.rule(f"is out of range (from {_SLOWEST:g} B/s on)")
    return rate


Bandwidth = Annotated[float, PlainValidator(_bandwidth)]


class StarKeys(Keys):
    """``star``: bandwidths in bytes per second, the latency in seconds; no backbone = none that limits."""

    hosts: Annotated[int, PlainValidator(_hosts)]
    bandwidth: Bandwidth
    latency: Real
    backbone: Bandwidth | None = None


class FlowRow(Row):
    """An entry of ``flows``; the start is in seconds."""

    source: Whole = Field(alias="from")
    target: Whole = Field(alias="to")
    size: Real = Field(alias="bytes")
    start: Real


class FlowsJson(Keys):
    """A whole file."""

    star: StarKeys
    flows: list[FlowRow]


def parse_flows(data: object) -> Flows:
    """Return the flows of decoded JSON, checked.

    ``star`` holds hosts, bandwidth (B/s), latency (s) and perhaps backbone (B/s, null = without limit); ``flows`` is a
    list of ``[from, to, bytes, start in s]``.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that a flow breaks.

    Examples
    --------
    >>> star = {"hosts": 2, "bandwidth": 1e9, "latency": 1e-6}
    >>> parse_flows({"star": star, "flows": [[0, 1, 1000, 0]]}).flows
    (FairFlow(source=0, target=1, size=1000.0, start=0.0),)
    >>> parse_flows({"star": star, "flows": [[0, 1, 1000], [0, 0.5, "1 MB", 0]]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: flows[0] = [0, 1, 1000] must be [from, to, bytes, start]
    flows[1]: to = 0.5 must be a whole number
    flows[1]: bytes = '1 MB' must be a number
    """
    file = validated(FlowsJson, data)
    star = Star(**dict(file.star))
    return Flows(star=star, flows=star.checked([FairFlow(**dict(row)) for row in file.flows]))
