"""Networks of every kind, run: tokens, classes of cycles, waits, summaries, suspicions, figure for figure."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np

from ppnsim.engines.run import run
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import (
    executes,
    max_occupancy,
    most_after_writes,
    occupancy,
    parallelism,
    parallelism_profile,
    slots_taken,
    touching,
)
from ppnsim.model.network import Network, is_monotone
from ppnsim.model.repetition import parts_of
from ppnsim.model.run import Run
from ppnsim.model.summary import execute_cycles, summary_of
from ppnsim.model.suspicions import suspicions
from ppnsim.model.waits import beats_in_flight, due_cycles, frozen_steps, ii_over, readable_from, writable_from
from tests.golden.records import unlike
from tests.helpers.drawn import drawn_networks


def networks() -> str:
    """Return what is known of some networks before and after they are run."""
    lines = []
    for seed, network in drawn_networks(22):
        ran = run(network, engine="des", on_deadlock="return")
        lines += [f"network {seed}", *_known(network), *_told(ran)]
    return "".join(f"{line}\n" for line in lines)


def _known(network: Network) -> Iterator[str]:
    yield f"  monotone {is_monotone(network)}, parts {parts_of(network)}, groups {network.groups}"
    for each in network.processes:
        steps = network.steps[each.name]
        reads, writes = network.read_latency(each.name), network.write_latency(each.name)
        begun = " ".join(str(network.firings_in(each.name, n)) for n in range(4))
        yield _short(
            f"  {each.name} {each.style} reads {reads} writes {writes} passes "
            f"{network.passings_of(each.name)}: {begun}; {steps.count} steps, "
            f"{steps.varies}, capacity {steps.capacity}, {network.stops.get(each.name)}"
        )
    for one in network.channels:
        counts = network.counts[one.name]
        yield _short(f"  {one.name} {counts.kind} {network.forward(one.name)} {network.release(one.name)} {counts}")


def _told(ran: Run) -> Iterator[str]:
    found, network = ran.timeline, ran.network
    yield f"  stopped {found.stopped}, {parallelism(found)}, {_flat(parallelism_profile(found))}"
    for one in network.processes:
        classes = cycle_classes(found, one.name)
        yield _short(f"  {one.name} starts {_flat(found.start(one.name))} ends {_flat(found.end(one.name))}")
        yield _short(f"    executes {_flat(executes(found, one.name))}, in all {execute_cycles(network, one)}")
        yield _short(
            f"    from 3 to 9 {_flat(touching(found, one.name, (3, 9)))} due {_flat(due_cycles(found, one.name))}"
        )
        if one.schedule is None:
            yield _short(f"    apart {_flat(ii_over(found, one.name))}")
        if one.style == "frozen" and one.schedule is None:
            yield _short(f"    frozen {_flat(frozen_steps(found, one.name))}")
        if one.style == "flushable":
            yield _short(f"    in flight {beats_in_flight(found, one.name)}")
        yield _short(f"    {classes.counts()}")
        yield _short(f"    {classes.labels} {_flat(classes.within((2, 20)).before(np.arange(2, 21)))}")
    for each in network.channels:
        name = each.name
        before = max(each.initial, most_after_writes(found, name, 7))
        yield _short(f"  {name} at most {max_occupancy(found, name)}, {before} before 7")
        yield _short(f"    holds {_flat(occupancy(found, name))}, from 3 to 9 {_flat(occupancy(found, name, (3, 9)))}")
        yield _short(f"    slots {_flat(slots_taken(found, name))}")
        yield _short(f"    readable {_flat(readable_from(found, name))} writable {_flat(writable_from(found, name))}")
    yield from (f"  {_short(str(each))}" for each in suspicions(network))
    yield from (f"  {_short(str(each))}" for each in suspicions(ran))
    yield _short(f"  {summary_of(ran)}", 0)


def _flat(values: Any) -> str:
    if isinstance(values, tuple):
        return " / ".join(map(_flat, values))
    return str(np.asarray(values).tolist())


def _short(line: str, most: int = 100) -> str:
    return line if len(line) < most else f"{line[:most]} ... {sha256(line.encode()).hexdigest()[:12]}"


def test_networks_are_run_and_told_as_recorded() -> None:
    assert unlike("networks") == []
