"""Scheduled processes (T3.5, T3.6, T6.4): the example to the cycle, their keys in files, fast-forward, bad input."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import check_fast_forward, run
from ppnsim.errors import InputError
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.formats.network import parse_scenario
from ppnsim.formats.network_json import dump_network, parse_network
from ppnsim.model.builders import buffers
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.schedule import StepSchedule
from ppnsim.model.step_lists import Nest, StepList
from ppnsim.model.summary import summary_of
from ppnsim.model.tokens import Rates
from tests.helpers.strategies import networks

ENGINES = ("des", "compiled")


def pair(depth: int | None, runs: int = 1) -> Network:
    return Network(
        processes=[
            Process.scheduled(name="p", steps=6, runs=runs, start_steps=StepList.of([0, 1, 5])),
            Process.scheduled(name="c", steps=4, runs=runs, start_steps=StepList.of([0])),
        ],
        channels=[
            Channel(
                name="x", source="p", target="c", depth=depth,
                write_steps=StepList.of([0, 1, 5]), read_steps=StepList.of([0, 0, 3]),
            )
        ],
    )  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_the_example_of_the_rule_is_right_to_the_cycle(engine: str) -> None:
    outcome = run(pair(2), engine=engine)
    assert outcome.finish == 7
    assert outcome.timeline.token_reads("x").tolist() == [2, 2, 6]
    stuck = run(pair(1), engine=engine, on_deadlock="return")
    assert stuck.deadlock is not None
    assert [(wait.process, wait.step, wait.kind) for wait in stuck.deadlock.cycle] == [
        ("p", 1, "slot"),
        ("c", 0, "token"),
    ]
    assert fix_deadlock(stuck).depths == {"x": 2}


def test_cycles_of_a_scheduled_process_have_the_classes_of_the_rule() -> None:
    told = summary_of(run(pair(2)))
    producer, consumer = told.processes["p"].cycles, told.processes["c"].cycles
    assert (producer.starting, producer.ii, producer.draining, producer.done) == (3, 3, 0, 1)
    assert (consumer.starting, consumer.draining, consumer.starved) == (1, 3, {"x": 3})
    assert told.processes["p"].utilisation == 3 / (5 / 2.5 + 1)
    assert told.parallelism.average == (6 + 4) / 7


def test_many_runs_are_cut_short_and_put_back_exactly() -> None:
    outcome = run(pair(2, runs=200_000), engine="compiled")
    assert outcome.left_out is not None
    assert outcome.finish == run(pair(2, runs=200_000), engine="compiled", fast_forward=False).finish
    check_fast_forward(outcome)
    assert sum(value for value in vars_of(outcome).values()) == outcome.finish


def vars_of(outcome: Any) -> dict[str, int]:
    cycles = summary_of(outcome).processes["c"].cycles
    return {
        "starting": cycles.starting, "ii": cycles.ii, "draining": cycles.draining, "done": cycles.done,
        "starved": sum(cycles.starved.values()), "blocked": sum(cycles.blocked.values()),
    }  # fmt: skip


def test_the_period_of_a_task_is_that_of_its_slowest_neighbour() -> None:
    trial = Evaluator(pair(2, runs=100_000))
    assert trial.firings_per_iteration == {"p": 3, "c": 1}
    assert trial.period({"x": None}) == 6
    assert trial.finish({"x": 1}) is None


@pytest.mark.parametrize(("copies", "finish"), [(2, 40), (1, 60)])
@pytest.mark.parametrize("engine", ENGINES)
def test_with_two_copies_of_an_array_the_writer_is_a_run_ahead(engine: str, copies: int, finish: int) -> None:
    a, b = (Process.scheduled(name=name, steps=10, runs=3) for name in "ab")
    assert run(Network(processes=[a, b], channels=buffers("x", a, b, copies=copies)), engine=engine).finish == finish


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_constant_interval_is_the_frozen_process(depth: int) -> None:
    firings, ii, latency = 9, 3, 4
    frozen = Process(name="a", firings=firings, ii=ii, latency=latency, style="frozen", read=0, write=1)
    plain = Network(
        processes=[frozen, Process(name="b", firings=firings, ii=4, latency=2)],
        channels=[Channel(name="x", source="a", target="b", depth=depth)],
    )
    steps = (firings - 1) * ii + latency + 1
    task = Process.scheduled(name="a", steps=steps, start_steps=StepList(((0, ii, firings),)))
    writes = StepList(((latency, ii, firings),))
    given_outright = Network(
        processes=[task, plain.process("b")],
        channels=[Channel(name="x", source="a", target="b", depth=depth, write_steps=writes)],
    )
    one, other = run(plain), run(given_outright)
    assert one.finish == other.finish
    assert one.timeline.token_writes("x").tolist() == other.timeline.token_writes("x").tolist()
    told, expected = (summary_of(each).processes["a"] for each in (other, one))
    assert (told.utilisation, told.cycles.starting) == (expected.utilisation, expected.cycles.starting)


# -- files ------------------------------------------------------------------------------------------------------------


@given(networks())
@settings(deadline=None, max_examples=50)
def test_what_is_written_is_read_back(network: Network) -> None:
    data = dump_network(network)
    again = parse_network(data)
    assert (again.processes, again.channels) == (network.processes, network.channels)


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 4), st.integers(0, 30))
@settings(deadline=None)
def test_a_list_in_few_words_stands_for_the_same_values(values: list[int], times: int, every: int) -> None:
    rows = [value + every * k for k in range(times) for value in values]
    assert StepList.of(rows).expand().tolist() == rows
    assert StepList((Nest(times, every, tuple(values)),)).expand().tolist() == rows
    assert StepList.of(rows).count == len(rows)


def test_a_scenario_gives_steps_in_all_three_forms() -> None:
    network = parse_scenario(
        {
            "process": {
                "a": {"steps": 40, "runs": 2, "start_steps": [[0, 4, 3]]},
                "b": {"firings": 12},
            },
            "channel": {
                "x": {
                    "from": "a", "to": "b", "depth": 4,
                    "write_steps": {"times": 2, "every": 20, "of": [3, [5, 2, 2]]},
                }
            },
        }
    )  # fmt: skip
    listed = network.channel("x").write_steps
    assert listed is not None
    assert listed.expand().tolist() == [3, 5, 7, 23, 25, 27]
    assert (network.process("a").firings, network.process("a").style) == (6, "frozen")
    assert run(network).finish == run(network, engine="compiled").finish


A = {"name": "a", "steps": 6}
B = {"name": "b", "steps": 4}
X = {"name": "x", "from": "a", "to": "b", "write_steps": [0, 1], "read_steps": [0, 3]}
WRONG = {
    "firings beside steps": ({**A, "firings": 3}, B, X, "process 'a': firings beside steps: a scheduled process gives"),
    "ii beside steps": ({**A, "ii": 3}, B, X, "process 'a': ii beside steps"),
    "style": ({**A, "style": "elastic"}, B, X, "process 'a': style = 'elastic' beside steps: a scheduled process is"),
    "runs alone": ({"name": "a", "firings": 2, "runs": 3}, B, X, "process 'a': runs without steps"),
    "no step": ({**A, "steps": 0}, B, X, "process 'a': steps = 0 must be a whole number of at least 1"),
    "start outside": ({**A, "start_steps": [0, 6]}, B, X, "start_steps[1] = 6 is outside the steps 0..5 of a run"),
    "no start": ({**A, "start_steps": []}, B, X, "start_steps is empty"),
    "outside": (A, B, {**X, "write_steps": [0, 6]}, "channel 'x': write_steps[1] = 6 is outside the steps 0..5"),
    "back": (A, B, {**X, "read_steps": [3, 0]}, "channel 'x': read_steps[1] = 0 after step 3: steps are listed in"),
    "missing": (A, B, {**X, "read_steps": None}, "channel 'x': read_steps is missing: process 'b' is scheduled"),
    "both missing": (A, B, {"name": "x", "from": "a", "to": "b"}, "write_steps is missing: process 'a' is scheduled"),
    "one end": (A, {"name": "b", "firings": 2}, {"name": "x", "from": "a", "to": "b"}, "write_steps is missing"),
    "an offset too": (A, B, {**X, "from_offset": 2}, "channel 'x': from_offset beside write_steps"),
    "an offset of reads": (A, B, {**X, "to_offset": 2}, "channel 'x': to_offset beside read_steps"),
    "not scheduled": (
        {"name": "a", "firings": 2},
        B,
        X,
        "channel 'x': write_steps is for scheduled processes, and 'a' is not one",
    ),
    "said twice": (A, B, {**X, "produce": 2}, "channel 'x': write_steps and produce both say which access is when"),
    "tokens alone": (A, B, {**X, "read_steps": None, "read_tokens": [0]}, "read_tokens without read_steps"),
    "too few tokens": (A, B, {**X, "read_tokens": [0]}, "channel 'x': read_tokens names 1 tokens for 2 reads"),
    "no such token": (A, B, {**X, "read_tokens": [0, 2]}, "token 2 is read by firing 1 but never written"),
    "not balanced": (A, B, {**X, "read_steps": [0, 1, 2]}, "channel 'x': rates do not balance"),
    "a text": (A, B, {**X, "read_steps": "0"}, "channel 'x': read_steps = '0' must be a list of steps"),
    "a bad run": (A, B, {**X, "read_steps": [[0, 1]]}, "read_steps[0] = [0, 1] must be [first, step, count]"),
    "a bad nest": (A, B, {**X, "read_steps": {"times": 2}}, "read_steps = {'times': 2} must be {times, every, of}"),
}


@pytest.mark.parametrize(("a", "b", "x", "message"), WRONG.values(), ids=WRONG)
def test_bad_steps_are_refused_by_name(a: Any, b: Any, x: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_network({"processes": [a, b], "channels": [x]})
    assert message in str(raised.value)


def test_a_schedule_is_no_ornament_of_another_process() -> None:
    process = Process(name="a", firings=1, ii=2, style="frozen", schedule=StepSchedule(4))
    with pytest.raises(InputError, match="process 'a': ii = 2: a scheduled process gives its steps in place of it"):
        Network(processes=[process]).checked()
    channel = Channel(
        name="x", source="a", target="a", tokens=Rates(2, 1), write_steps=StepList((1,)), read_steps=StepList((2,))
    )
    with pytest.raises(InputError, match="channel 'x': write_steps beside rates or a list of writes"):
        Network(processes=[Process.scheduled(name="a", steps=4)], channels=[channel]).checked()


def test_tokens_are_named_for_reads_at_steps_only() -> None:
    processes = [Process(name=name, firings=2) for name in "ab"]
    channel = Channel(name="x", source="a", target="b", read_tokens=StepList((0, 0)))
    with pytest.raises(InputError, match="channel 'x': read_tokens without read_steps"):
        Network(processes=processes, channels=[channel]).checked()


def test_a_task_cannot_read_what_it_writes_later() -> None:
    task = Process.scheduled(name="a", steps=4)
    own = Channel(name="x", source="a", target="a", write_steps=StepList((2,)), read_steps=StepList((2,)))
    words = "channel 'x': token 0 is read by 'a' at step 2, and written by it at step 2, not before"
    with pytest.raises(InputError, match=f"^{words}$"):
        Network(processes=[task], channels=[own]).checked()
