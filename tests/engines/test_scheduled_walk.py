"""Networks of scheduled processes alone, walked from access to access: against SimPy and the general kernels."""

from __future__ import annotations

import pickle
import time
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.engines.compiled import engine as general
from ppnsim.engines.compiled import scheduled, scheduled_sweeps
from ppnsim.engines.compiled.scheduled import run_scheduled
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.kernel_cache import interpreter
from ppnsim.model.access_waits import stalls
from ppnsim.model.between import AccessCycles
from ppnsim.model.cycles import waiting_cycles
from ppnsim.model.metrics import max_occupancy
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.schedule import StepSchedule, Stops
from ppnsim.model.sequence import LateSequence, Sequence
from ppnsim.model.step_lists import Entry, Nest, StepList
from tests.helpers.by_seed import by_seed


@by_seed
def tasks(draw: st.DrawFn) -> Network:
    """Draw two to four scheduled processes, with FIFOs between any two of them, both ways round."""
    processes, lengths = [], {}
    for number in range(draw(st.integers(2, 4))):
        steps, runs = draw(st.integers(1, 12)), draw(st.integers(1, 3))
        lengths[f"p{number}"] = steps, runs
        starts = draw(st.lists(st.integers(0, steps - 1), min_size=1, max_size=steps))
        processes.append(
            Process.scheduled(name=f"p{number}", steps=steps, runs=runs, start_steps=StepList.of(sorted(starts)))
        )
    channels = []
    for number in range(draw(st.integers(1, 5))):
        (source, out), (target, into) = draw(st.permutations(list(lengths.items())))[:2]
        writes, reads = (sorted(draw(st.lists(st.integers(0, n - 1), max_size=6))) for n, _ in (out, into))
        initial = draw(st.integers(0, 3))
        fewer = max(0, len(reads) * into[1] - len(writes) * out[1])
        depth = draw(st.none() | st.integers(max(1, initial + fewer), initial + fewer + 6))
        channels.append(
            Channel(
                name=f"c{number}", source=source, target=target, initial=initial + fewer, depth=depth,
                write_steps=StepList.of(writes), read_steps=StepList.of(reads),
                forward=draw(st.none() | st.integers(0, 3)), release=draw(st.none() | st.integers(0, 3)),
            )
        )  # fmt: skip
    return Network(name="tasks", processes=processes, channels=channels)


@given(tasks())
@settings(max_examples=300)
def test_tasks_have_the_cycles_of_both_engines(network: Network) -> None:
    try:
        network.checked()
    except InputError:
        return  # such as a FIFO of no latency between two that wait for each other in the same cycle
    here, whole = run_scheduled(network), general.run(Program.of(network))
    assert (here is None) == whole.deadlocked
    if here is None:
        return
    slow = run(network, engine="des")
    assert here.finish == whole.finish == slow.finish
    for channel in network.channels:
        expected = slow.timeline.token_writes(channel.name)
        assert here.timeline.token_writes(channel.name).tolist() == expected.tolist()
        assert np.array_equal(here.timeline.releases(channel.name), slow.timeline.releases(channel.name))
        assert max_occupancy(here.timeline, channel.name) == max_occupancy(slow.timeline, channel.name)
    assert here.timeline.passed.keys() == slow.timeline.passed.keys()
    accesses = here.timeline.passed
    assert isinstance(accesses, AccessCycles)
    for name, rows in slow.timeline.passed.items():
        assert np.array_equal(here.timeline.passed[name], rows)
        assert here.timeline.last_end(name) == slow.timeline.last_end(name)
        counts = [waiting_cycles(each.timeline, name).counts() for each in (here, slow)]
        stalled = stalls(here.timeline, accesses)[name]
        assert counts[0] == counts[1]
        assert (stalled.blocked, stalled.starved) == (counts[1]["blocked"], counts[1]["starved"])
        schedule = network.stops[name].schedule
        every = np.arange(schedule.steps * schedule.runs)
        assert np.array_equal(here.timeline.step_cycles(name, every), slow.timeline.step_cycles(name, every))
    assert here.timeline == slow.timeline
    assert len(here.timeline.passed) == len(network.processes)


@given(tasks())
@settings(max_examples=200)
def test_sweeps_find_what_the_walk_finds(network: Network) -> None:
    """Sweeps that do not settle, as those of tasks that deadlock, leave everything to the walk."""
    found = []
    for most in (0, 6):
        with patch.object(interpreter, "left", 1e9), patch.object(scheduled_sweeps, "SWEEPS", most):
            found.append(run_scheduled(network))
    walked, swept = found
    assert (walked is None) == (swept is None)
    if walked is not None and swept is not None:
        assert walked.finish == swept.finish
        assert walked.timeline == swept.timeline


