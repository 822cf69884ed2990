"""The process network: a graph of processes and channels that can be checked, changed and sent to other processes.

Everything is frozen: a changed network is a new one (`Network.replace`), and what does not change is shared with it.
Rules for what a network must obey are in `checks`; what the numbers mean in time (T1.1, T1.2) in `engines/TIMING.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ppnsim.methods import NetworkMethods
from ppnsim.model.checks import check_network
from ppnsim.model.elements import STYLES, Channel, Process, Style
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.styles import style_of
from ppnsim.notebook import ShownInNotebooks

__all__ = ["STYLES", "Channel", "Network", "Process", "Style"]

_CHECKED = "_is_checked"  # name under which a network that obeys all rules says so, as it keeps its cached properties


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Network(NetworkMethods, ShownInNotebooks, ProcessGraph):
    """A process network, ready for every engine and every analysis.

    Parameters
    ----------
    processes, channels : in the order in which they are declared, which also breaks ties.
    resources : units of each shared resource, by name.
    clock_ns : clock period in nanoseconds; ``clock`` says it with a unit, ``"200 MHz"``.
    name : for titles and reports.

    Raises
    ------
    InputError
        From `checked`, if one of the ``check_*`` invariants does not hold.

    Examples
    --------
    >>> network = Network(
    ...     processes=[Process(name="a", firings=4), Process(name="b", firings=4)],
    ...     channels=[Channel(name="c", source="a", target="b", depth=2)],
    ... ).checked()
    >>> network.forward("c"), network.read_latency("a"), network.read_latency("b")
    (1, 0, 1)
    """

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Network], tuple[Mapping[str, Any]]]:
        """Travel to other processes as what was said, without what was derived from it."""
        return _network_of, (dict(self._said, resources=dict(self.resources)),)

    def __eq__(self, other: object) -> bool:
        """Return whether the other one says the same, name and order of declaration included."""
        return self is other or (isinstance(other, Network) and self._said == other._said)

    def __hash__(self) -> int:
        return hash((self.name, self.clock_ns, tuple(p.name for p in self.processes), len(self.channels)))

    def __repr__(self) -> str:
        sizes = f"{len(self.processes)} processes, {len(self.channels)} channels, {self.firings} firings"
        return f"<Network '{self.name}': {sizes}, clock {self.clock_ns:g} ns>"

    def replace(self, **changes: Any) -> Network:
        """Return a copy with other ``processes``, ``channels``, ``resources``, ``clock_ns`` or ``name``."""
        return Network(**(self._said | changes))

    @property
    def _said(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("processes", "channels", "resources", "clock_ns", "name")}

    def with_depths(self, depth: Mapping[str, int | None] | Callable[[Channel], int | None]) -> Network:
        """Return a copy with other depths: by name of a channel or group, or by a function (None = unbounded).

        A function is called with each channel that is not fixed. Flows and steps do not depend on depths and are shared
        with the copy.

        Raises
        ------
        InputError
            If a name is not that of a channel, or a depth breaks the rules of `checks`.
        """
        if callable(depth):
            depths = {channel.name: depth(channel) for channel in self.channels if not channel.fixed}
        else:
            named = ((each, value) for name, value in depth.items() for each in self.channels_of(name))
            depths = {self.channel(name).name: value for name, value in named}
        channels = (replace(each, depth=depths[each.name]) if each.name in depths else each for each in self.channels)
        copy = self.replace(channels=channels)
        for shared in ("counts", "steps", "stops"):
            if shared in self.__dict__:
                copy.__dict__[shared] = self.__dict__[shared]
        return copy

    def never_full(self) -> Network:
        """Return a copy in which no channel ever fills, fixed ones included."""
        return self.with_depths(dict.fromkeys((channel.name for channel in self.channels), None))

    def with_style(self, style: str) -> Network:
        """Return a copy in which every process has this pipeline style, except scheduled ones, which are frozen.

        Fixed processes keep theirs. ``style`` may also be a kind of hardware (`ppnsim.model.styles`): ``hls``, ...
        """
        meant = style_of(style)
        styled = (replace(each, style=meant) if each.takes_styles else each for each in self.processes)
        return self.replace(processes=styled)

    def checked(self) -> Network:
        """Run every ``check_*`` invariant and return the network itself.

        Raises
        ------
        InputError
            With the first rule that is broken.
        """
        if not vars(self).get(_CHECKED):
            check_network(self)
            vars(self)[_CHECKED] = True
        return self


def _network_of(said: Mapping[str, Any]) -> Network:
    return Network(**said)


def is_monotone(network: Network) -> bool:
    """Return whether deeper FIFOs can never hurt: no flushable process and no shared resource.

    Elastic and frozen processes are max-plus recurrences of their depths. A flushable process keeps bubbles that a
    deeper FIFO made earlier, and who comes first at a resource may change.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> is_monotone(chain(firings=4)), is_monotone(chain(firings=4, style="flushable"))
    (True, False)

    Source: T3.4.
    """
    return all(process.style != "flushable" and process.resource is None for process in network.processes)
