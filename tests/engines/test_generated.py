"""Generated code against the general kernel: the same cycle for every passing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from ppnsim.engines.compiled import generated as module
from ppnsim.engines.compiled import long_run, round_walk, tape_timeline
from ppnsim.engines.compiled.generated import Generated, repeats_of
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.long_run import finish
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.round_table import DOES, FIRES, rows_of
from ppnsim.engines.compiled.round_walk import round_walker
from ppnsim.engines.compiled.tape import BASE, DONE, FIRST, FLUSHABLE, HELD, KIND, LAST, NOW, PAIR, Tape, tape_of
from ppnsim.engines.compiled.tape_timeline import timeline_of
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.machine_code.marks import unsigned
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.run import Run
from ppnsim.model.tokens import Listed, Rates
from tests.helpers.by_seed import by_seed

NO_LIMIT = 1 << 60
# No database, as in test_against_reference; compiling a kernel takes a second, so examples are interpreted.
some = settings(deadline=None, database=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])


@by_seed
def repeating(
    draw: st.DrawFn, *, styles: Sequence[Style] = ("elastic", "frozen", "flushable"), rates: bool = True
) -> Network:
    """Draw a network of plain channels (or rates) with offsets, initial tokens, latencies of 0 and circles."""
    names = [f"p{i}" for i in range(draw(st.integers(1, 5)))]
    often = {name: draw(st.integers(1, 3)) if rates else 1 for name in names}
    iterations = draw(st.integers(8, 40))
    # Firings that are left over need to be fewer in those who read.
    rests = sorted(draw(st.lists(st.integers(0, 3), min_size=5, max_size=5)) if draw(st.booleans()) else 5 * [0])
    processes = []
    for name in names:
        style = draw(st.sampled_from(list(styles)))
        processes.append(
            Process(
                name=name,
                firings=often[name] * iterations + rests.pop(),
                ii=draw(st.sampled_from([1, 1, 2, 3] + ([0] if style == "elastic" else []))),
                latency=draw(st.integers(0, 6)),
                read=draw(st.none() | st.integers(0, 2)),
                write=draw(st.none() | st.integers(0, 2)),
                style=style,
            )
        )
    ends = [(draw(st.integers(0, i - 1)), i) for i in range(1, len(names))]
    several = st.tuples(st.integers(0, len(names) - 1), st.integers(0, len(names) - 1))
    ends += draw(st.lists(several, max_size=3))
    channels = []
    for number, (source, target) in enumerate(ends):
        produce, consume = often[names[target]], often[names[source]]
        initial = draw(st.sampled_from([1, 2, 3, 6, 12] if source >= target else [0, 0, 0, 1, 2]))
        depth = draw(st.none() | st.integers(0, 12))
        few = st.sampled_from([None, None, 0, 1, 2])
        channels.append(
            Channel(
                name=f"c{number}",
                source=names[source],
                target=names[target],
                tokens=Rates(produce, consume),
                initial=initial,
                depth=None if depth is None else max(initial, 1) + depth,
                forward=draw(few),
                release=draw(few),
                from_offset=draw(st.none() | st.integers(0, 9)) if draw(st.booleans()) else None,
                to_offset=draw(st.none() | st.integers(0, 4)) if draw(st.booleans()) else None,
            )
        )
    network = Network(processes=processes, channels=channels)
    try:
        return network.checked()
    except InputError:  # an output before the start, or too much read
        assume(False)
        raise


def generated_for(network: Network) -> Generated | None:
    recurrences = Recurrences.of(Program.of(network))
    return Generated.of(tape_of(recurrences), repeats_of(recurrences))


def interpreted(source: str, function: str) -> Callable[..., None]:
    """Return a function of a generated text as plain Python on Python's integers."""
    names: dict[str, Any] = {"unsigned": unsigned}
    exec(source, names)

    def call(x: Any, beats: Any, at: Any, weights: Any, moves: Any, begin: Any, span: Any, blocks: int) -> None:
        names[function](x, beats, at.view(np.int64).tolist(), weights.tolist(), moves, int(begin), int(span), blocks)

    return call


def simulated(network: Network) -> Run:
    return run(network, engine="compiled", on_deadlock="return", fast_forward=False)


