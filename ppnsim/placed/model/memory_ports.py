"""Ports of processes on DRAM channels: input words that come from a memory, output words that go to one.

A port is a channel by the rules of `engines/TIMING.md`, whose other end is the memory (N3). Its tokens are requests
(bursts):

- a read port holds `outstanding` tokens: a request takes a slot when the memory is asked, its token can be read from
  the process's first clock edge at or after its data are complete (in order, however they return), and its slot is free
  ``release`` cycles after the read, as in any channel: then the next request is asked for, ahead of its firing;
- a write port holds `outstanding` tokens: a write takes a slot at the process's write step, the memory is asked
  ``forward`` cycles later, and the slot is free at the first clock edge after the memory has accepted the request and
  told so (M6.1), not when the data are in the banks.

A firing moves ``bytes`` bytes: as many requests as these need, at least one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import Dram, MemoryGroup
from ppnsim.memory.model.traffic import Traffic
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Rates

_STRIDE = re.compile(r"stride([1-9][0-9]{0,14})")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPort:
    """What one process reads from a memory, or writes to it.

    Attributes
    ----------
    bytes : moved by a firing.
    outstanding : requests that may be asked for and not yet read (read), or written and not yet accepted (write).
    pattern : ``stream`` (one burst after the other), ``strideN`` (N bytes apart) or ``rand``.
    start : first address of a stream or of strides.
    seed : of ``rand``.
    """

    process: str
    memory: str
    write: bool
    bytes: int
    outstanding: int
    pattern: str = "stream"
    start: int = 0
    seed: int = 1

    @property
    def name(self) -> str:
        """The name of the channel that the port is."""
        return f"{self.process} {'writes' if self.write else 'reads'} {self.memory}"

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"process '{self.process}': {'writes' if self.write else 'reads'}"

    def per_firing(self, dram: Dram) -> int:
        """Return how many requests a firing needs."""
        return -(-self.bytes // dram.request_bytes)

    def places(self, dram: Dram, count: int) -> tuple[Int64Array, Int64Array]:
        """Return bank and row of the first ``count`` requests.

        Examples
        --------
        >>> from ppnsim.memory.model.presets import preset
        >>> port = MemoryPort(process="p", memory="m", write=False, bytes=64, outstanding=4)
        >>> port.places(preset("DDR4-2400").dram, 3)[0].tolist()
        [0, 4, 8]
        """
        if self.pattern == "rand":
            drawn = Traffic(pattern="rand", seed=self.seed).draw(dram, count)
            return drawn.bank, drawn.row
        stride = _STRIDE.fullmatch(self.pattern)
        step = int(stride[1]) if stride else dram.request_bytes
        far = np.arange(count, dtype=np.int64) * (step % dram.capacity)
        return dram.place((self.start + far) % dram.capacity)


def check_ports(
    network: Network, memories: Iterable[MemoryGroup], ports: Iterable[MemoryPort], node_of: Mapping[str, str]
) -> None:
    """Every port has its process, its memory and a limit that a firing fits in.

    Raises
    ------
    InputError
        With the first port that has not.
    """
    known = {memory.name: memory for memory in memories}
    processes = {process.name for process in network.processes}
    for port in ports:
        if port.process not in processes:
            raise InputError(f"there is no such process{did_you_mean(port.process, processes)}", where=port.where)
        if port.memory not in known:
            raise InputError(f"'{port.memory}' is not a memory{did_you_mean(port.memory, known)}", where=port.where)
        memory = known[port.memory]
        if memory.on is not None and memory.on != node_of[port.process]:
            words = f"is on '{node_of[port.process]}', and memory '{memory.name}' is reached from '{memory.on}' only"
            raise InputError(words, where=f"process '{port.process}'")
        _check_port(port, memory.dram)


def _check_port(port: MemoryPort, dram: Dram) -> None:
    if port.bytes < 1:
        raise InputError(f"bytes = {port.bytes} moves nothing (at least 1 a firing)", where=port.where)
    if port.pattern not in ("stream", "rand") and not _STRIDE.fullmatch(port.pattern):
        hint = did_you_mean(port.pattern, ("stream", "rand", "strideN"))
        raise InputError(f"pattern = '{port.pattern}' is not a pattern{hint}", where=port.where)
    if not 0 <= port.start < dram.capacity:
        raise InputError(f"start = {port.start} is beyond the {dram.capacity} bytes of the memory", where=port.where)
    least = port.per_firing(dram)
    if port.outstanding < least:
        words = f"is below the {least} request{'s' if least > 1 else ''} of a firing"
        words += f" ({port.bytes} bytes, {dram.request_bytes} each): it could never start"
        raise InputError(f"outstanding = {port.outstanding} {words}", where=port.where)


def with_ports(network: Network, memories: Iterable[MemoryGroup], ports: Iterable[MemoryPort]) -> Network:
    """Return the network with a channel for every port, the memory's end of it being a process of its own.

    These processes are not run: the memory does their work. Without ports it is the network itself.
    """
    dram = {memory.name: memory.dram for memory in memories}
    processes, channels = [], []
    for port in ports:
        needed = port.per_firing(dram[port.memory])
        firings = network.process(port.process).firings * needed
        processes.append(Process(name=f"({port.name})", firings=firings))
        ends = (port.process, f"({port.name})") if port.write else (f"({port.name})", port.process)
        tokens = Rates(produce=(needed,), consume=(1,)) if port.write else Rates(produce=(1,), consume=(needed,))
        # The memory's own times are its part of the way, so nothing is added at its end.
        forward, release = (None, 0) if port.write else (0, None)
        channels.append(Channel(
            name=port.name, source=ends[0], target=ends[1], tokens=tokens, depth=port.outstanding, forward=forward,
            release=release, width=8 * dram[port.memory].request_bytes,
        ))  # fmt: skip
    if not channels:
        return network
    return network.replace(processes=[*network.processes, *processes], channels=[*network.channels, *channels])
