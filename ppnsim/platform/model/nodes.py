"""What a platform is made of: groups of equal nodes, networks and buses between them, memories beside them.

All times are exact fractions of seconds, sizes bytes, clocks hertz. ``provenance`` says of each parameter whether it
was measured, is from a data sheet, or is a guess, and where.

Source: Holland et al. 2011 (RATSS), section 3.1 (nodes, networks, the two classes of systems).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import ClassVar, Literal

from ppnsim.errors import InputError
from ppnsim.messages.model.efficiency import Efficiency, checked_efficiency, efficiency_at
from ppnsim.messages.model.loggp import LogGP, Sharing

Kind = Literal["fpga", "microprocessor"]

_MOST_NODES = 2**16  # of a group


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
        if not 1 <= self.count <= _MOST_NODES:
            raise InputError(f"count = {self.count} is not from 1 to {_MOST_NODES}", where=self.where)
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
class Interconnect(LogGP):
    """A network that joins all nodes of some groups, each by a full-duplex LogGP port of its own; times in seconds.

    Attributes
    ----------
    connects : groups of nodes.
    """

    name: str
    connects: tuple[str, ...]
    provenance: Mapping[str, str] = field(default_factory=dict)
    FILE_KEYS: ClassVar[Mapping[str, str]] = {
        name: name
        for name in (
            "connects", "latency", "per_byte", "overhead", "gap", "efficiency", "clamp", "sharing", "receiving",
        )
    }  # fmt: skip

    def __post_init__(self) -> None:
        LogGP.__post_init__(self)
        if len(set(self.connects)) < len(self.connects):
            raise InputError(f"connects names a group twice ({', '.join(self.connects)})", where=self.where)
        if self.sharing == "fair" and self.per_byte == 0:
            raise InputError("per_byte = 0 s: there is no bandwidth limit that flows could share", where=self.where)

    @property
    def where(self) -> str:
        """How messages call it."""
        return f"network '{self.name}'"


def pipeline_cycles(operations: int, rate: Fraction, *, fill: int, words: Fraction = Fraction(0)) -> tuple[int, str]:
    """Return the cycles of a pipeline, and what limits it: ``compute`` or ``input port`` (P2.4).

    After ``fill`` cycles it does ``rate`` operations per cycle, unless the ``words`` cycles in which its input
    arrives are more.

    Examples
    --------
    >>> pipeline_cycles(349_448 * 17, Fraction(34), fill=0, words=Fraction(4_193_376, 8))
    (524172, 'input port')
    """
    busy = Fraction(operations) / rate
    return fill + ceil(max(busy, words)), "input port" if words > busy else "compute"


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
