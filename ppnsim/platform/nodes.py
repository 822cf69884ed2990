"""What a platform is made of: groups of equal nodes, networks and buses between them, memories beside them.

All times are exact fractions of seconds, sizes bytes, clocks hertz. ``provenance`` says of each parameter whether it
was measured, is from a data sheet, or is a guess, and where.

Source: Holland et al. 2011 (RATSS), section 3.1 (nodes, networks, the two classes of systems).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, log2
from typing import Literal

from ppnsim.errors import InputError

Kind = Literal["fpga", "microprocessor"]
Sharing = Literal["fifo", "exclusive", "fair"]
Receiving = Literal["full", "overhead"]
DelayCount = Literal["once", "per transfer"]
Direction = Literal["write", "read", "both"]

ORIGINS = ("measured", "data sheet", "guess")  # how every provenance begins


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeGroup:
    """``count`` equal compute nodes, called ``NAME[0]``, ``NAME[1]``, ...

    Attributes
    ----------
    clock : hertz; None if the node is not computed with.
    port : bytes that its input port takes per cycle; None = as many as the computation asks for.
    resources : what the device has, by name; told, not counted.
    """

    name: str
    kind: Kind
    count: int = 1
    clock: Fraction | None = None
    port: Fraction | None = None
    device: str = ""
    resources: Mapping[str, int] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError(f"count = {self.count} is below 1", where=self.where)
        for name, unit in (("clock", "Hz"), ("port", "bytes per cycle")):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise InputError(f"{name} = {float(value):g} {unit} must be above 0", where=self.where)

    @property
    def where(self) -> str:
        """How messages call it."""
        return f"node '{self.name}'"

    def instances(self) -> list[str]:
        """Return the names of the nodes.

        Examples
        --------
        >>> NodeGroup(name="map", kind="fpga", count=2).instances()
        ['map[0]', 'map[1]']
        """
        return [f"{self.name}[{index}]" for index in range(self.count)]

    def frequency(self) -> Fraction:
        """Return the clock.

        Raises
        ------
        InputError
            If there is none.
        """
        if self.clock is None:
            raise InputError("clock is missing, and without it no computation has a time", where=self.where)
        return self.clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Interconnect:
    """A network that joins all nodes of some groups, each by a full-duplex LogGP port of its own.

    Attributes
    ----------
    connects : groups of nodes.
    latency, overhead, gap, per_byte : L, o, g in seconds, G in seconds per byte.
    sharing : how messages share a port: ``fifo``, ``exclusive``, or ``fair`` (max-min, which knows only L and G).
    receiving : whether receiving occupies the processor to the last byte (``full``) or for o only (a DMA engine).
    """

    name: str
    connects: tuple[str, ...]
    latency: Fraction
    overhead: Fraction
    gap: Fraction
    per_byte: Fraction
    sharing: Sharing = "fifo"
    receiving: Receiving = "full"
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("latency", "overhead", "gap", "per_byte"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} = {float(getattr(self, name)):g} s is negative", where=self.where)
        if self.sharing == "fair" and self.per_byte == 0:
            raise InputError("per_byte = 0 s: there is no bandwidth limit that flows could share", where=self.where)

    @property
    def where(self) -> str:
        """How messages call it."""
        return f"network '{self.name}'"


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
        for (low, before), (high, after) in zip(table, table[1:], strict=False):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryGroup:
    """Memory channels of each node of a group, by the name of a preset of `platform.memory_presets`."""

    name: str
    on: str
    preset: str
    channels: int = 1
    provenance: Mapping[str, str] = field(default_factory=dict)


def pipeline_cycles(operations: int, rate: Fraction, *, fill: int, words: Fraction = Fraction(0)) -> tuple[int, str]:
    """Return the cycles of a pipeline, and what limits it: ``compute`` or ``input port``.

    After ``fill`` cycles it does ``rate`` operations per cycle, unless the ``words`` cycles in which its input
    arrives are more.

    Examples
    --------
    >>> pipeline_cycles(349_448 * 17, Fraction(34), fill=0, words=Fraction(4_193_376, 8))
    (524172, 'input port')
    """
    busy = Fraction(operations) / rate
    return fill + ceil(max(busy, words)), "input port" if words > busy else "compute"
