"""Networks across nodes as TOML: a scenario whose processes say on which node they are, with nodes and links."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ppnsim.errors import InputError
from ppnsim.formats.complaints import checked, validated
from ppnsim.formats.network_schema import ChannelKeys, ProcessKeys, StyleName
from ppnsim.formats.network_values import Dialect
from ppnsim.formats.quantities import Efficiency, Flag, Provenance, text_with
from ppnsim.formats.schema import Keys, Text, Whole
from ppnsim.memory.files.keys import MemoryGroupKeys
from ppnsim.model.network import Network
from ppnsim.placed.model.links import ClockedNode, Link
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.model.placement import Placement
from ppnsim.units import BYTES, SECONDS, clock_period, measured


def period(text: str) -> Fraction:
    """Return the period of a clock in picoseconds.

    Examples
    --------
    >>> period("200 MHz"), period("3.3 ns")
    (Fraction(5000, 1), Fraction(3300, 1))
    """
    return clock_period(text) * 1000


def whole_picoseconds(text: str) -> int:
    """Return a time in whole picoseconds.

    Examples
    --------
    >>> whole_picoseconds("1.5 us")
    1500000
    """
    picoseconds = measured(text, SECONDS) * 10**12
    if picoseconds < 0 or picoseconds.denominator != 1:
        raise InputError(f"'{text}' must be a whole number of picoseconds from 0 on")
    return int(picoseconds)


def per_byte(text: str) -> Fraction:
    """Return picoseconds per byte, from a bandwidth.

    Examples
    --------
    >>> per_byte("1.25 GB/s")
    Fraction(800, 1)
    """
    rate = measured(text, BYTES, "/s")
    if rate <= 0:
        raise InputError(f"'{text}' must be above 0")
    return 10**12 / rate


Period = Annotated[Fraction, text_with(period, "100 MHz' or '10 ns")]
Picoseconds = Annotated[int, text_with(whole_picoseconds, "1.5 us")]
PerByte = Annotated[Fraction, text_with(per_byte, "1.25 GB/s")]


class PlacedNodeKeys(Keys):
    """The keys of a node."""

    clock: Period
    provenance: Provenance = Field(default_factory=dict)


class LinkKeys(Keys):
    """The keys of a link between two nodes."""

    between: tuple[Text, Text]
    latency: Picoseconds
    overhead: Picoseconds = 0
    gap: Picoseconds = 0
    bandwidth: PerByte | None = None
    efficiency: Efficiency = ()
    clamp: Flag = False
    provenance: Provenance = Field(default_factory=dict)

    def link(self, name: str) -> Link:
        """Return the link called ``name``."""
        if self.efficiency and self.bandwidth is None:
            raise InputError("efficiency is a share of the bandwidth, which is missing", where=f"link '{name}'")
        return Link(
            name=name, ends=self.between, latency=self.latency, overhead=self.overhead, gap=self.gap,
            per_byte=self.bandwidth or Fraction(0), efficiency=self.efficiency, clamp=self.clamp,
            provenance=self.provenance,
        )  # fmt: skip


class PlacedMemoryKeys(MemoryGroupKeys):
    """The keys of a memory: what it is, and the node that it belongs to, if to one only."""

    node: Text | None = None


class PortKeys(Keys):
    """The keys of ``reads`` and ``writes``."""

    memory: Text
    bytes: Whole
    outstanding: Whole
    pattern: Text = "stream"
    start: Whole = 0


class PlacedProcessKeys(ProcessKeys):
    """The keys of a process, its node and its memory ports; times are cycles of that node's clock."""

    node: Text
    reads: PortKeys | None = None
    writes: PortKeys | None = None


class PlacedChannelKeys(ChannelKeys):
    """The keys of a channel, and the tokens of a packet where it goes from node to node."""

    packet: Whole = 1


class PlacedToml(Keys):
    """A whole file."""

    name: Text | None = None
    style: StyleName = "elastic"
    node: dict[Text, PlacedNodeKeys]
    link: dict[Text, LinkKeys] = Field(default_factory=dict)
    memory: dict[Text, PlacedMemoryKeys] = Field(default_factory=dict)
    process: dict[Text, PlacedProcessKeys] = Field(default_factory=dict)
    channel: dict[Text, PlacedChannelKeys] = Field(default_factory=dict)


def read(data: dict[str, Any], path: Path) -> Placement:
    """Return the placement of a decoded file (see `parse_placement`)."""
    return parse_placement(data, name=path.stem)


def parse_placement(data: dict[str, Any], *, name: str = "network") -> Placement:
    """Return the placement of a decoded file.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that the network or its placement breaks.

    Examples
    --------
    >>> node, link = {"clock": "100 MHz"}, {"between": ["x", "y"], "latency": "1 us", "bandwidth": "1 GB/s"}
    >>> placement = parse_placement({
    ...     "node": {"x": node, "y": node}, "link": {"l": link},
    ...     "process": {"a": {"firings": 4, "node": "x"}, "b": {"firings": 4, "node": "y"}},
    ...     "channel": {"c": {"from": "a", "to": "b", "packet": 2}},
    ... })
    >>> placement.links[0].latency, placement.links[0].per_byte, placement.packet
    (1000000, Fraction(1000, 1), {'c': 2})
    """
    file = validated(PlacedToml, data, context=Dialect(units=False))
    network = Network(
        processes=[keys.process(key, file.style) for key, keys in file.process.items()],
        channels=[keys.channel(key) for key, keys in file.channel.items()],
        name=file.name or name,
    )
    return Placement(
        network=checked(network),
        nodes=tuple(
            ClockedNode(name=key, period=keys.clock, provenance=keys.provenance) for key, keys in file.node.items()
        ),
        links=tuple(keys.link(key) for key, keys in file.link.items()),
        node_of={key: keys.node for key, keys in file.process.items()},
        packet={key: keys.packet for key, keys in file.channel.items()},
        memories=tuple(keys.group(key, keys.node) for key, keys in file.memory.items()),
        ports=tuple(_ports(file)),
    )


def _ports(file: PlacedToml) -> Iterator[MemoryPort]:
    """Yield the memory ports in order of declaration; each draws its own random addresses."""
    seed = 0
    for name, process in file.process.items():
        for keys, write in ((process.reads, False), (process.writes, True)):
            if keys is not None:
                seed += 1
                yield MemoryPort(
                    process=name, memory=keys.memory, write=write, bytes=keys.bytes, outstanding=keys.outstanding,
                    pattern=keys.pattern, start=keys.start, seed=seed,
                )  # fmt: skip
