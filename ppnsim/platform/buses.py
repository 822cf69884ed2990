"""Buses between hosts and their devices, whose gap depends on the size of a transfer.

Source: Holland et al. 2011 (RATSS), section 3.2.2; PLATFORM.md, section "Bus with size-dependent gap".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import log2
from typing import Literal

from ppnsim.errors import InputError
from ppnsim.platform.nodes import Sharing

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
    efficiency: tuple[tuple[int, Fraction], ...]
    clamp: bool = False

    def __post_init__(self) -> None:
        if self.delay < 0:
            raise InputError(f"delay = {float(self.delay):g} s is negative")
        if self.rate <= 0:
            raise InputError(f"rate = {float(self.rate):g} bytes/s: without bandwidth nothing is ever transferred")
        if not self.efficiency:
            raise InputError("efficiency lists no size")
        sizes = [size for size, _ in self.efficiency]
        if sizes != sorted(set(sizes)) or sizes[0] < 1:
            raise InputError(f"efficiency lists the sizes {sizes} (from 1 byte on, increasing)")
        for size, share in self.efficiency:
            if not 0 < share <= 1:
                raise InputError(f"efficiency at {size} bytes = {float(share):g} is not above 0 and at most 1")

    def share(self, size: int) -> Fraction:
        """Return the efficiency at a size, linear in log2(bytes) between the points of the table.

        Raises
        ------
        InputError
            If the size is outside the table and the table is not to be clamped.

        Examples
        --------
        >>> table = ((1024, Fraction(1, 10)), (4096, Fraction(3, 10)))
        >>> BusDirection(delay=Fraction(0), rate=Fraction(10**9), efficiency=table).share(2048)
        Fraction(1, 5)
        """
        table = self.efficiency
        if not table[0][0] <= size <= table[-1][0]:
            if not self.clamp:
                raise InputError(
                    f"the efficiency table has no {size} bytes (from {table[0][0]} to {table[-1][0]} bytes; "
                    "clamp = true takes the nearest end)"
                )
            return table[0][1] if size < table[0][0] else table[-1][1]
        for (low, before), (high, after) in pairwise(table):
            if low <= size < high:
                part = Fraction(log2(size) - log2(low)) / Fraction(log2(high) - log2(low))
                return before + (after - before) * part
        return table[-1][1]

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
