"""Every engine against the naive reference of the timing rules: same cycle for every firing, token and class.

Networks are random and small; the tables and the counter-example are those of the timing rules themselves.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim.arrays import Int64Array
from ppnsim.engines.run import run
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import max_occupancy, parallelism
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER
from ppnsim.model.tokens import Listed, Rates
from tests.helpers.strategies import networks
from tests.oracles.reference import Cycle, Reference, simulate

ENGINES = ("des", "compiled")
WHO = ("reference", *ENGINES)
engines = pytest.mark.parametrize("engine", ENGINES)

# No database: a failure is kept as a named network in ONCE_DIFFERENT, not in a file.
_search = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
few = settings(_search, max_examples=50)
some = settings(_search, max_examples=150)
many = settings(_search, max_examples=10_000, suppress_health_check=list(HealthCheck))


def engine_run(network: Network, engine: str) -> Run:
    return run(network, engine=engine, on_deadlock="return")


def suited(network: Network, engine: str) -> Network:
    """Return the network without what the engine refuses by name: shared resources."""
    if engine == "des" or not network.resources:
        return network
    alone = [replace(process, resource=None) for process in network.processes]
    return network.replace(processes=alone, resources={}).checked()


def finish(network: Network, who: str) -> int | None:
    return simulate(network).finish if who == "reference" else engine_run(network, who).finish


def cycles(array: Int64Array) -> list[Cycle]:
    return [None if cycle == NEVER else int(cycle) for cycle in array]


# -- what is compared -------------------------------------------------------------------------------------------------


def timing_of_reference(network: Network, ref: Reference) -> dict[str, Any]:
    told: dict[str, Any] = {"deadlocked": ref.deadlocked, "finish": ref.finish, "stopped": ref.stopped}
    for process in network.processes:
        told[f"{process.name} start"] = ref.start[process.name]
        told[f"{process.name} write"] = ref.write[process.name]
        told[f"{process.name} end"] = ref.end[process.name]
    for channel in network.channels:
        told[f"{channel.name} writes"] = [cycle for _, cycle in ref.writes[channel.name]]
        told[f"{channel.name} reads"] = ref.reads[channel.name]
    return told


def timing_of_engine(network: Network, result: Run) -> dict[str, Any]:
    timeline = result.timeline
    told: dict[str, Any] = {
        "deadlocked": result.deadlocked,
        "finish": result.finish,
        "stopped": timeline.stopped if result.deadlock is None else result.deadlock.at,
    }
    for process in network.processes:
        told[f"{process.name} start"] = cycles(timeline.start(process.name))
        told[f"{process.name} write"] = cycles(timeline.write(process.name))
        told[f"{process.name} end"] = cycles(timeline.end(process.name))
    for channel in network.channels:
        told[f"{channel.name} writes"] = cycles(timeline.token_writes(channel.name))
        pairs = timeline.reading_pairs(channel.name).tolist()
        if (stops := network.stops.get(channel.target)) is not None:
            pairs = [(int(stops.places[passing]), token) for passing, token in pairs]
        read = cycles(timeline.token_reads(channel.name))
        told[f"{channel.name} reads"] = [(firing, token, at) for (firing, token), at in zip(pairs, read, strict=True)]
    return told


def classes_of_engine(network: Network, result: Run) -> dict[str, Any]:
    return {process.name: cycle_classes(result.timeline, process.name).counts() for process in network.processes}


def figures_of_reference(ref: Reference) -> dict[str, Any]:
    return ref.max_occupancy | {"average": ref.average_parallelism, "maximum": ref.maximum_parallelism}


def figures_of_engine(network: Network, result: Run) -> dict[str, Any]:
    told: dict[str, Any] = {c.name: max_occupancy(result.timeline, c.name) for c in network.channels}
    at_once = parallelism(result.timeline)
    return told | {"average": at_once.average, "maximum": at_once.maximum}


def assert_all_agrees(network: Network, engine: str) -> None:
    ref, result = simulate(network), engine_run(network, engine)
    assert timing_of_engine(network, result) == timing_of_reference(network, ref)
    assert classes_of_engine(network, result) == ref.cycles
    assert figures_of_engine(network, result) == figures_of_reference(ref)


# -- certificates: what any timeline can be checked for without a second one ------------------------------------------


def assert_tokens_are_read_after_they_are_there_and_never_exceed_the_depth(network: Network, result: Run) -> None:
    timeline = result.timeline
    for channel in network.channels:
        written = timeline.token_writes(channel.name)
        pairs, read_at = timeline.reading_pairs(channel.name), timeline.token_reads(channel.name)
        last_read: dict[int, int] = {}
        for (_, token), at in zip(pairs.tolist(), read_at.tolist(), strict=True):
            if at != NEVER and token >= channel.initial:
                assert NEVER != written[token - channel.initial] <= at - network.forward(channel.name)
            last_read[token] = NEVER if at == NEVER else max(at, last_read.get(token, at))
        released = [at + network.release(channel.name) for at in last_read.values() if at != NEVER]
        happened = written[written != NEVER].tolist()
        # Before the first event, and in every cycle in which something is written or released.
        for t in {*happened, *released}:
            held = channel.initial + sum(at <= t for at in happened) - sum(at <= t for at in released)
            assert held >= 0
            assert channel.depth is None or held <= channel.depth


def assert_firings_start_ii_apart_and_pass_every_step_in_order(network: Network, result: Run) -> None:
    timeline = result.timeline
    for process in network.processes:
        passed = timeline.passed[process.name]
        for row in passed:
            happened = row[row != NEVER]
            assert np.array_equal(row[: len(happened)], happened)  # none before one that has not happened
            assert (np.diff(happened) >= min(process.ii, 1)).all()
        if (stops := network.stops.get(process.name)) is not None:
            happened = passed[0][passed[0] != NEVER]
            assert (np.diff(happened) >= stops.gaps[1 : len(happened)]).all()
            continue
        start, write = timeline.start(process.name), timeline.write(process.name)
        assert (np.diff(start[start != NEVER]) >= process.ii).all()
        done = write != NEVER
        steps = network.steps[process.name]
        assert (write - start >= steps.offsets_of(steps.write_step, process.firings))[done].all()


def assert_classes_add_up(of_process: dict[str, Any], stopped: int) -> None:
    for classes in of_process.values():
        told = [sum(value.values()) if isinstance(value, dict) else value for value in classes.values()]
        assert sum(told) == stopped


# -- agreement: a network is drawn once and everything is asked of it, since drawing takes longer than most answers ----


@some
@given(network=networks())
def test_every_firing_token_class_and_figure_is_that_of_the_reference_and_keeps_the_rules(network: Network) -> None:
    for engine in ENGINES:
        asked = suited(network, engine)
        ref, result = simulate(asked), engine_run(asked, engine)
        assert timing_of_engine(asked, result) == timing_of_reference(asked, ref)
        classes = classes_of_engine(asked, result)
        assert classes == ref.cycles
        assert figures_of_engine(asked, result) == figures_of_reference(ref)
        assert_classes_add_up(classes, result.timeline.stopped)
        assert_tokens_are_read_after_they_are_there_and_never_exceed_the_depth(asked, result)
        assert_firings_start_ii_apart_and_pass_every_step_in_order(asked, result)


@few
@given(network=networks(max_processes=2, max_firings=4))
def test_the_smallest_networks_agree_in_everything(network: Network) -> None:
    for engine in ENGINES:
        assert_all_agrees(suited(network, engine), engine)


@pytest.mark.slow
@engines
@pytest.mark.parametrize("style", [*STYLES, "mixed"])
@settings(many, max_examples=2500)
@given(data=st.data())
def test_ten_thousand_networks_agree_in_everything(engine: str, style: str, data: st.DataObject) -> None:
    styles = [known for known in STYLES if style in (known, "mixed")]
    assert_all_agrees(suited(data.draw(networks(styles=styles)), engine), engine)


@few
@given(network=networks(styles=["frozen"]))
def test_a_frozen_pipeline_has_one_cycle_for_each_step(network: Network) -> None:
    for engine in ENGINES:
        asked = suited(network, engine)
        timeline = engine_run(asked, engine).timeline
        for process in asked.processes:
            cycle_of_step: dict[int, int] = {}
            places = asked.steps[process.name].places(process.firings, process.ii)
            for step, at in zip(places.ravel().tolist(), timeline.passed[process.name].ravel().tolist(), strict=True):
                if at != NEVER:
                    assert cycle_of_step.setdefault(step, at) == at
            steps = sorted(cycle_of_step)
            for before, after in pairwise(steps):
                assert cycle_of_step[after] - cycle_of_step[before] >= after - before


@few
@given(network=networks(styles=["elastic", "frozen"], resources=False))
def test_a_deeper_fifo_delays_nothing_in_elastic_and_frozen_networks(network: Network) -> None:
    for engine in ENGINES:
        before = engine_run(network, engine).timeline
        for channel in network.channels:
            if channel.depth is None:
                continue
            after = engine_run(network.with_depths({channel.name: channel.depth + 1}), engine).timeline
            for name, passed in before.passed.items():
                happened = passed != NEVER
                assert (after.passed[name][happened] != NEVER).all()
                assert (after.passed[name] <= passed)[happened].all()


# -- networks on which an engine was once wrong -----------------------------------------------------------------------


def fed(latency: int | tuple[int, ...], **channel: Any) -> Network:
    """Return a flushable process between a source and a sink that takes only one of its tokens."""
    return Network(
        processes=[
            Process(name="source", firings=4),
            Process(name="middle", firings=4, latency=latency, style="flushable"),
            Process(name="sink", firings=1, latency=0),
        ],
        channels=[
            Channel(name="in", source="source", target="middle", to_offset=1),
            Channel(name="out", source="middle", target="sink", **channel),
        ],
    )


# Networks on which an engine and the reference have disagreed, cut down as far as they go.
ONCE_DIFFERENT = {
    "a deadlock that holds a flushable process leaves its earlier cycles their classes": Network(
        processes=[Process(name="a", firings=3, latency=0, style="flushable"), Process(name="b", firings=1, latency=0)],
        channels=[
            Channel(name="ab", source="a", target="b", depth=1),
            Channel(name="own", source="a", target="a", initial=1, to_offset=1),
        ],
    ),
    "the same with a latency per firing": fed((0, 1, 0, 2), depth=1),
    "a deadlock in a flushable process with a latency per firing can be explained": Network(
        processes=[
            Process(name="a", firings=8, latency=0),
            Process(name="b", firings=8, latency=(0, 0, 0, 0, 0, 0, 5, 0), style="flushable"),
            Process(name="c", firings=1, latency=0),
        ],
        channels=[
            Channel(name="ab", source="a", target="b"),
            Channel(
                name="bc",
                source="b",
                target="c",
                tokens=Listed((4, 5, 5, 6, 6, 7), tuple((0, token) for token in (0, 2, 3, 4, 5, 6, 7))),
                depth=6,
                initial=2,
                from_offset=7,
            ),
        ],
    ),
    "a start that waits for the order of its results does not wait for the resource": Network(
        processes=[Process(name="a", firings=2, latency=(1, 0), style="flushable", resource="unit")],
        resources={"unit": 1},
    ),
    "a unit that is taken for no cycle (ii = 0) is always free": Network(
        processes=[
            Process(name="a", firings=1, ii=2, latency=0, resource="unit"),
            Process(name="b", firings=2, ii=0, latency=0, read=1, resource="unit"),
        ],
        resources={"unit": 1},
    ),
    "a token written in the very cycle of the finish counts": Network(
        processes=[Process(name="a", firings=1, latency=0, write=0)],
        channels=[Channel(name="own", source="a", target="a", initial=1, to_offset=1)],
    ),
    "initial tokens count though they are taken and released in cycle 0": Network(
        processes=[Process(name="a", firings=1, latency=3)],
        channels=[
            Channel(name="own", source="a", target="a", tokens=Listed((), ((0, 0),)), initial=1, depth=1, release=0)
        ],
    ),
    "a held start without a slot blocks before a late input starves": Network(
        processes=[
            Process(name="a", firings=3, ii=3, latency=0, style="flushable"),
            Process(name="b", firings=3, latency=0, read=0, style="flushable"),
        ],
        channels=[
            Channel(name="late", source="a", target="b", to_offset=1),
            Channel(name="back", source="b", target="a", depth=2, initial=1),
        ],
    ),
    "only an elastic pipeline is limited to C firings in flight": Network(
        processes=[Process(name="a", firings=7, latency=(4, 0, 2, 2, 1, 1, 3), style="flushable")],
        channels=[Channel(name="own", source="a", target="a", initial=1, to_offset=2)],
    ),
    "a start blocks where only that firing's latency puts an output at its start": Network(
        processes=[
            Process(name="a", firings=2, latency=(0, 0), style="flushable"),
            Process(name="b", firings=1, latency=0),
        ],
        channels=[Channel(name="ab", source="a", target="b", depth=1)],
    ),
    "the same before a deadlock": Network(
        processes=[
            Process(name="a", firings=4, latency=(2, 0, 0, 1), style="flushable"),
            Process(name="b", firings=1, latency=0),
        ],
        channels=[Channel(name="ab", source="a", target="b", depth=1)],
    ),
    "an empty write needs no slot": Network(
        processes=[Process(name="a", firings=6), Process(name="b", firings=1)],
        channels=[Channel(name="c", source="a", target="b", tokens=Rates((1, 0, 0, 0, 0, 0), (1,)), depth=1)],
    ),
}


@engines
@pytest.mark.parametrize("claim", ONCE_DIFFERENT)
def test_networks_that_once_differed_agree(engine: str, claim: str) -> None:
    assert_all_agrees(suited(ONCE_DIFFERENT[claim].checked(), engine), engine)


# -- the answers that the timing rules give themselves ----------------------------------------------------------------

STYLE_COLUMNS: tuple[Style, ...] = ("frozen", "flushable", "elastic")
CHAIN = [
    (1, 1, (55, 51, 51)),
    (2, 1, (32, 32, 32)),
    (3, 1, (32, 32, 32)),
    (None, 1, (32, 32, 32)),
    (2, (1, 1, 3), (70, 70, 70)),
    (2, (1, 4, 1), (89, 89, 89)),
]
FORK_JOIN = [
    (1, (None, 122, 92)),
    (2, (None, 70, 70)),
    (3, (None, 55, 55)),
    (4, (None, 44, 44)),
    (6, (55, 40, 40)),
    (8, (37, 37, 37)),
    (9, (37, 37, 37)),
    (None, (37, 37, 37)),
]


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("depth", "ii", "expected"), CHAIN)
def test_a_chain_of_three_finishes_as_tabulated(
    who: str, depth: int | None, ii: int | tuple[int, ...], expected: tuple[int, ...]
) -> None:
    found = tuple(finish(chain(firings=20, ii=ii, depth=depth, style=style), who) for style in STYLE_COLUMNS)
    assert found == expected


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("depth", "expected"), FORK_JOIN)
def test_a_fork_and_join_finishes_or_deadlocks_as_tabulated(
    who: str, depth: int | None, expected: tuple[int | None, ...]
) -> None:
    found = tuple(finish(fork_join(firings=20, short_depth=depth, style=style), who) for style in STYLE_COLUMNS)
    assert found == expected


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("style", "expected"), [("flushable", (29, 30, 30, 30)), ("elastic", (29, 29, 29, 29))])
def test_a_deeper_fifo_can_delay_a_flushable_network(who: str, style: Style, expected: tuple[int, ...]) -> None:
    network = Network(
        processes=[
            Process(name=name, firings=8, latency=latency, style=style)
            for name, latency in zip("abc", (1, 3, 5), strict=True)
        ],
        channels=[
            Channel(name="ab", source="a", target="b"),
            Channel(name="bc", source="b", target="c", depth=1),
            Channel(name="ac", source="a", target="c", depth=3),
        ],
    ).checked()
    assert tuple(finish(network.with_depths({"ab": depth}), who) for depth in (1, 2, 3, None)) == expected


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("depth", "period"), [(1, 2), (2, 1)])
def test_depth_1_sustains_a_token_every_other_cycle_and_depth_2_one_per_cycle(
    who: str, style: Style, depth: int, period: int
) -> None:
    short, long = (finish(chain(firings=n, length=2, depth=depth, style=style), who) for n in (20, 30))
    assert short is not None
    assert long is not None
    assert long - short == 10 * period
