"""Networks with one thing changed: functions with a name, so that an explanation can be pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ppnsim.model.network import Network


def without_depths(network: Network) -> Network:
    """Return a network whose FIFOs never fill."""
    return network.with_depths(lambda _: None)


def with_depth(channel: str, depth: int | None, network: Network) -> Network:
    """Return a network with another depth of a channel, None = unbounded."""
    return network.with_depths({channel: depth})


def with_units(resource: str, units: int, network: Network) -> Network:
    """Return a network with another number of units of a resource."""
    return network.replace(resources={**network.resources, resource: units})


def with_process(name: str, values: Mapping[str, Any], network: Network) -> Network:
    """Return a network with other values of a process."""
    written = network.written
    changed = written.replace(processes=[replace(p, **values) if p.name == name else p for p in written.processes])
    return changed.with_convention(network.convention)


def with_channel(name: str, values: Mapping[str, Any], network: Network) -> Network:
    """Return a network with other values of a channel."""
    written = network.written
    changed = written.replace(channels=[replace(c, **values) if c.name == name else c for c in written.channels])
    return changed.with_convention(network.convention)
