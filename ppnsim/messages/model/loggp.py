"""LogGP links: what a message costs the processor and the port at either end.

Source: Alexandrov et al. 1995 (LogGP); Hoefler et al. 2010 (O and S); the rules L1.1 to L1.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ppnsim.errors import InputError, did_you_mean

ReceiveCpu = Literal["full", "overhead"]
Sharing = Literal["fifo", "exclusive"]

LETTERS = {
    "L": "latency", "o": "overhead", "g": "gap", "G": "per_byte", "O": "overhead_per_byte", "S": "eager",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LogGP:
    """Parameters of the links between ranks; times are integers of one unit, mostly ns or ps.

    Attributes
    ----------
    latency : L, from the end of the sender's overhead to the head's arrival.
    overhead : o, of the processor for each message, at both ends.
    gap : g, least time between two messages through one side of a port.
    per_byte : G, of each byte after the first.
    overhead_per_byte : O, of the processor for each byte after the first.
    eager : S, the largest message in bytes that does not wait for its receive; None = all are eager.
    recv_cpu : ``full``: receiving occupies the processor until the last byte; ``overhead``: a DMA engine takes the
        bytes, the processor is free after o, and the message is there when its last byte is.
    sharing : ``fifo``: a message occupies the sending side for g + (s - 1) G and the next follows through the
        pipeline of the link (L3.1); ``exclusive``: until its last byte has arrived, o + L + (s - 1) G (L3.2).
    after_first_of : (s - 1) G(s) by the size of a message, where G depends on it; None = G is ``per_byte``.

    Raises
    ------
    InputError
        If a time is negative, or a choice unknown.

    Examples
    --------
    >>> link = LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6)
    >>> link.sending(1024), link.receiving(1024), link.occupied(1024), link.one_way(1024)
    (1500, 7638, 7138, 11638)
    """

    latency: int
    overhead: int
    gap: int
    per_byte: int
    overhead_per_byte: int = 0
    eager: int | None = None
    recv_cpu: ReceiveCpu = "full"
    sharing: Sharing = "fifo"
    after_first_of: Mapping[int, int] | None = None

    def __post_init__(self) -> None:
        for letter, name in LETTERS.items():
            value = getattr(self, name)
            if value is not None and value < 0:
                raise InputError(f"{letter} = {value} is negative", where="loggp")
        for name, choices in (("recv_cpu", get_args(ReceiveCpu)), ("sharing", get_args(Sharing))):
            value = getattr(self, name)
            if value not in choices:
                raise InputError(f"{name} = {value!r} is unknown{did_you_mean(str(value), choices)}", where="loggp")

    def after_first(self, size: int) -> int:
        """Return B = (s - 1) G: from the first byte of a message to its last."""
        return (size - 1) * self.per_byte if self.after_first_of is None else self.after_first_of[size]

    def sending(self, size: int) -> int:
        """Return how long sending occupies the processor: o + (s - 1) O."""
        return self.overhead + (size - 1) * self.overhead_per_byte

    def receiving(self, size: int) -> int:
        """Return the time from a message's acceptance until it is there: o + max((s - 1) O, B)."""
        return self.overhead + max((size - 1) * self.overhead_per_byte, self.after_first(size))

    def occupied(self, size: int) -> int:
        """Return how long a message occupies the sending side of a port, as ``sharing`` says."""
        if self.sharing == "exclusive":
            return self.overhead + self.latency + self.after_first(size)
        return self.gap + self.after_first(size)

    def is_eager(self, size: int) -> bool:
        """Whether a message of this size is sent without waiting for its receive."""
        return self.eager is None or size <= self.eager

    def one_way(self, size: int) -> int:
        """Return the time from a message's send until it is there, with nothing in the way: 2o + L + B for O <= G."""
        return self.overhead + self.latency + self.receiving(size)
