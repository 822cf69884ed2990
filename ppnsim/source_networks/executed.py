"""The network of a region that a testbench has executed: that of its schedule, unless data decides what passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.native.calls import RegionCall
from ppnsim.hls.native.execute import TimedDesign
from ppnsim.hls.native.session import Code
from ppnsim.hls.native.trace import TestbenchTrace
from ppnsim.model.network import Network
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.recorded import recorded_network, testbench_notes


def executed_network(
    found: TimedDesign, trace: TestbenchTrace, device: str, scheduled: Callable[[Mapping[str, int]], SourceNetwork]
) -> SourceNetwork:
    """Return the network of a region with the tokens of a trace (R11.5).

    Where the schedule alone knows the order of all accesses, and as many tokens pass as in the trace, it is that of the
    schedule, with its nests, its overlapping loops and its ports on buses; else that of the recorded accesses.

    Parameters
    ----------
    scheduled : returns the network of the schedule, for so many tokens from outside, by stream; where data decides, it
        raises `InputError`.

    Raises
    ------
    InputError
        See `recorded_network`.
    """
    recorded = recorded_network(found, trace, device)
    try:
        known = scheduled(_from_outside(trace, trace.call(found)))
    except InputError:
        return recorded
    if not known.has_region or known.guessed or _passed(known.network) != _passed(recorded.network):
        return recorded
    words = "data decides no access to a stream, so all tasks have the times of the schedule, as without the testbench"
    return replace(known, notes=(*known.notes, words, *testbench_notes(found, trace)))


def unexecuted_network(known: SourceNetwork, reason: InputError) -> SourceNetwork:
    """Return the network of the schedule for a region that cannot be executed, as without a testbench (R11.6).

    Raises
    ------
    InputError
        The reason, if the network without a testbench is not sure to be that with one.
    """
    if not known.has_region or known.guessed or known.endless:
        raise reason
    words = "the testbench is not executed, and not needed: data decides no access to a stream, so the network is that"
    return replace(known, notes=(*known.notes, f"{words} of the schedule ({reason})"))


def _from_outside(trace: TestbenchTrace, call: RegionCall) -> dict[str, int]:
    """Return how many tokens tasks without an end get from streams of the interface; the last access gets none."""
    interface = {number: stream.name for number, stream in call.streams.items() if stream.depth is None}
    return Counter(
        interface[event.stream]
        for task, events in zip(call.tasks, trace.tasks, strict=True) if task.timing.endless
        for event in events[:-1] if event.code == Code.READ and event.stream in interface
    )  # fmt: skip


def _passed(network: Network) -> Counter[tuple[int, int]]:
    """Return how many streams there are for each number of tokens written and read."""
    runs = {each.name: each.schedule.runs if each.schedule else 1 for each in network.processes}
    return Counter(
        (channel.write_steps.count * runs[channel.source], channel.read_steps.count * runs[channel.target])
        for channel in network.channels
        if not channel.fixed and channel.write_steps is not None and channel.read_steps is not None
    )
