"""A network as the engine of the page takes it: numbers and token counts, nothing that it would have to read again."""

from __future__ import annotations

from typing import Any

from ppnsim.arrays import Int64Array
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.sequence import Sequence
from ppnsim.model.timeline import Timeline


def engine_model(network: Network, *, recorded: Timeline | None = None) -> dict[str, Any]:
    """Return what ``Engine.simulate`` of ``assets/engine.js`` runs, for JSON.

    Parameters
    ----------
    network : checked.
    recorded : a timeline that is shown instead of being simulated: for networks with shared resources, which the engine
        of the page does not know.
    """
    number = {process.name: index for index, process in enumerate(network.processes)}
    return {
        "name": network.name, "clock_ns": network.clock_ns,
        "processes": [_process(network, process) for process in network.processes],
        "channels": [_channel(network, channel, number) for channel in network.channels],
        "recorded": _recorded(recorded) if recorded else None,
    }  # fmt: skip


def _process(network: Network, process: Process) -> dict[str, Any]:
    steps = network.steps[process.name]
    latencies = steps.latencies.tolist()
    stops = network.stops.get(process.name)
    return {
        "name": process.name, "style": process.style, "ii": process.ii, "firings": process.firings,
        "count": network.passings_of(process.name),
        "latency": latencies[0] if len(latencies) == 1 else latencies,
        "read": steps.read, "write": steps.write, "resource": process.resource,
        "places": None if stops is None else stops.places.tolist(),
        "starts": None if stops is None else stops.starts.tolist(),
    }  # fmt: skip


def _channel(network: Network, channel: Channel, number: dict[str, int]) -> dict[str, Any]:
    counts = network.counts[channel.name]
    return {
        "name": channel.name, "source": number[channel.source], "target": number[channel.target],
        "kind": counts.kind, "depth": channel.depth, "width": channel.width, "initial": channel.initial,
        "forward": network.forward(channel.name), "release": network.release(channel.name),
        "from_offset": channel.from_offset, "to_offset": channel.to_offset,
        "tokens": channel.initial + counts.written,
        "put": _sequence(counts.put), "need": _sequence(counts.need), "freed": _sequence(counts.freed),
        **({} if network.convention == "ppn" else {"claims": _claims(network, channel)}),
    }  # fmt: skip


def _claims(network: Network, channel: Channel) -> bool:
    """Whether its depth is a number that may change in convention sdf3: offsets claim it, not credits."""
    if channel.name in network.credits:
        return False
    return network.written.channel(channel.name).from_offset != channel.from_offset


def _sequence(sequence: Sequence) -> dict[str, Any]:
    return {"table": sequence.table.tolist(), "growth": sequence.growth}


def _recorded(timeline: Timeline) -> dict[str, Any]:
    """Return the passed rows of all steps, process by process, and the holds of each process."""
    network = timeline.network
    rows: list[Int64Array] = [row for process in network.processes for row in timeline.passed[process.name]]
    return {
        "passed": [row.tolist() for row in rows],
        "holds": [
            timeline.holds[process.name].tolist() if process.name in timeline.holds else []
            for process in network.processes
        ],
    }
