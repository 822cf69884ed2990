"""The process network: a graph of processes and channels that can be checked, changed and sent to other processes.

Everything is frozen: a changed network is a new one (`Network.replace`), and what does not change is shared with it.
Rules for what a network must obey are in `checks`; what the numbers mean in time (T1.1, T1.2) in `engines/TIMING.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ppnsim.calls import built_by_name
from ppnsim.kinds import plain
from ppnsim.methods import NetworkMethods
from ppnsim.model.checks import check_ends_exist, check_network
from ppnsim.model.convention import Convention, as_written, claiming, convention_of
from ppnsim.model.elements import STYLES, Channel, Process, Style
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.parts import Depth, depth_of
from ppnsim.model.provenance import ORIGIN, remembering
from ppnsim.model.styles import style_of
from ppnsim.notebook import ShownInNotebooks
from ppnsim.units import clock_words

__all__ = ["STYLES", "Channel", "Network", "Process", "Style"]

_WRITTEN = "_written"  # what a network in another convention than ppn is made of
_CHECKED = "_is_checked"  # name under which a network that obeys all rules says so, as it keeps its cached properties


@built_by_name
@dataclass(frozen=True, eq=False, init=False, repr=False)
class Network(NetworkMethods, ShownInNotebooks, ProcessGraph):
    """A process network, ready for every engine and every analysis.

    Parameters
    ----------
    processes, channels : in the order in which they are declared, which also breaks ties.
    resources : units of each shared resource, by name.
    clock_ns : clock period in nanoseconds; ``clock`` says it with a unit, ``"200 MHz"``.
    name : for titles and reports.
    convention : what depths count, ``ppn`` or ``sdf3`` (see `model.convention`). In ``sdf3`` the processes and channels
        of the network are those that do, cycle by cycle, what is `written`; every changed copy is made anew from that.

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

    convention: Convention = "ppn"
    _elsewhere: ClassVar[Mapping[str, str]] = {
        "style": ": each process has its own, Process(..., style=...); network.with_style(...) is for all",
        "depths": ": each channel has its own, Channel(..., depth=...); network.with_depths(...) changes them",
    }

    def __init__(
        self, *, processes: Iterable[Process], channels: Iterable[Channel] = (),
        resources: Mapping[str, int] | None = None, clock_ns: float | None = None, name: str = "network",
        clock: str | None = None, convention: str = "ppn",
    ) -> None:  # fmt: skip
        super().__init__(
            processes=processes, channels=channels, resources=resources, clock_ns=clock_ns, name=name, clock=clock
        )
        check_ends_exist(self, named=True)  # whatever else is wrong: where it is made
        object.__setattr__(self, "convention", convention_of(convention))
        if convention != "ppn":
            written = self._in_ppn(self.processes, self.channels)
            done, moved = claiming(written.checked())
            object.__setattr__(self, "processes", tuple(done))
            object.__setattr__(self, "channels", tuple(moved))
            vars(self)[_WRITTEN] = written

    def _in_ppn(self, processes: Iterable[Process], channels: Iterable[Channel]) -> Network:
        return Network(
            processes=processes, channels=channels, resources=self.resources, clock_ns=self.clock_ns, name=self.name
        )

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

    @property
    def clock(self) -> str:
        """The clock with its unit, as in files: ``"5 ns"``, or ``"300 MHz"`` where the period is no short decimal."""
        return clock_words(self.clock_ns)

    @property
    def origin(self) -> object | None:
        """The `SourceNetwork` of C or C++ that it was read from, also with other depths; None for any other."""
        return vars(self).get(ORIGIN)

    def made_from(self, origin: object) -> Network:
        """Return the network itself, which keeps what it was read from; it says the same as without."""
        vars(self)[ORIGIN] = origin
        return self

    @property
    def written(self) -> Network:
        """The network as it is written: the same processes and channels, with depths that count in convention ppn."""
        found: Network = vars(self).get(_WRITTEN, self)
        return found

    @property
    def claimed(self) -> Network:
        """The processes and channels of the network as those of one in convention ppn, whose depths are no credits."""
        if self.written is self:
            return self
        return _at_depths(self._in_ppn(self.processes, self.channels), {}, shared=self)

    @property
    def credits(self) -> dict[str, str]:
        """The channels that bring credits back in convention sdf3, with the channel whose free slots they are."""
        spaces = {f"{channel.name}.space": channel.name for channel in self.written.channels}
        return {each.name: spaces[each.name] for each in self.channels if each.name not in self.written._channels}

    def with_convention(self, convention: str) -> Network:
        """Return a copy whose depths, those that are `written`, mean what this convention says.

        Raises
        ------
        InputError
            If the convention is unknown, or a bounded channel has listed tokens, offsets, or a ``release``.

        Examples
        --------
        >>> from ppnsim.model.builders import chain
        >>> network = chain(firings=4, length=2, latency=3, depth=2).with_convention("sdf3")
        >>> (c := network.channel("c0")).from_offset, c.forward, c.release, c.depth
        (0, 4, 4, 2)
        >>> network.with_depths({"c0": 3}).convention, network.written.channel("c0").forward
        ('sdf3', None)
        """
        if convention == self.convention:
            return self
        if convention == "ppn":
            return self.written
        return remembering(Network(**(self._said | {"convention": convention})), self)

    def replace(self, **changes: Any) -> Network:
        """Return a copy with other ``processes``, ``channels``, ``resources``, ``clock``, ``name``, ``convention``.

        ``clock`` has its unit, ``clock_ns`` is a number of ns. Parts that are changed copies of those of a network in
        convention sdf3 change what is `written`.
        """
        written = self.written
        if written is not self:
            for key in changes.keys() & {"processes", "channels"}:
                changes[key] = as_written(changes[key], getattr(self, key), getattr(written, key))
        said = {key: value for key, value in self._said.items() if key != "clock_ns" or "clock" not in changes}
        return remembering(Network(**(said | changes)), self)

    @property
    def _said(self) -> dict[str, Any]:
        own = {key: getattr(self, key) for key in ("resources", "clock_ns", "name", "convention")}
        return {"processes": self.written.processes, "channels": self.written.channels} | own

    def with_depths(self, depth: Depth | Mapping[str, Depth] | Callable[[Channel], Depth]) -> Network:
        """Return a copy with other depths: one for all, by name, or by a function; None, "unbounded" = no end.

        A name is that of a channel or a group, or a pattern, ``fifo_*``; what names a channel itself wins. One depth,
        patterns and functions are for channels that are not fixed. Flows and steps do not depend on depths and are
        shared with the copy, unless depths are credits (`model.convention`).

        Raises
        ------
        InputError
            If a name is not that of a channel, or a depth is none.

        Examples
        --------
        >>> from ppnsim.model.builders import fork_join
        >>> [channel.depth for channel in fork_join(firings=20).with_depths({"short_*": 8, "short_in": 3}).channels]
        [3, 8, 2, 2]
        """
        written = self.written
        depth = plain(depth, Mapping)
        if isinstance(depth, Mapping):
            named = written.by_channel(depth)
        else:
            deep = None if callable(depth) else depth_of(depth)
            free = (channel for channel in written.channels if not channel.fixed)
            named = {channel.name: depth(channel) if callable(depth) else deep for channel in free}
        depths = {name: depth_of(each, f"channel '{name}'") for name, each in named.items()}
        deeper = _at_depths(written, depths)
        if written is self:
            return deeper
        if not self._claims(name for name, depth in depths.items() if depth is not None):
            return deeper.with_convention(self.convention)
        copy = _at_depths(self.claimed, depths)
        object.__setattr__(copy, "convention", self.convention)
        vars(copy)[_WRITTEN] = deeper
        return copy

    def _claims(self, channels: Iterable[str]) -> bool:
        """Whether other depths of these channels are just that, and no other channels or steps than now."""
        return not self.credits and all(
            self.channel(name).from_offset != self.written.channel(name).from_offset for name in channels
        )

    def never_full(self) -> Network:
        """Return a copy in which no channel ever fills, fixed ones included."""
        return self.with_depths(dict.fromkeys((channel.name for channel in self.written.channels), None))

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


def _at_depths(network: Network, depths: Mapping[str, int | None], *, shared: Network | None = None) -> Network:
    """Return a copy in convention ppn with other depths, and the flows and steps of ``shared``, by default its own."""
    channels = [replace(each, depth=depths[each.name]) if each.name in depths else each for each in network.channels]
    copy = network._in_ppn(network.processes, channels)
    known = vars(shared or network)
    vars(copy).update({name: known[name] for name in ("counts", "steps", "stops", ORIGIN) if name in known})
    return remembering(copy, network, given=depths)


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
