"""Parts of a mapping: nodes with clocks, the links between them, and the messages that pass there, in picoseconds.

``provenance`` says where parameters come from, by the keys of files; it has no bearing on a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil

from ppnsim.errors import InputError, did_you_mean
from ppnsim.messages.model.efficiency import Efficiency, check_link, gap_at
from ppnsim.model.network import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockedNode:
    """A device with one clock; ``period`` in picoseconds."""

    name: str
    period: Fraction = field(metadata={"key": "clock"})
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"node '{self.name}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A full-duplex link between two nodes, with LogGP's parameters: picoseconds, and picoseconds per byte.

    Messages of one direction follow each other g + (s - 1) G apart, whatever channel they belong to, in the order in
    which they are ready; ties go to the channel declared first. With a table of efficiencies, G(s) = G / eff(s).

    Attributes
    ----------
    efficiency : (bytes of a message, share of the bandwidth that it reaches), sizes increasing; empty = all of it.
    clamp : whether sizes outside the table take the nearest one's efficiency.
    """

    name: str
    ends: tuple[str, str] = field(metadata={"key": "between"})
    latency: int
    overhead: int = 0
    gap: int = 0
    per_byte: Fraction = field(default=Fraction(0), metadata={"key": "bandwidth"})
    efficiency: Efficiency = ()
    clamp: bool = False
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"link '{self.name}'"

    def bytes_after_first(self, size: int) -> int:
        """Return (s - 1) G in picoseconds, rounded up.

        Raises
        ------
        InputError
            If there is a table of efficiencies, and the size is outside of it.
        """
        return _bytes_after_first(self, size)

    def taken(self, size: int) -> int:
        """Return how long a message of ``size`` bytes keeps its port from the next one: max(o, g + (s - 1) G)."""
        return max(self.overhead, self.gap + self.bytes_after_first(size))


@lru_cache(maxsize=4096)
def _bytes_after_first(link: Link, size: int) -> int:
    gap = gap_at(link.per_byte, link.efficiency, size, clamp=link.clamp, where=link.where)
    return ceil((size - 1) * gap)


def token_bytes(channel: Channel) -> int:
    """Return the bytes of a token on a link, at least 1."""
    return max(1, -(-channel.width // 8))


@dataclass(frozen=True, slots=True)
class Message:
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
    """Raise `InputError` if a link does not join two of the ``known`` nodes, or a parameter of it breaks a rule."""
    where = link.where
    for end in link.ends:
        if end not in known:
            raise InputError(f"'{end}' is no node{did_you_mean(end, known)}", where=where)
    if link.ends[0] == link.ends[1]:
        raise InputError(f"both ends are '{link.ends[0]}' (a link joins two nodes)", where=where)
    for key in ("latency", "overhead", "gap", "per_byte"):
        value = getattr(link, key)
        if value < 0:
            raise InputError(f"{key} = {value} is negative", where=where)
    check_link(link.efficiency, clamp=link.clamp, where=where)