def everything(tape: Tape) -> list[list[int]]:
    """Return the cycles of all passings, and the beats of those after the starts of flushable processes."""
    found = [tape.cycles[row[BASE] : row[BASE] + row[DONE]].tolist() for row in tape.nodes]
    later = [
        row for actor in tape.actors if actor[KIND] == FLUSHABLE for row in tape.nodes[actor[FIRST] + 1 : actor[LAST]]
    ]
    return found + [tape.beats[row[BASE] : row[BASE] + row[DONE]].tolist() for row in later]


def by_general_kernel(network: Network) -> list[list[int]]:
    tape = tape_of(Recurrences.of(Program.of(network)))
    evaluate(tape, NO_LIMIT)
    return everything(tape)


@some
@given(network=repeating(styles=["flushable"]))
def test_holds_are_found_piece_by_piece(network: Network) -> None:
    with patch.object(tape_timeline, "_PIECE", 3):
        found = simulated(network)
    simpy = run(network, engine="des", on_deadlock="return")
    assert all(np.array_equal(found.timeline.holds[name], rows) for name, rows in simpy.timeline.holds.items())


@settings(some, max_examples=50)
@given(network=repeating(styles=["flushable"], rates=False))
def test_two_steps_evaluated_together_come_to_what_single_accesses_do(network: Network) -> None:
    """Deadlocks included: what has passed, when, and since when a process is held."""
    found = []
    for together in (True, False):
        tape = tape_of(Recurrences.of(Program.of(network)))
        tape.nodes[:, PAIR] &= together
        evaluate(tape, NO_LIMIT)
        held = [int(actor[NOW]) if actor[HELD] else None for actor in tape.actors]
        found.append((everything(tape), tape.nodes[:, DONE].tolist(), held))
    event("together" if tape_of(Recurrences.of(Program.of(network))).nodes[:, PAIR].any() else "no such process")
    assert found[0] == found[1]


@some
@given(network=repeating())
def test_every_passing_is_that_of_the_general_kernel(network: Network) -> None:
    generated = generated_for(network)
    event("generated" if generated else "left to the general kernel")
    if generated is None:
        return
    tape, begin, end = generated.tape, generated.rounds.begin, generated.rounds.end
    generated.start()
    # What is due in a flushable process is not kept back.
    passed = [generated.rounds.passed(node, begin) for node in range(len(tape.nodes))]
    holding = any(process.style == "flushable" for process in network.processes)
    assert (tape.nodes[:, DONE] >= passed).all() if holding else tape.nodes[:, DONE].tolist() == passed
    with patch.object(module, "machine_code_of", interpreted):
        generated.walk(begin, end)
    evaluate(tape, NO_LIMIT)
    assert everything(tape) == by_general_kernel(network)


def by_table(generated: Generated) -> Generated:
    with patch.object(round_walk, "machine_code", lambda kernel: kernel):
        return replace(generated, by_table=round_walker(generated.rounds, generated.tape))


@some
@given(network=repeating())
def test_tables_walk_rounds_as_generated_code_does(network: Network) -> None:
    generated = generated_for(network)
    event("by table" if generated else "left to the general kernel")
    if generated is None:
        return
    generated = by_table(generated)
    generated.start()
    generated.walk(generated.rounds.begin, generated.rounds.end)
    evaluate(generated.tape, NO_LIMIT)
    assert everything(generated.tape) == by_general_kernel(network)


@pytest.mark.parametrize("network", [chain(firings=50, length=8, depth=2), fork_join(firings=50)])
def test_a_start_and_the_access_after_it_are_one_row_of_a_table(network: Network) -> None:
    """What a walk by table takes for a firing is the time of its rows; no other unit comes between the two."""
    generated = generated_for(network.with_style("flushable"))
    assert generated is not None
    rows = rows_of(generated.rounds, generated.tape)
    assert rows[:, DOES].tolist() == [FIRES] * len(network.processes)


