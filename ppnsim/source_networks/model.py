"""A network with the source that it comes from, so that answers can name lines of the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ppnsim.loops.position import Position
from ppnsim.model.network import Network
from ppnsim.units import counted

if TYPE_CHECKING:
    from ppnsim.c.declarations import StreamDeclaration  # clang takes a while to import
    from ppnsim.hls.schedule.buses import BusPort


@dataclass(frozen=True, slots=True)
class PragmaScope:
    """A function that the pragma of a stream stands in, for a stream that is declared elsewhere.

    Attributes
    ----------
    name, position : of the function.
    body : the byte of its file at which its body begins.
    """

    name: str
    position: Position
    body: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStream:
    """A variable of the source that is one FIFO, or several: an array of streams, or a stream of an inlined function.

    Attributes
    ----------
    variable : its name, as a pragma gives it.
    channels : the FIFOs in the network; they share one depth, because one pragma gives it.
    declared : where; None if that is not known.
    pragmas : places of the ``#pragma HLS stream`` that it has already.
    scope : where a pragma can name it, None for behind its declaration.
    blocks : it is a stream of blocks, whose depth is an argument of its type; no pragma says it.
    """

    variable: str
    channels: tuple[str, ...]
    declared: StreamDeclaration | None = None
    pragmas: tuple[Position, ...] = ()
    scope: PragmaScope | None = None
    blocks: bool = field(default=False, repr=False)

    @property
    def place(self) -> str:
        """Where it is declared, ``file:line``; "" if that is not known."""
        return line_of(self.declared.position) if self.declared else ""


@dataclass(frozen=True, slots=True)
class SourceLoop:
    """A pipelined loop of a task: its name (labels or iterators), line, cycles in a run, and what sets its interval."""

    name: str
    line: int
    cycles: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNetwork:
    """The network of a function in a C or C++ source.

    Attributes
    ----------
    network : tasks and streams of its dataflow region, or its statements and dependences.
    file, function : where it comes from.
    made_of : ``tasks`` (a dataflow region, or a function of high-level synthesis as one) or ``statements`` (a static
        affine loop nest).
    device : the device whose operators the tasks are scheduled with; "" for statements, which have given latencies.
    streams : the variables behind those channels that have a declared depth.
    places : where each process comes from.
    loops : of each task, its pipelined loops in the order of the source; empty for statements.
    declared : where the variable behind each channel is declared.
    accesses : where each channel is first written and first read.
    ports : of its tasks on buses.
    memory : the DRAM behind them; "": they have the latency of the interface.
    notes : what was assumed, a sentence each.
    guessed : how often some loop runs is assumed (``loop_tripcount``), because data decides it.
    endless : some tasks run as often as tokens come (``hls::task``).
    holds_for : for which inputs depths of its FIFOs are enough, in words; "" if the source alone says what passes.
    late : by task, its steps from the state that signals its end on; empty where that state is not known.
    rams : whether deep FIFOs are RAMs, in which a token takes a cycle more (R10.2).
    whole : it has no region: its one task is the function, with the cycles of its schedule.
    control : cycles in which the registers of an AXI-lite port are written and read.
    """

    network: Network
    file: str
    function: str
    made_of: Literal["tasks", "statements"]
    device: str = ""
    streams: tuple[SourceStream, ...] = ()
    places: Mapping[str, Position] = field(default_factory=dict)
    loops: Mapping[str, tuple[SourceLoop, ...]] = field(default_factory=dict)
    declared: Mapping[str, Position] = field(default_factory=dict)
    accesses: Mapping[str, tuple[Position, Position]] = field(default_factory=dict)
    ports: tuple[BusPort, ...] = ()
    memory: str = ""
    notes: tuple[str, ...] = ()
    guessed: bool = False
    endless: bool = False
    holds_for: str = ""
    late: Mapping[str, int] = field(default_factory=dict)
    control: int = 0
    rams: bool = False
    whole: bool = False

    def __str__(self) -> str:
        """Return what was taken, in one line.

        Examples
        --------
        >>> from ppnsim.model.builders import chain
        >>> network = chain(firings=4)
        >>> print(SourceNetwork(network=network, file="k.cpp", function="top", made_of="tasks", device="xc7z020"))
        k.cpp: function 'top' on xc7z020 at 10 ns: 3 tasks, 2 channels
        """
        on = f" on {self.device}" if self.device else ""
        own = len(self.network.processes) - 2 * len(self.ports)
        inside = sum(len(port.channels) for port in self.ports)
        channels = counted(len(self.network.channels) - inside, "channel")
        parts = f"{counted(own, self.made_of.removesuffix('s'))}, {channels}"
        behind = f" with {self.memory}" if self.memory else ""
        ports = f", {counted(len(self.ports), 'port')} on buses{behind}" if self.ports else ""
        return f"{self.file}: function '{self.function}'{on} at {self.network.clock_ns:g} ns: {parts}{ports}"

    @property
    def has_region(self) -> bool:
        """Whether the function has a dataflow region."""
        return self.made_of == "tasks" and not self.whole

    def traced(self) -> Network:
        """Return the network, which keeps the source as its `Network.origin`."""
        return self.network.made_from(self)

    def line(self, process: str) -> str:
        """Return the line of a process, ``file:line``; "" if that is not known."""
        return line_of(self.places.get(process, Position()))

    def lines(self) -> dict[str, str]:
        """Return the line of each process with the bare name of the file, for pictures."""
        return {name: line_of(replace(each, file=Path(each.file).name)) for name, each in self.places.items()}

    def ends(self, channel: str) -> tuple[Position, Position]:
        """Return where a channel is written and read, else where its processes begin."""
        ends = self.network.channel(channel)
        written, read = self.accesses.get(channel, (Position(), Position()))
        return (
            written if written.line else self.places.get(ends.source, written),
            read if read.line else self.places.get(ends.target, read),
        )

    def stream_of(self, channel: str) -> SourceStream | None:
        """Return the variable behind a channel, None if there is none."""
        return next((each for each in self.streams if channel in each.channels), None)


def line_of(position: Position) -> str:
    """Return a place as ``file:line``; "" for a place that is not known.

    Examples
    --------
    >>> line_of(Position("top.cpp", 12, 3)), line_of(Position())
    ('top.cpp:12', '')
    """
    return f"{position.file}:{position.line}" if position.line else ""
