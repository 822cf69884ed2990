"""Parts of a placement: nodes with clocks, the links between them, and the messages that pass there; picoseconds.

``provenance`` says where parameters come from, by the keys of files; it has no bearing on a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, NamedTuple

from ppnsim.errors import InputError, did_you_mean
from ppnsim.messages.model.loggp import Duration, LogGP
from ppnsim.model.network import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockedNode:
    """A device with one clock; ``period`` in picoseconds."""

    name: str
    period: Fraction
    FILE_KEYS: ClassVar[Mapping[str, str]] = {"period": "clock"}
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"node '{self.name}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(LogGP):
    """A full-duplex LogGP link between two nodes, in picoseconds.

    Messages of one direction follow each other g + (s - 1) G apart, whatever channel they belong to, in the order in
    which they are ready; ties go to the channel declared first (N2.3).
    """

    name: str
    ends: tuple[str, str]
    per_byte: Duration = 0
    FILE_KEYS: ClassVar[Mapping[str, str]] = {
        "ends": "between", "latency": "latency", "overhead": "overhead", "gap": "gap", "per_byte": "bandwidth",
        "efficiency": "efficiency", "clamp": "clamp",
    }  # fmt: skip
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"link '{self.name}'"


def token_bytes(channel: Channel) -> int:
    """Return the bytes of a token on a link, at least 1."""
    return max(1, -(-channel.width // 8))


class Message(NamedTuple):
    """One message over a link; times in picoseconds.

    ``ready``: its packet was full; ``started``: the port was free; ``arrived``: its head was there; ``accepted``: the
    receiving port was free.
    """

    channel: str
    link: str
    source: str
    target: str
    size: int
    ready: int
    started: int
    arrived: int
    accepted: int


def check_ends(link: Link, known: set[str]) -> None:
    """Raise `InputError` if a link does not join two of the ``known`` nodes."""
    where = link.where
    for end in link.ends:
        if end not in known:
            raise InputError(f"'{end}' is not a node{did_you_mean(end, known)}", where=where)
    if link.ends[0] == link.ends[1]:
        raise InputError(f"both ends are '{link.ends[0]}' (a link joins two nodes)", where=where)