@some
@given(network=repeating(styles=["flushable"], rates=False), middle=st.floats(0, 1), tables=st.booleans())
def test_a_flushable_pipeline_is_left_as_the_general_kernel_leaves_it(
    network: Network, middle: float, tables: bool
) -> None:
    """Wherever the rounds end, the general kernel goes on from there, and holds are those of SimPy."""
    generated = generated_for(network)
    event("generated" if generated else "left to the general kernel")
    if generated is None:
        return
    generated = by_table(generated) if tables else generated
    begin = generated.rounds.begin
    generated.start()
    with patch.object(module, "machine_code_of", interpreted):
        for end in (begin + int(middle * (generated.rounds.end - begin)), generated.rounds.end):
            generated.walk(begin, end)
            begin = end
    evaluate(generated.tape, NO_LIMIT)
    assert everything(generated.tape) == by_general_kernel(network)
    expected = run(network, engine="des", on_deadlock="return").timeline
    program = Program.of(network)
    found = timeline_of(network, Recurrences.of(program), generated.tape)
    assert all(np.array_equal(found.passed[name], rows) for name, rows in expected.passed.items())
    assert all(np.array_equal(found.holds[name], rows) for name, rows in expected.holds.items())


MULTIRATE = Network(
    processes=[
        Process(name="a", firings=3 * 20_000, ii=1, latency=2),
        Process(name="b", firings=2 * 20_000, ii=2, latency=5, style="frozen"),
        Process(name="c", firings=20_000, ii=3, latency=0),
    ],
    channels=[
        Channel(name="ab", source="a", target="b", tokens=Rates(2, 3), depth=7),
        Channel(name="bc", source="b", target="c", tokens=Rates((1, 2), 3), depth=9, to_offset=2),
        Channel(name="ca", source="c", target="a", tokens=Rates(3, 1), initial=11),
    ],
).checked()
SEVERAL = [
    chain(firings=50_000, length=4, depth=1),
    chain(firings=50_000, length=4, depth=3, ii=(1, 2, 1, 4)),
    chain(firings=50_000, length=4, depth=5, style="frozen"),
    fork_join(firings=50_000, short_depth=3),
    fork_join(firings=50_000, short_depth=3).with_style("flushable"),
    MULTIRATE,
]


