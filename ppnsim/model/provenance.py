"""What a network remembers of where it comes from; it says the same, and is equal, without."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, Self, TypeVar

from ppnsim.model.elements import Channel, Process

ORIGIN = "_origin"  # what a network was read from, where answers name its lines
_UNSAID = "_unsaid"  # channels whose depth the file does not give


class Remembers(Protocol):
    """What is asked of a `Network`."""

    @property
    def processes(self) -> tuple[Process, ...]: ...  # noqa: D102
    @property
    def channels(self) -> tuple[Channel, ...]: ...  # noqa: D102
    @property
    def written(self) -> Remembers: ...  # noqa: D102
    @property
    def origin(self) -> object | None: ...  # noqa: D102
    def channel(self, name: str) -> Channel: ...  # noqa: D102
    def made_from(self, origin: object) -> Self: ...  # noqa: D102


_Network = TypeVar("_Network", bound=Remembers)


def without_depth(network: Remembers) -> tuple[str, ...]:
    """Return the channels that are unbounded because a file says nothing of their depth, in their order.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> network = saying_nothing_of(chain(firings=4, length=3), ["c1", "c0"])
    >>> without_depth(network), without_depth(network.with_depths({"c0": 2}).with_style("frozen"))
    (('c1', 'c0'), ('c1',))
    """
    written = network.written
    return tuple(name for name in vars(written).get(_UNSAID, ()) if written.channel(name).depth is None)


def saying_nothing_of(network: _Network, channels: Iterable[str]) -> _Network:
    """Return the network itself, which remembers of which channels no depth is given."""
    vars(network.written)[_UNSAID] = tuple(channels)
    return network


def remembering(changed: _Network, before: Remembers, *, given: Iterable[str] = ()) -> _Network:
    """Return a changed copy of a network, which remembers the same.

    It comes from the same source only if none of its parts is new. The depths of ``given`` channels are said now.
    """
    if silent := without_depth(before):
        there = {each.name for each in changed.written.channels} - set(given)
        saying_nothing_of(changed, [name for name in silent if name in there])
    if before.origin is not None and _names(before) >= _names(changed):
        changed.made_from(before.origin)
    return changed


def _names(network: Remembers) -> set[str]:
    written = network.written
    return {each.name for each in written.processes} | {each.name for each in written.channels}
