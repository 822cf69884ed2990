"""The process network: processes and channels on a networkx multigraph, with typed accessors and defaults resolved.

Everything is frozen: a changed network is a new one (`Network.replace`), and what does not change is shared with it.
Rules for what a network must obey are in `checks`; what the numbers mean in time (T1.1, T1.2) in `engines/TIMING.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import networkx as nx

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.flow import Flow, flow_of
from ppnsim.model.latency import Latency
from ppnsim.model.steps import Steps, steps_of
from ppnsim.model.tokens import ONE_PER_FIRING, Tokens

Style = Literal["elastic", "flushable", "frozen"]
STYLES: tuple[Style, ...] = ("elastic", "flushable", "frozen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A statement turned into hardware: it executes ``firings`` iterations in order.

    Parameters
    ----------
    name : unique in the network.
    firings : how often it executes, at least 1.
    ii : initiation interval, cycles between successive starts; 0 (elastic only) lets any number start in one cycle.
    latency : execute latency in cycles: a number, one per firing, or a `Distribution`.
    read, write : read and write latency in cycles; None = 1 where a channel enters (leaves), else 0.
    style : what a blocked access does to the pipeline: ``elastic``, ``flushable`` or ``frozen``.
    resource : name of a shared resource of which each firing holds one unit for ii cycles, or None.
    """

    name: str
    firings: int
    ii: int = 1
    latency: Latency = 1
    read: int | None = None
    write: int | None = None
    style: Style = "elastic"
    resource: str | None = None

    @property
    def where(self) -> str:
        """How an error names this process."""
        return f"process '{self.name}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A FIFO or reorder memory between two processes.

    Parameters
    ----------
    name : unique in the network.
    source, target : names of the producer and of the consumer.
    tokens : which firing writes and reads which token; default one per firing.
    depth : tokens it can hold; None = unbounded.
    forward : cycles from a write to the first possible read; None = the producer's write latency.
    release : cycles from a token's last read to the reuse of its slot; None = the consumer's read latency.
    initial : tokens that are there at cycle 0.
    width : bits of a token.
    from_offset : pipeline step of the writes, counted from the start of the firing; None = read + latency.
    to_offset : pipeline step of the reads; None = 0.
    """

    name: str
    source: str
    target: str
    tokens: Tokens = ONE_PER_FIRING
    depth: int | None = None
    forward: int | None = None
    release: int | None = None
    initial: int = 0
    width: int = 32
    from_offset: int | None = None
    to_offset: int | None = None

    @property
    def where(self) -> str:
        """How an error names this channel."""
        return f"channel '{self.name}'"


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """A process network, ready for every engine and every analysis.

    Parameters
    ----------
    processes, channels : in the order in which they are declared, which also breaks ties.
    resources : units of each shared resource, by name.
    clock_ns : clock period in nanoseconds.
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

    processes: tuple[Process, ...]
    channels: tuple[Channel, ...] = ()
    resources: Mapping[str, int] = field(default_factory=dict)
    clock_ns: float = 10.0
    name: str = "network"

    def __init__(
        self,
        *,
        processes: Iterable[Process],
        channels: Iterable[Channel] = (),
        resources: Mapping[str, int] | None = None,
        clock_ns: float = 10.0,
        name: str = "network",
    ) -> None:
        object.__setattr__(self, "processes", tuple(processes))
        object.__setattr__(self, "channels", tuple(channels))
        object.__setattr__(self, "resources", MappingProxyType(dict(resources or {})))
        object.__setattr__(self, "clock_ns", clock_ns)
        object.__setattr__(self, "name", name)

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Network], tuple[Mapping[str, Any]]]:
        """Travel to other processes as what was said, without what was derived from it."""
        return _network_of, (dict(self._said, resources=dict(self.resources)),)

    # -- graph ------------------------------------------------------------------------------------------------------

    @cached_property
    def graph(self) -> nx.MultiDiGraph[str]:
        """The network as a networkx graph: node attribute ``process``, edge key = channel name, edge ``channel``."""
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=self.name)
        for process in self.processes:
            graph.add_node(process.name, process=process)
        for channel in self.channels:
            graph.add_edge(channel.source, channel.target, key=channel.name, channel=channel)
        return graph

    @cached_property
    def _processes(self) -> dict[str, Process]:
        return {process.name: process for process in self.processes}

    @cached_property
    def _channels(self) -> dict[str, Channel]:
        return {channel.name: channel for channel in self.channels}

    def process(self, name: str) -> Process:
        """Return the process called ``name``; raise `InputError` if there is none."""
        if name not in self._processes:
            raise InputError(f"no process is called '{name}'{did_you_mean(name, self._processes)}")
        return self._processes[name]

    def channel(self, name: str) -> Channel:
        """Return the channel called ``name``; raise `InputError` if there is none."""
        if name not in self._channels:
            raise InputError(f"no channel is called '{name}'{did_you_mean(name, self._channels)}")
        return self._channels[name]

    @cached_property
    def _ends(self) -> tuple[dict[str, list[Channel]], dict[str, list[Channel]]]:
        entering: dict[str, list[Channel]] = {process.name: [] for process in self.processes}
        leaving: dict[str, list[Channel]] = {process.name: [] for process in self.processes}
        for channel in self.channels:
            entering.setdefault(channel.target, []).append(channel)
            leaving.setdefault(channel.source, []).append(channel)
        return entering, leaving

    def inputs(self, process: str) -> list[Channel]:
        """Return the channels that enter ``process``, in order of declaration."""
        return self._ends[0][process]

    def outputs(self, process: str) -> list[Channel]:
        """Return the channels that leave ``process``, in order of declaration."""
        return self._ends[1][process]

    # -- defaults resolved (cycles) ---------------------------------------------------------------------------------

    def read_latency(self, process: str) -> int:
        """Return the read latency of ``process``: as given, else 1 if a channel enters it, else 0."""
        given = self.process(process).read
        return (1 if self.inputs(process) else 0) if given is None else given

    def write_latency(self, process: str) -> int:
        """Return the write latency of ``process``: as given, else 1 if a channel leaves it, else 0."""
        given = self.process(process).write
        return (1 if self.outputs(process) else 0) if given is None else given

    def forward(self, channel: str) -> int:
        """Return the cycles from a write to the first possible read of the token."""
        given = self.channel(channel)
        return self.write_latency(given.source) if given.forward is None else given.forward

    def release(self, channel: str) -> int:
        """Return the cycles from a token's last read to the reuse of its slot."""
        given = self.channel(channel)
        return self.read_latency(given.target) if given.release is None else given.release

    # -- derived once, shared by all runs ---------------------------------------------------------------------------

    @cached_property
    def flows(self) -> dict[str, Flow]:
        """The token counts of every channel, by name."""
        return {
            channel.name: flow_of(
                channel.tokens,
                initial=channel.initial,
                producer_firings=self.process(channel.source).firings,
                consumer_firings=self.process(channel.target).firings,
                where=channel.where,
            )
            for channel in self.channels
        }

    @cached_property
    def steps(self) -> dict[str, Steps]:
        """The pipeline steps of every process, by name."""
        return {
            process.name: steps_of(
                process.latency,
                firings=process.firings,
                ii=process.ii,
                read=self.read_latency(process.name),
                write=self.write_latency(process.name),
                inputs={channel.name: channel.to_offset or 0 for channel in self.inputs(process.name)},
                outputs={channel.name: channel.from_offset for channel in self.outputs(process.name)},
                where=process.where,
            )
            for process in self.processes
        }

    @property
    def firings(self) -> int:
        """Firings of all processes together."""
        return sum(process.firings for process in self.processes)

    @property
    def size(self) -> int:
        """Firings of all processes and tokens of all channels together: what a run has to go through."""
        return self.firings + sum(flow.written + flow.read_count for flow in self.flows.values())

    # -- changed copies ---------------------------------------------------------------------------------------------

    def replace(self, **changes: Any) -> Network:
        """Return a copy with other ``processes``, ``channels``, ``resources``, ``clock_ns`` or ``name``."""
        return Network(**(self._said | changes))

    @property
    def _said(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("processes", "channels", "resources", "clock_ns", "name")}

    def with_depths(self, depth: Mapping[str, int | None] | Callable[[Channel], int | None]) -> Network:
        """Return a copy with other depths: by channel name, or by a function of the channel (None = unbounded).

        Flows and steps do not depend on depths and are shared with the copy.

        Raises
        ------
        InputError
            If a name is not that of a channel, or a depth breaks the rules of `checks`.
        """
        if callable(depth):
            depths = {channel.name: depth(channel) for channel in self.channels}
        else:
            depths = {self.channel(name).name: value for name, value in depth.items()}
        copy = self.replace(
            channels=[
                replace(channel, depth=depths[channel.name]) if channel.name in depths else channel
                for channel in self.channels
            ]
        )
        for shared in ("flows", "steps"):
            if shared in self.__dict__:
                copy.__dict__[shared] = self.__dict__[shared]
        return copy

    def with_style(self, style: Style) -> Network:
        """Return a copy in which every process has this pipeline style."""
        return self.replace(processes=[replace(process, style=style) for process in self.processes])

    def checked(self) -> Network:
        """Run every ``check_*`` invariant and return the network itself.

        Raises
        ------
        InputError
            With the first rule that is broken.
        """
        from ppnsim.model.checks import check_network

        check_network(self)
        return self


def _network_of(said: Mapping[str, Any]) -> Network:
    return Network(**said)