@pytest.mark.parametrize("network", SEVERAL)
def test_the_engine_runs_generated_code_and_gets_the_same(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = simulated(network).timeline.passed
    walked: list[int] = []
    walk = Generated.walk
    monkeypatch.setattr("ppnsim.engines.compiled.generated._PAYS", 0)
    monkeypatch.setattr("ppnsim.engines.compiled.generated._PAYS_BY_TABLE", 0)

    def noted(self: Generated, begin: int, end: int, report: Callable[[], None]) -> None:
        walked.append(end - begin)
        walk(self, begin, end, report)

    monkeypatch.setattr(Generated, "walk", noted)
    passed = simulated(network).timeline.passed
    assert walked[0] > 19_000
    assert all(np.array_equal(passed[name], expected[name]) for name in expected)


@pytest.mark.parametrize("style", ["elastic", "flushable"])
def test_the_engine_walks_networks_by_table(monkeypatch: pytest.MonkeyPatch, style: Style) -> None:
    network = chain(firings=5000, length=4, depth=2, ii=(1, 2, 1, 4), style=style)
    expected = simulated(network)
    monkeypatch.setattr("ppnsim.engines.compiled.generated._PAYS_BY_TABLE", 0)
    monkeypatch.setattr(round_walk, "machine_code", lambda kernel: kernel)
    walked: list[bool] = []
    walk = Generated.walk

    def noted(self: Generated, begin: int, end: int, report: Callable[[], None]) -> None:
        walked.append(self.by_table is not None)
        walk(self, begin, end, report)

    monkeypatch.setattr(Generated, "walk", noted)
    assert simulated(network) == expected
    assert walked == [True]


@pytest.mark.parametrize("network", SEVERAL)
def test_the_finish_alone_is_that_of_the_timeline(network: Network) -> None:
    assert finish(network) == simulated(network).finish


@pytest.mark.parametrize("depth", [1, 2, 700, 5000, 50_000])
@pytest.mark.parametrize("style", ["elastic", "frozen", "flushable"])
def test_deep_channels_are_looked_back_over(depth: int, style: Style) -> None:
    network = chain(firings=30_000, ii=(1, 1, 2), depth=depth, style=style)
    assert finish(network) == simulated(network).finish


@st.composite
def held_chains(draw: st.DrawFn) -> Network:
    """Draw a flushable chain with full FIFOs: each process has one step after its start."""
    paces = st.tuples(*3 * [st.sampled_from([1, 2, 3])])
    depth, latency = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    return chain(firings=30, length=3, depth=depth, ii=draw(paces), latency=latency, style="flushable")


@settings(some, max_examples=25)
@given(
    network=repeating() | held_chains(),
    more=st.integers(1, 300),
    pays=st.sampled_from([0, NO_LIMIT]),
)
def test_iterations_walked_in_place_change_nothing(network: Network, more: int, pays: int) -> None:
    """By generated code and by table; in that code accesses of flushable processes are due in cycles, which move."""
    repetition = Repetition.of(network)
    assert repetition is not None
    longer = repetition.shortened(-64 - more).checked()
    with (
        patch.object(module, "machine_code_of", interpreted), patch.object(module, "_PAYS", pays),
        patch.object(module, "WINDOW", 6), patch.object(long_run, "WINDOW", 6),
    ):  # fmt: skip
        try:
            found = finish(longer)
        except UnsupportedByEngine:
            assert generated_for(longer) is None
            return
    assert found == simulated(longer).finish


def test_steps_in_no_order_that_every_round_can_have_are_refused_by_name() -> None:
    """The writer of c1 does so before it reads what the circle brings: a network that runs, with no round in order."""
    processes = [
        Process(name="p0", firings=20_000, latency=0), Process(name="p1", firings=30_000, latency=3, read=2),
        Process(name="p2", firings=20_000, latency=0, style="frozen"),
        Process(name="p3", firings=20_000, latency=0, style="frozen"), Process(name="p4", firings=10_000, latency=0),
    ]  # fmt: skip
    channels = [
        Channel(name="c0", source="p0", target="p1", tokens=Rates((3,), (2,)), to_offset=1),
        Channel(name="c1", source="p1", target="p2", tokens=Rates((2,), (3,)), from_offset=0),
        Channel(name="c2", source="p2", target="p3", tokens=Rates((2,), (2,))),
        Channel(name="c3", source="p0", target="p4", tokens=Rates((1,), (2,))),
        Channel(name="c4", source="p3", target="p0", tokens=Rates((2,), (2,)), initial=1),
    ]
    network = Network(processes=processes, channels=channels)
    assert generated_for(network) is None
    with pytest.raises(UnsupportedByEngine, match="steps in no order that every round can have"):
        finish(network)
    assert simulated(network).finish is not None


def test_depths_and_latencies_do_not_ask_for_new_code() -> None:
    """Latencies and intervals of more than one cycle, that is: 0 and 1 stand in the text."""
    texts = set()
    for depth, ii, latency in [(1, 2, 3), (2, 2, 4), (500, 3, 9)]:
        generated = generated_for(chain(firings=1000, ii=ii, latency=latency, depth=depth))
        assert generated is not None
        texts.add(generated.source)
    assert len(texts) == 1


@pytest.mark.parametrize(("style", "most"), [("elastic", 150), ("flushable", 37)])
def test_code_is_generated_for_rounds_that_compile_in_two_seconds(style: Style, most: int) -> None:
    """Processes of two passings each; 200 flushable ones took 100 s, and a table is walked in one."""
    for length, by_code in ((most, True), (most + 1, False)):
        generated = generated_for(chain(firings=1000, length=length, style=style))
        assert generated is not None
        with patch.object(round_walk, "machine_code", lambda kernel: kernel):
            assert (generated.suited(NO_LIMIT).by_table is None) == by_code


def test_a_circle_of_waits_is_a_deadlock() -> None:
    circle = Network(
        processes=[Process(name="a", firings=10_000), Process(name="b", firings=10_000)],
        channels=[Channel(name="ab", source="a", target="b"), Channel(name="ba", source="b", target="a")],
    )
    assert generated_for(circle) is None
    assert finish(circle) is None


def test_what_does_not_repeat_is_refused_by_name() -> None:
    listed = chain(firings=3, depth=2).replace(
        channels=[Channel(name="c", source="p0", target="p1", tokens=Listed((0, 1, 2), ((0, 1), (1, 0), (2, 2))))]
    )
    with pytest.raises(UnsupportedByEngine, match="does not repeat"):
        finish(listed)
    late = chain(firings=10_000, depth=2, style="flushable")
    late = late.replace(channels=[replace(channel, to_offset=1) for channel in late.channels])
    with pytest.raises(UnsupportedByEngine, match="a flushable process with several steps after its start"):
        finish(late)
