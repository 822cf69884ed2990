"""Defaults of AXI buses: values of the flow, or of a project, where an interface states none (R6.4, R6.24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.interfaces import read_interface
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.structure.partitions import BUS_ALIGNED, BUS_BEATS, BUS_LATENCIES, BUS_STATES, Flow, Storage
from ppnsim.loops.program import Array


@dataclass(frozen=True, slots=True)
class Buses:
    """The latency of AXI buses in cycles, the most bits of a beat, and the bytes to which pointers are aligned.

    Examples
    --------
    >>> Buses.of_flow("vivado")
    Buses(latency=0, beat=0, aligned=0)
    """

    latency: int
    beat: int
    aligned: int

    @classmethod
    def of_flow(
        cls, flow: Flow, latency: int | None = None, beat: int | None = None, aligned: int | None = None
    ) -> Buses:
        """Return the defaults of a flow; a value of the project overrides them."""
        return cls(
            BUS_LATENCIES[flow] if latency is None else latency, BUS_BEATS[flow] if beat is None else beat,
            BUS_ALIGNED[flow] if aligned is None else aligned,
        )  # fmt: skip

    def directed(self, directives: Directives) -> Directives:
        """Return directives with these defaults for buses whose interfaces state no value."""
        kept = directives.storage
        widest: dict[str, int] = {}
        for each in kept.values():
            widest[each.bundle] = max(widest.get(each.bundle, 0), each.beat or 0)
        said = {name: self._bus(each, widest[each.bundle]) for name, each in kept.items() if each.kind == "bus"}
        if not said:
            return directives
        vain = tuple(
            f"interface max_widen_bitwidth={kept[name].beat} of '{name}': pointers are not aligned in the flow for IPs"
            for name in said if kept[name].beat and not self.aligned
        )  # fmt: skip
        less = tuple(
            f"interface max_widen_bitwidth={kept[name].beat} of '{name}': the largest of its bundle counts, "
            f"{widest[each.bundle]}" for name, each in said.items() if 0 < (kept[name].beat or 0) < widest[each.bundle]
        )  # fmt: skip
        return replace(directives, storage={**kept, **said}, ignored=(*directives.ignored, *vain, *less))

    def _bus(self, bus: Storage, widest: int) -> Storage:
        """Return a bus with defaults for missing values; its beats are the widest stated in its bundle (UG1448)."""
        latency = 1 + BUS_STATES + self.latency if bus.unsaid else bus.latency
        beat = self.beat if bus.beat is None else bus.beat and widest
        return replace(bus, latency=latency, beat=min(beat, 8 * self.aligned))


def untold(arrays: Iterable[Array], asked: DirectivesSoFar) -> dict[str, frozenset[str]]:
    """Return the arguments without an interface that are, or contain, arrays, each with these arrays."""
    told = {*asked.ports, *asked.slaves, *asked.storage}
    owners: dict[str, set[str]] = {}
    for each in arrays:
        if each.role == "parameter" and each.shape and not each.stream:
            owners.setdefault((each.member or each.name.partition("."))[0], set()).add(each.name)
    return {name: frozenset(parts) for name, parts in owners.items() if not told & {name, *parts}}


def put_on_buses(arguments: Mapping[str, frozenset[str]], asked: DirectivesSoFar) -> None:
    """Put arguments on the bus that the kernel flow gives to arguments without an interface (R6.4)."""
    for name, parts in arguments.items():
        read_interface(Pragma("interface", "", {"m_axi": "", "port": name}, None, None, {name: parts}, {}), asked)


def said_of_default(directives: Directives, *, called: bool) -> Iterator[str]:
    """Yield what the kernel flow makes of arguments without an interface: buses, or memories of a module (R6.8)."""
    if names := directives.untold:
        quoted = ", ".join(f"'{name}'" for name in names)
        kind = "memories, as another function calls this one" if called else "m_axi of bundle gmem, as by default"
        other = "m_axi" if called else "ap_memory"
        words = f"{quoted} without an interface: {kind} in the flow for kernels (R6.4)"
        yield f"{words}; '#pragma HLS interface {other} port={names[0]}' says it otherwise"
