"""Buses between hosts and their devices, whose gap depends on the size of a transfer (see `platform.efficiency`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ppnsim.errors import InputError
from ppnsim.messages.model.efficiency import Efficiency, checked_efficiency, efficiency_at
from ppnsim.messages.model.loggp import Sharing

DelayCount = Literal["once", "per transfer"]
Direction = Literal["write", "read", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BusDirection:
    """One direction of a bus, its gap depending on the size of a transfer: g(b) = 1 / (rate * efficiency(b)).

    Attributes
    ----------
    delay : L + o of one transfer in seconds.
    rate : theoretical throughput in bytes per second.
    efficiency : (bytes of a transfer, share of the rate), sizes increasing.
    clamp : whether sizes outside the table take the nearest one's efficiency.

    Source: Eq. 7, and Figure 6 with its 0.31 at 8192 samples of 4 bytes.
    """

    delay: Fraction
    rate: Fraction
    efficiency: Efficiency
    clamp: bool = False

    def __post_init__(self) -> None:
        if self.delay < 0:
            raise InputError(f"delay = {float(self.delay):g} s is negative")
        if self.rate <= 0:
            raise InputError(f"rate = {float(self.rate):g} bytes/s: without bandwidth nothing is ever transferred")
        checked_efficiency(self.efficiency)

    def share(self, size: int) -> Fraction:
        """Return the efficiency at a size; see `efficiency_at`."""
        return efficiency_at(self.efficiency, size, clamp=self.clamp)

    def gap(self, size: int) -> Fraction:
        """Return g(b) in seconds per byte (Eq. 7)."""
        return 1 / (self.rate * self.share(size))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bus:
    """Connections between hosts and their devices, one per device unless ``shared`` by all devices of a host.

    Attributes
    ----------
    latency : whether the hardware pays L + o ``once`` for a train of transfers or for each (``per transfer``).
    sharing : how transfers that meet on it share it; the two directions are one medium.
    """

    name: str
    host: str
    device: str
    write: BusDirection
    read: BusDirection
    latency: DelayCount = "once"
    sharing: Sharing = "fifo"
    shared: bool = False
    provenance: Mapping[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """How messages call it."""
        return f"bus '{self.name}'"

    def directions(self, direction: Direction) -> tuple[BusDirection, ...]:
        """Return the directions that a transfer uses, two for ``both``."""
        return {"write": (self.write,), "read": (self.read,), "both": (self.write, self.read)}[direction]
