"""A network lowered for execution: per port and firing, what it waits for and what it does, as flat int64 arrays.

Every engine runs exactly this. Lowering looks at flows and steps only; depths are an argument, so that one program
serves a whole search over depths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.checks import check_depth
from ppnsim.model.network import Network, Process
from ppnsim.model.steps import Steps


@dataclass(frozen=True, slots=True, eq=False)
class InputPort:
    """Reads of one channel at one step. Arrays have shape ``(firings,)``.

    ``need[n]`` is the index of the last written token that firing n reads (negative: none that has to be written);
    ``freed[n]`` is how many tokens are read for the last time by firing n.
    """

    channel: int
    step: int
    need: Int64Array
    freed: Int64Array


@dataclass(frozen=True, slots=True, eq=False)
class OutputPort:
    """Writes to one channel at one step. Arrays have shape ``(firings,)``.

    ``count[n]`` is how many tokens firing n writes; ``level[n]`` is how many tokens have come into the channel with
    them, initial ones included: ``level[n] - depth`` of them must have been released before.
    """

    channel: int
    step: int
    count: Int64Array
    level: Int64Array

    def slot(self, depth: int | None) -> Int64Array:
        """Return the index of the release that firing n's writes wait for, negative if none."""
        if depth is None:
            return np.full(len(self.level), -1, dtype=np.int64)
        slots = self.level - (depth + 1)
        return slots if (self.count > 0).all() else np.where(self.count > 0, slots, -1)


@dataclass(frozen=True, slots=True, eq=False)
class ProcessProgram:
    """One process: its numbers, its steps and its ports in order of declaration of their channels.

    What arrays have per firing, a scheduled process has per passing, one of its stops (`model.schedule.Stops`).
    """

    process: Process
    steps: Steps
    passings: int
    inputs: tuple[InputPort, ...]
    outputs: tuple[OutputPort, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A lowered network; channels are numbered in order of declaration.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> program = Program.of(chain(firings=3, depth=2))
    >>> program.processes[0].outputs[0].slot(2).tolist()
    [-2, -1, 0]
    """

    network: Network
    processes: tuple[ProcessProgram, ...]
    depths: tuple[int | None, ...]

    @classmethod
    def of(cls, network: Network) -> Program:
        """Lower a network; raises `InputError` if one of its invariants does not hold."""
        network.checked()
        number = {channel.name: index for index, channel in enumerate(network.channels)}
        processes = []
        for process in network.processes:
            steps = network.steps[process.name]
            passings = network.passings_of(process.name)
            inputs, outputs = [], []
            for channel in network.inputs(process.name):
                counts = network.counts[channel.name]
                need, freed = counts.need.first(passings), counts.freed.each(passings)
                inputs.append(InputPort(number[channel.name], steps.port["in", channel.name], need, freed))
            for channel in network.outputs(process.name):
                count, level = network.counts[channel.name].put_by(passings)
                outputs.append(OutputPort(number[channel.name], steps.port["out", channel.name], count, level))
            processes.append(ProcessProgram(process, steps, passings, tuple(inputs), tuple(outputs)))
        return cls(network, tuple(processes), tuple(channel.depth for channel in network.channels))

    def with_depths(self, depths: Mapping[str, int | None]) -> Program:
        """Return the same program with other depths (None = unbounded) for the channels named."""
        network = self.network.with_depths(depths)
        for name in network.by_channel(depths):
            check_depth(network.channel(name))
        if network.steps is not self.network.steps:
            return Program.of(network)  # depths that are credits are other flows (`model.convention`)
        return Program(network, self.processes, tuple(channel.depth for channel in network.channels))

    @property
    def passings(self) -> int:
        """Passings of all processes together."""
        return self.network.passings

    def writers(self) -> dict[int, tuple[int, OutputPort]]:
        """Return per channel the number of its producer, and the port there."""
        lowered = enumerate(self.processes)
        return {port.channel: (process, port) for process, each in lowered for port in each.outputs}

    def readers(self) -> dict[int, tuple[int, InputPort]]:
        """Return per channel the number of its consumer, and the port there."""
        lowered = enumerate(self.processes)
        return {port.channel: (process, port) for process, each in lowered for port in each.inputs}
