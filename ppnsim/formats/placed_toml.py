"""Networks across nodes as TOML: a scenario whose processes say on which node they are, with nodes and links."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field, PlainValidator, ValidationError

from ppnsim import units
from ppnsim.errors import InputError
from ppnsim.formats.complaints import checked, input_error
from ppnsim.formats.schema import ChannelKeys, Keys, ProcessKeys, StyleName, Text, Whole
from ppnsim.formats.values import Dialect, rule
from ppnsim.model.network import Network
from ppnsim.platform.mapping import Link, Node, Placement

_PS = {"ps": Fraction(1), "ns": Fraction(10**3), "us": Fraction(10**6), "ms": Fraction(10**9), "s": Fraction(10**12)}
_BYTES_PER_S = {"B/s": Fraction(1), "kB/s": Fraction(10**3), "MB/s": Fraction(10**6), "GB/s": Fraction(10**9)}


def _period(value: object) -> Fraction:
    """Return the period of a clock in picoseconds."""
    if not isinstance(value, str):
        raise rule("must be like '100 MHz' or '10 ns'")
    try:
        return units.clock_period(value) * 1000
    except InputError as error:
        raise rule(str(error).removeprefix(f"'{value}' ")) from None


def _time(value: object) -> int:
    """Return a time in whole picoseconds."""
    if not isinstance(value, str):
        raise rule("must be a time with its unit, like '1.5 us'")
    number, unit = _quantity(value, _PS)
    picoseconds = number * _PS[unit]
    if picoseconds < 0 or picoseconds.denominator != 1:
        raise rule("must be a whole number of picoseconds from 0 on")
    return int(picoseconds)


def _per_byte(value: object) -> Fraction:
    """Return picoseconds per byte, from a bandwidth."""
    if not isinstance(value, str):
        raise rule("must be a bandwidth with its unit, like '1.25 GB/s'")
    number, unit = _quantity(value, _BYTES_PER_S)
    if number <= 0:
        raise rule("must be above 0")
    return Fraction(10**12) / (number * _BYTES_PER_S[unit])


def _quantity(value: str, known: dict[str, Fraction]) -> tuple[Fraction, str]:
    # The unit of a bandwidth has a slash, which `units.quantity` does not know.
    head, slash, tail = value.partition("/")
    try:
        number, unit = units.quantity(head, {name.partition("/")[0]: factor for name, factor in known.items()})
    except InputError:
        raise rule(f"must be a number and a unit: {', '.join(known)}") from None
    if slash + tail.strip() not in ("", "/s") or unit + slash + tail.strip() not in known:
        raise rule(f"must be a number and a unit: {', '.join(known)}")
    return number, unit + slash + tail.strip()


class NodeKeys(Keys):
    """The keys of a node."""

    clock: Annotated[Fraction, PlainValidator(_period)]


class LinkKeys(Keys):
    """The keys of a link between two nodes."""

    between: tuple[Text, Text]
    latency: Annotated[int, PlainValidator(_time)]
    overhead: Annotated[int, PlainValidator(_time)] = 0
    gap: Annotated[int, PlainValidator(_time)] = 0
    bandwidth: Annotated[Fraction, PlainValidator(_per_byte)] | None = None

    def link(self, name: str) -> Link:
        """Return the link called ``name``."""
        return Link(
            name=name, ends=self.between, latency=self.latency, overhead=self.overhead, gap=self.gap,
            per_byte=self.bandwidth or Fraction(0),
        )  # fmt: skip


class PlacedProcessKeys(ProcessKeys):
    """The keys of a process and its node; times are cycles of that node's clock."""

    node: Text


class PlacedChannelKeys(ChannelKeys):
    """The keys of a channel, and the tokens of a packet where it goes from node to node."""

    packet: Whole = 1


class PlacedToml(Keys):
    """A whole file."""

    name: Text | None = None
    style: StyleName = "elastic"
    node: dict[Text, NodeKeys]
    link: dict[Text, LinkKeys] = Field(default_factory=dict)
    process: dict[Text, PlacedProcessKeys] = Field(default_factory=dict)
    channel: dict[Text, PlacedChannelKeys] = Field(default_factory=dict)


def is_placed(data: dict[str, Any]) -> bool:
    """Return whether decoded TOML describes a network across nodes."""
    return "node" in data and "process" in data


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
    try:
        file = PlacedToml.model_validate(data, context=Dialect(units=False))
    except ValidationError as error:
        tables: dict[str, type[Keys]] = {
            "process": PlacedProcessKeys, "channel": PlacedChannelKeys, "node": NodeKeys, "link": LinkKeys,
        }  # fmt: skip
        raise input_error(error, data, PlacedToml, tables) from None
    network = Network(
        processes=[keys.process(key, file.style) for key, keys in file.process.items()],
        channels=[keys.channel(key) for key, keys in file.channel.items()],
        name=file.name or name,
    )
    return Placement(
        network=checked(network),
        nodes=tuple(Node(name=key, period=keys.clock) for key, keys in file.node.items()),
        links=tuple(keys.link(key) for key, keys in file.link.items()),
        node_of={key: keys.node for key, keys in file.process.items()},
        packet={key: keys.packet for key, keys in file.channel.items()},
    )
