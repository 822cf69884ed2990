"""The graph of a process network: who is connected to whom, defaults resolved, and what all its runs share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from ppnsim import units
from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.elements import Channel, Process
from ppnsim.model.parts import check_listed, matching, parts_of, resources_of
from ppnsim.model.pipeline import steps_of
from ppnsim.model.schedule import Stops
from ppnsim.model.scheduled_tokens import Side, counts_of_sides
from ppnsim.model.steps import Steps, steps_of_schedule
from ppnsim.model.token_counts import TokenCounts

if TYPE_CHECKING:
    import networkx as nx  # takes a while

_Value = TypeVar("_Value")


@dataclass(frozen=True, kw_only=True, eq=False)
class ProcessGraph:
    """Processes and channels by name, as they are declared; `Network` adds checks and changed copies."""

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
        clock_ns: float | None = None,
        name: str = "network",
        clock: str | None = None,
    ) -> None:
        if clock is not None and clock_ns is not None:
            raise InputError("clock and clock_ns both say the period (give one)")
        period = units.period_with_unit("10 ns" if clock is None else clock) if clock_ns is None else clock_ns
        object.__setattr__(self, "processes", parts_of(Process, processes, "processes"))
        object.__setattr__(self, "channels", parts_of(Channel, channels, "channels"))
        object.__setattr__(self, "resources", MappingProxyType(resources_of(resources)))
        # As a float that prints: a Fraction and a number of numpy are numbers, too.
        is_number = isinstance(period, Real) and not isinstance(period, int)
        object.__setattr__(self, "clock_ns", float(period) if is_number else period)
        object.__setattr__(self, "name", name)

    # -- graph ------------------------------------------------------------------------------------------------------

    @cached_property
    def graph(self) -> nx.MultiDiGraph[str]:
        """The network as a networkx graph: node attribute ``process``, edge key = channel name, edge ``channel``."""
        import networkx as nx

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

    def channels_of(self, name: str) -> tuple[str, ...]:
        """Return the channels of the group called ``name``, or of a pattern; any other name stands for itself."""
        if name in self._channels:
            return (name,)
        return self.groups.get(name) or tuple(matching(name, self.channels)) or (name,)

    def by_channel(self, named: Mapping[str, _Value]) -> dict[str, _Value]:
        """Return values by channel: those of patterns, over which groups win, over which channels win."""
        order = sorted(named, key=lambda name: (name in self._channels, name in self.groups))
        return {self.channel(each).name: named[name] for name in order for each in self.channels_of(name)}

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The channels that are sized together, by name of their group."""
        found: dict[str, tuple[str, ...]] = {}
        for channel in self.channels:
            if channel.group is not None:
                found[channel.group] = (*found.get(channel.group, ()), channel.name)
        return found

    @cached_property
    def _ends(self) -> tuple[dict[str, list[Channel]], dict[str, list[Channel]]]:
        entering, leaving = ({process.name: list[Channel]() for process in self.processes} for _ in range(2))
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
        """Return the read latency of ``process``: as given, else 1 if a channel enters it and it is not scheduled."""
        if self.process(process).schedule is not None:
            return 0
        given = self.process(process).read
        return (1 if self.inputs(process) else 0) if given is None else given

    def write_latency(self, process: str) -> int:
        """Return the write latency: as given, else 1 if a channel leaves ``process`` or it is scheduled, else 0."""
        if self.process(process).schedule is not None:
            return 1
        given = self.process(process).write
        return (1 if self.outputs(process) else 0) if given is None else given

    def forward(self, channel: str) -> int:
        """Return the cycles from a write to the first possible read of the token."""
        given = self.channel(channel)
        return self.write_latency(given.source) if given.forward is None else given.forward

    def release(self, channel: str) -> int:
        """Return the cycles from a token's last read to the reuse of its slot."""
        given = self.channel(channel)
        if given.release is None and self.process(given.target).schedule is not None:
            return 1
        return self.read_latency(given.target) if given.release is None else given.release

    # -- derived once, shared by all runs ---------------------------------------------------------------------------

    @cached_property
    def counts(self) -> dict[str, TokenCounts]:
        """The token counts of every channel, by name."""
        for channel in self.channels:
            check_listed(channel)
        return {
            channel.name: counts_of_sides(channel, self._side(channel.source), self._side(channel.target))
            for channel in self.channels
        }

    def _side(self, process: str) -> Side:
        return Side(self.passings_of(process), self.stops.get(process))

    @cached_property
    def stops(self) -> dict[str, Stops]:
        """The stops of every scheduled process, by name."""
        found = {}
        for process in self.processes:
            if process.schedule is not None:
                reads = [each.read_steps for each in self.inputs(process.name)]
                writes = [each.write_steps for each in self.outputs(process.name)]
                accesses = [each for each in (*reads, *writes) if each is not None]
                found[process.name] = Stops.of(process.schedule, accesses)
        return found

    def passings_of(self, process: str) -> int:
        """Return what a run records of a process: its firings, or the stops of a scheduled process."""
        stops = self.stops.get(process)
        return self.process(process).firings if stops is None else stops.passings

    @cached_property
    def steps(self) -> dict[str, Steps]:
        """The pipeline steps of every process, by name."""
        return {
            process.name: steps_of_schedule(self.stops[process.name], self._ports(process.name))
            if process.name in self.stops
            else steps_of(
                process.latency, firings=process.firings, ii=process.ii, where=process.where,
                read=self.read_latency(process.name), write=self.write_latency(process.name),
                inputs={channel.name: channel.to_offset or 0 for channel in self.inputs(process.name)},
                outputs={channel.name: channel.from_offset for channel in self.outputs(process.name)},
            )
            for process in self.processes
        }  # fmt: skip

    def firings_in(self, process: str, passings: int) -> int:
        """Return the firings in so many passings, which are whole runs if the process is scheduled."""
        stops = self.stops.get(process)
        return passings if stops is None else passings // len(stops.at) * stops.schedule.start_steps.count

    def _ports(self, process: str) -> Iterator[tuple[str, str]]:
        yield from (("in", channel.name) for channel in self.inputs(process))
        yield from (("out", channel.name) for channel in self.outputs(process))

    @property
    def firings(self) -> int:
        """Firings of all processes together."""
        return sum(process.firings for process in self.processes)

    @cached_property
    def passings(self) -> int:
        """Passings of all processes together: firings, and stops of scheduled processes."""
        return sum(self.passings_of(process.name) for process in self.processes)

    @cached_property
    def events(self) -> int:
        """Passings of all processes and tokens of all channels together: what a run has to go through."""
        return self.passings + sum(counts.written + counts.read_count for counts in self.counts.values())