def test_tasks_that_seldom_wait_for_room_need_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [Process.scheduled(name=name, steps=9_000) for name in "abc"]
    every = StepList(((0, 3, 3_000),))
    fifos = [Channel(name=f"{a}{b}", source=a, target=b, depth=depth, write_steps=every, read_steps=every)
             for a, b, depth in (("a", "b", 3_000), ("a", "c", 2), ("b", "c", 2))]  # fmt: skip
    monkeypatch.setattr(interpreter, "left", 1.0)
    monkeypatch.setattr(scheduled, "_evaluated", None)
    outcome = run_scheduled(Network(processes=tasks, channels=fifos))
    assert outcome is not None
    assert outcome.finish == 9_002


@given(tasks())
def test_stops_are_counted_as_they_are_listed(network: Network) -> None:
    for name, stops in network.stops.items():
        assert stops.passings == len(stops.at) * stops.schedule.runs == len(network.stops[name].places)
        assert [stops.before(n) for n in range(20)] == np.searchsorted(stops.at, range(20)).tolist()


def test_machine_code_walks_as_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = StepList((Nest(10, 100, ((0, 1, 50),)),))
    ends = [Process.scheduled(name=name, steps=1000, runs=4, start_steps=starts) for name in ("a", "b")]
    fifo = Channel(name="c", source="a", target="b", depth=2, write_steps=StepList(((0, 3, 300),)),
                   read_steps=StepList(((99, 2, 300),)))  # fmt: skip
    network, seen = Network(processes=ends, channels=[fifo]), list[tuple[int, int]]()
    by_python = run_scheduled(network)
    monkeypatch.setattr(interpreter, "left", 0.0)
    monkeypatch.setattr(scheduled, "_BETWEEN_REPORTS", 500)
    compiled = run_scheduled(network, lambda done, of: seen.append((done, of)))
    assert compiled is not None
    assert by_python is not None
    assert compiled.timeline == by_python.timeline
    assert compiled.finish == run(network, engine="des").finish
    assert seen
    assert all(0 < done < of for done, of in seen)


@pytest.mark.parametrize(("entry", "seconds"), [(Nest(2000, 8000, ((0, 4, 2000),)), 1), ((0, 4, 4_000_000), 0.3)])
def test_many_starts_and_few_accesses_take_no_time(entry: Entry, seconds: float) -> None:
    starts = StepList((entry,))
    ends = [Process.scheduled(name=name, steps=16_000_000, start_steps=starts) for name in ("a", "b")]
    few = StepList(((5, 160_000, 100),))
    network = Network(
        processes=ends,
        channels=[Channel(name="c", source="a", target="b", depth=2, write_steps=few, read_steps=few)],
    )
    run(network.with_depths({"c": 3}), engine="compiled")  # what is loaded and compiled once
    begin = time.process_time()
    outcome = run(network, engine="compiled")
    assert outcome.finish == 16_000_001  # the reader is one cycle behind all along
    assert waiting_cycles(outcome.recorded, "b").counts()["starved"] == {"c": 1}
    assert max_occupancy(outcome.recorded, "c") == 1
    assert time.process_time() - begin < seconds  # 8 million passings took 4 s and 1.5 GB


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40, unique=True), st.lists(st.integers(0, 40), max_size=3))
def test_stops_of_many_starts_are_those_of_a_set(starts: list[int], accesses: list[int]) -> None:
    schedule = StepSchedule(41, 1, StepList.of(sorted(starts)))
    wanted = sorted({0, 40, *starts, *accesses})
    assert Stops.of(schedule, [StepList.of(sorted(accesses))]).at.tolist() == wanted


def entries() -> st.SearchStrategy[Entry]:
    return st.recursive(
        st.integers(0, 20) | st.tuples(st.integers(0, 20), st.integers(0, 5), st.integers(0, 4)),
        lambda inner: st.builds(Nest, st.integers(0, 3), st.integers(0, 30), st.lists(inner, max_size=3).map(tuple)),
        max_leaves=5,
    )


@given(st.lists(entries(), max_size=4).map(tuple))
def test_a_list_that_is_said_to_ascend_does(given_entries: tuple[Entry, ...]) -> None:
    listed = StepList(given_entries)
    values = listed.expand().tolist()
    if (ends := listed.ascending_ends()) is not None:
        assert values == sorted(values)
        assert ends == (values[0], values[-1])


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.integers(0, 20), st.integers(-3, 3))
def test_a_table_made_late_is_the_table(counts: list[int], firings: int, by: int) -> None:
    table = np.cumsum(counts)
    early = Sequence(table, int(table[-1])).raised(by)
    late = LateSequence(len(table), int(table[-1]), lambda: table).raised(by)
    again = pickle.loads(pickle.dumps(late))
    for each in (late, again):
        assert each.last(firings) == early.last(firings)
        assert each.first(firings).tolist() == early.first(firings).tolist()
        assert each.is_one_each == early.is_one_each
        assert each.each(firings).tolist() == early.each(firings).tolist()
