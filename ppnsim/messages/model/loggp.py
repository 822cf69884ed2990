"""LogGP links (L1.1): what a message costs the processor and the port at either end.

Source: Alexandrov et al. 1995 (LogGP); Hoefler et al. 2010 (O and S); the rules L1.1 to L1.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar, Literal, NamedTuple, get_args

from ppnsim.errors import InputError, did_you_mean, located
from ppnsim.messages.model.efficiency import Efficiency, checked_efficiency, efficiency_at

Duration = int | Fraction
Receiving = Literal["full", "overhead"]
PortSharing = Literal["fifo", "exclusive"]
Sharing = Literal["fifo", "exclusive", "fair"]

_LETTERS = {
    "latency": "L", "overhead": "o", "gap": "g", "per_byte": "G", "overhead_per_byte": "O", "eager": "S",
}  # fmt: skip


class MessageCost(NamedTuple):
    """How long a message of one size takes what it needs, in whole units of time.

    Attributes
    ----------
    overhead : of the processor at either end: o.
    head : from the start of the send to the arrival of the first byte: o + L.
    sending : of the sender's processor: o + (s - 1) O.
    receiving : from the acceptance until all bytes are there: o + max((s - 1) O, B).
    port_out, port_in : of the sending and of the receiving side of a port.
    """

    overhead: int
    head: int
    sending: int
    receiving: int
    port_out: int
    port_in: int

    @property
    def interval(self) -> int:
        """Least time between two such messages from one processor through one port: max(o, g + B)."""
        return max(self.overhead, self.port_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogGP:
    """Parameters of a link, or of the links between ranks; times are whole numbers or fractions of one unit.

    Attributes
    ----------
    latency : L, from the end of the sender's overhead to the head's arrival.
    overhead : o, of the processor for each message, at both ends.
    gap : g, least time between two messages through one side of a port.
    per_byte : G, of each byte after the first.
    overhead_per_byte : O, of the processor for each byte after the first.
    eager : S, the largest message in bytes that does not wait for its receive; None = all are eager.
    receiving : ``full``: receiving occupies the processor until the last byte; ``overhead``: a DMA engine takes the
        bytes, the processor is free after o, and the message is there when its last byte is.
    sharing : ``fifo``: a message occupies the sending side for g + (s - 1) G and the next follows through the
        pipeline of the link (L3.1); ``exclusive``: until its last byte has arrived, o + L + (s - 1) G (L3.2);
        ``fair``: all transfers share the port (L3.3), which `FairLinks` runs, not ranks.
    efficiency : (bytes of a message, share of the bandwidth 1 / G that it reaches), sizes increasing, so that
        G(s) = G / eff(s); empty = all of the bandwidth at any size.
    clamp : whether sizes outside the table take the nearest one's efficiency.

    Raises
    ------
    InputError
        If a time is negative, a choice unknown, or the table breaks a rule.

    Examples
    --------
    >>> LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6).cost(1024)
    MessageCost(overhead=1500, head=4000, sending=1500, receiving=7638, port_out=7138, port_in=7138)
    """

    latency: Duration
    overhead: Duration = 0
    gap: Duration = 0
    per_byte: Duration
    overhead_per_byte: Duration = 0
    eager: int | None = None
    receiving: Receiving = "full"
    sharing: Sharing = "fifo"
    efficiency: Efficiency = ()
    clamp: bool = False
    FILE_KEYS: ClassVar[Mapping[str, str]] = _LETTERS
    """What files of this kind of link call its parameters."""

    def __post_init__(self) -> None:
        for name in _LETTERS:
            value = getattr(self, name)
            if value is not None and value < 0:
                key = self.FILE_KEYS.get(name, name)
                raise InputError(f"{key} = {float(value):g} is negative", where=self.where)
        for name, choices in (("receiving", get_args(Receiving)), ("sharing", get_args(Sharing))):
            value = getattr(self, name)
            if value not in choices:
                raise InputError(f"{name} = {value!r} is unknown{did_you_mean(str(value), choices)}", where=self.where)
        with located(self.where):
            if self.efficiency:
                checked_efficiency(self.efficiency)
            elif self.clamp:
                raise InputError("clamp is for sizes outside of an efficiency table, and there is none")

    @property
    def where(self) -> str:
        """How an error names it."""
        return "loggp"

    def byte_gap(self, size: int) -> Duration:
        """Return G(s) of a message of ``size`` bytes.

        Raises
        ------
        InputError
            If there is a table of efficiencies, and the size is outside of it.
        """
        if not self.efficiency:
            return self.per_byte
        with located(self.where):
            return self.per_byte / efficiency_at(self.efficiency, size, clamp=self.clamp)

    def after_first(self, size: int) -> Duration:
        """Return B = (s - 1) G(s): from the first byte of a message to its last."""
        return (size - 1) * self.byte_gap(size)

    def is_eager(self, size: int) -> bool:
        """Whether a message of this size is sent without waiting for its receive."""
        return self.eager is None or size <= self.eager

    def cost(self, size: int) -> MessageCost:
        """Return what a message of ``size`` bytes costs, its parts rounded up to whole units."""
        overhead, head = ceil(self.overhead), ceil(self.overhead + self.latency)
        after_first, own = ceil(self.after_first(size)), ceil((size - 1) * self.overhead_per_byte)
        port = ceil(self.gap) + after_first
        return MessageCost(
            overhead=overhead, head=head, sending=overhead + own, receiving=overhead + max(own, after_first),
            port_out=head + after_first if self.sharing == "exclusive" else port, port_in=port,
        )  # fmt: skip


class MessageCosts(dict[int, MessageCost]):
    """The costs of the messages of a link by their size, each worked out when it is first asked for.

    Examples
    --------
    >>> MessageCosts(LogGP(latency=5, overhead=2, gap=3, per_byte=1))[9].interval
    11
    """

    def __init__(self, link: LogGP) -> None:
        super().__init__()
        self._link = link

    def __missing__(self, size: int) -> MessageCost:
        cost = self[size] = self._link.cost(size)
        return cost
