"""Scenario TOML: networks as people write them, with comments, units and tables by name."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ppnsim.formats.complaints import checked, validated
from ppnsim.formats.network_schema import ChannelKeys, Clock, ProcessKeys, StyleName
from ppnsim.formats.network_values import Dialect
from ppnsim.formats.schema import Keys, Text, Wholes
from ppnsim.model.network import Network


class ScenarioToml(Keys):
    """A whole file. The clock stands before the processes, because their times are counted in it."""

    name: Text | None = None
    clock: Clock = 10.0
    style: StyleName = "elastic"
    resources: Wholes = Field(default_factory=dict)
    process: dict[Text, ProcessKeys] = Field(default_factory=dict)
    channel: dict[Text, ChannelKeys] = Field(default_factory=dict)


def parse_scenario(data: dict[str, Any], *, name: str = "network") -> Network:
    """Return the network of a decoded scenario; its own ``name`` wins over the one given here.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first invariant that the network breaks.

    Examples
    --------
    >>> network = parse_scenario({"clock": "200 MHz", "process": {"a": {"firings": 4, "latency": "15 ns"}}})
    >>> network.clock_ns, network.process("a").latency
    (5.0, 3)
    >>> parse_scenario({"clock": "200 MHz", "process": {"a": {"firings": 4, "latency": "12 ns"}}})
    Traceback (most recent call last):
    ppnsim.errors.InputError: process 'a': latency = '12 ns' is 2.4 cycles of 5 ns (a whole number of cycles is needed)
    """
    file = validated(ScenarioToml, data, context=Dialect(units=True))
    network = Network(
        processes=[keys.process(name, file.style) for name, keys in file.process.items()],
        channels=[keys.channel(name) for name, keys in file.channel.items()],
        resources=file.resources,
        clock_ns=file.clock,
        name=name if file.name is None else file.name,
    )
    return checked(network)
