"""Flows that share links fairly: every flow gets as much as it can without taking from one that has no more.

Source: Bertsekas and Gallager 1992, section 6.5.2 (max-min fairness by progressive filling); L3.3, L3.4;
checked against SimGrid's model CM02 in ``validation``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ppnsim.errors import InputError

Amount = float | Fraction  # of bytes, time or bandwidth: approximate or exact


class FairFlow(NamedTuple):
    """``size`` bytes from host ``source`` to host ``target``, asked for at ``start`` seconds."""

    source: int
    target: int
    size: float
    start: float = 0.0


class Piece(NamedTuple):
    """The rate of a flow, in bytes per second, between two changes of it."""

    flow: int
    start: float
    end: float
    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRun:
    """When each flow's last byte arrived, in seconds, and the rates that led there, in order of their ends."""

    finish: tuple[float, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Star:
    """Hosts around a switch, each with a link up and a link down that do not disturb each other.

    Attributes
    ----------
    hosts : their number.
    bandwidth, latency : of every link, in bytes per second and seconds.
    backbone : bandwidth that all flows share in the switch, None = without limit.

    Raises
    ------
    InputError
        If there is no host, a bandwidth is not above 0, or the latency is negative.

    Examples
    --------
    >>> star = Star(hosts=3, bandwidth=1e9, latency=1e-6, backbone=5e8)
    >>> star.route(0, 2), star.capacity
    ((0, 5, 6), (1000000000.0, 1000000000.0, 1000000000.0, 1000000000.0, 1000000000.0, 1000000000.0, 500000000.0))
    """

    hosts: int
    bandwidth: float
    latency: float
    backbone: float | None = None

    def __post_init__(self) -> None:
        if self.hosts < 1:
            raise InputError(f"hosts = {self.hosts} is below 1", where="star")
        for name, value in (("bandwidth", self.bandwidth), ("backbone", self.backbone)):
            if value is not None and not value > 0:
                raise InputError(f"{name} = {value} lets nothing pass (it must be above 0 B/s)", where="star")
        if self.latency < 0:
            raise InputError(f"latency = {self.latency} is negative", where="star")

    @property
    def capacity(self) -> tuple[float, ...]:
        """Bandwidth of every link: up of each host, down of each, then the backbone if there is one."""
        backbone = () if self.backbone is None else (self.backbone,)
        return (self.bandwidth,) * (2 * self.hosts) + backbone

    def route(self, source: int, target: int) -> tuple[int, ...]:
        """Return the links between two hosts, by their index in `capacity`."""
        backbone = () if self.backbone is None else (2 * self.hosts,)
        return (source, self.hosts + target, *backbone)

    @property
    def delay(self) -> float:
        """Latency of every route in seconds: one link up and one down."""
        return self.latency + self.latency

    def checked(self, flows: Sequence[FairFlow]) -> tuple[FairFlow, ...]:
        """Return the flows, once they keep to the rules.

        Raises
        ------
        InputError
            At the first flow that breaks one.

        Examples
        --------
        >>> Star(hosts=2, bandwidth=1e9, latency=0).checked([FairFlow(0, 2, 8)])
        Traceback (most recent call last):
        ppnsim.errors.InputError: flows[0]: to = 2 is not a host (there are 2, from 0 on)
        """
        for number, flow in enumerate(flows):
            words = self._fault(flow)
            if words:
                raise InputError(words, where=f"flows[{number}]")
        return tuple(flows)

    def _fault(self, flow: FairFlow) -> str | None:
        for name, host in (("from", flow.source), ("to", flow.target)):
            if not 0 <= host < self.hosts:
                return f"{name} = {host} is not a host (there are {self.hosts}, from 0 on)"
        if flow.source == flow.target:
            return f"from and to are both host {flow.source}, and no link leads there"
        if flow.size < 0:
            return f"bytes = {flow.size} is negative"
        if flow.start < 0:
            return f"start = {flow.start} is negative"
        return None


def max_min_rates(capacity: Sequence[Amount], routes: Sequence[Sequence[int]]) -> list[Amount]:
    """Return the max-min fair rate of each flow.

    All rates rise together until a link is full; its flows keep what they have, the others rise on. So every flow is
    held by a full link on which no other flow has more.

    Parameters
    ----------
    capacity : bandwidth of every link.
    routes : for each flow the links that it takes, at least one, each once.

    Examples
    --------
    >>> max_min_rates([10.0, 4.0], [[0], [0, 1], [1]])
    [8.0, 2.0, 2.0]
    """
    members: dict[int, list[int]] = {}
    for flow, route in enumerate(routes):
        for link in route:
            members.setdefault(link, []).append(flow)
    left = {link: capacity[link] for link in members}
    rising = {link: len(flows) for link, flows in members.items()}
    rates: list[Amount] = [-1] * len(routes)
    while rising:
        full = min(rising, key=lambda link: left[link] / rising[link])
        rate = left[full] / rising[full]
        for flow in members[full]:
            if rates[flow] >= 0:
                continue
            rates[flow] = rate
            for link in routes[flow]:
                left[link] = max(left[link] - rate, 0)
                rising[link] -= 1
                if not rising[link]:
                    del rising[link]
    return rates
