"""What a network is made of, number by number: rules with their bounds and words, counts of tokens, step lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError, PpnsimError
from ppnsim.model.builders import buffers, chain, fork_join, sdf
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.recorder import Recorder
from ppnsim.model.run import DeadlockError
from ppnsim.model.schedule import StepSchedule, Stops
from ppnsim.model.sequence import Sequence
from ppnsim.model.step_lists import Nest, StepList
from ppnsim.model.token_counts import token_counts
from ppnsim.model.tokens import Listed, Rates, Runs

A, B = Process(name="a", firings=4), Process(name="b", firings=4)
VARIES = replace(A, latency=(1, 2, 1, 1))
C = Channel(name="c", source="a", target="b")


def net(*processes: Process, channels: tuple[Channel, ...] = (), **more: Any) -> Network:
    return Network(processes=processes or (A, B), channels=channels, **more)


def process(**changes: Any) -> Callable[[], object]:
    return lambda: net(replace(A, **changes)).checked()


def channel(**changes: Any) -> Callable[[], object]:
    return lambda: net(channels=(replace(C, **changes),)).checked()


def drawn(name: str, *parameters: float, seed: int = 0) -> Callable[[], object]:
    return lambda: net(replace(A, latency=Distribution(name, parameters, seed))).checked()


def scheduled(**changes: Any) -> Callable[[], object]:
    return lambda: net(replace(Process.scheduled(name="a", steps=4, runs=2), **changes)).checked()


def schedule(**given: Any) -> Callable[[], object]:
    return lambda: StepSchedule(**({"steps": 4} | given)).check()


def steps(*entries: Any) -> Callable[[], object]:
    return lambda: StepList(entries).check("steps")


def counts(tokens: Any, *, initial: int = 0, producer: int = 4, consumer: int = 4) -> Any:
    return token_counts(tokens, initial=initial, producer_firings=producer, consumer_firings=consumer, where="c")


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Network(processes=[]).checked(), "the network has no process, so there is nothing to run"),
    (lambda: net(clock_ns=2e12).checked(), "clock_ns = 2000000000000.0 must be a period of 1e-06 to 1e+12 ns"),
    (lambda: net(clock_ns=1e-7).checked(), "clock_ns = 1e-07 must be a period of 1e-06 to 1e+12 ns"),
    (lambda: net(clock_ns=5.0, clock="5 ns"), "clock and clock_ns both say the period (give one)"),
    (lambda: net(A, A).checked(), "process 'a' is declared twice (names are unique)"),
    (lambda: net(channels=(replace(C, name=""),)).checked(), "a channel has an empty name"),
    (process(firings=0), "process 'a': firings = 0 must be at least 1"),
    (process(read=-1), "process 'a': read = -1 is negative (latencies start at 0 cycles)"),
    (process(write=1.5), "process 'a': write = 1.5 is not a whole number"),
    (process(style="stiff"), "process 'a': style = 'stiff' is none of elastic, flushable, frozen (known: elastic, "),
    (process(ii=-1), "process 'a': ii = -1 is negative (initiation intervals start at 1 cycle)"),
    (process(ii=0, style="flushable"), "process 'a': ii = 0 in a flushable process: only an elastic one may start any"),
    (process(latency=True),
     "process 'a': latency = True is not a whole number, one for each firing, nor a Distribution"),
    (process(latency="3"),
     "process 'a': latency = '3' is not a whole number, one for each firing, nor a Distribution: write 3"),
    (process(latency=-1), "process 'a': latency = -1 is negative (latencies start at 0 cycles)"),
    (process(latency=(1,) * 4, style="frozen"), "process 'a': a latency per firing in a frozen process: its pipeline"),
    (process(latency=(1, 2)), "process 'a': latency lists 2 values for 4 firings (one each)"),
    (process(latency=(1, 2, -3, -4)), "process 'a': latency[2] = -3 is negative (latencies start at 0)"),
    (process(latency=(0, 0, -1, -4)), "process 'a': latency[2] = -1 is negative (latencies start at 0)"),
    (process(latency=(1, 0, 2.0, True)), "process 'a': latency[2] = 2.0 is not a whole number"),
    (process(latency=(1, 0, True, "3")), "process 'a': latency[2] = True is not a whole number"),
    (process(firings=2, latency=(1,)), "process 'a': latency lists 1 values for 2 firings (one each)"),
    (process(write=-1), "process 'a': write = -1 is negative (latencies start at 0 cycles)"),
    (process(ii=0, style="frozen"), "process 'a': ii = 0 in a frozen process: only an elastic one may start any"),
    (process(firings=True), "process 'a': firings = True is not a whole number"),
    (scheduled(latency=2), "process 'a': latency = 2: a scheduled process gives its steps in place of it and is froze"),
    (scheduled(read=0), "process 'a': read = 0: a scheduled process gives its steps in place of it and is frozen"),
    (scheduled(write=0), "process 'a': write = 0: a scheduled process gives its steps in place of it and is frozen"),
    (scheduled(resource="r"), "process 'a': resource = 'r': a scheduled process gives its steps in place of it and is"),
    (lambda: net(A, replace(A, name="")).checked(), "a process has an empty name"),
    (lambda: net(A, B, channels=(C, C)).checked(), "channel 'c' is declared twice (names are unique)"),
    (channel(release=-1), "channel 'c': release = -1 is negative (it starts at 0)"),
    (channel(initial=-1), "channel 'c': initial = -1 is negative (it starts at 0)"),
    (channel(from_offset=-1), "channel 'c': from_offset = -1 is negative (it starts at 0)"),
    (channel(depth=-1), "channel 'c': depth = -1 holds no token, so nothing could ever pass (depths start at 1; leave"),
    (channel(width=2.5), "channel 'c': width = 2.5 is not a whole number"),
    (channel(depth="3"), "channel 'c': depth = '3' is not a whole number"),
    (channel(group=3), "channel 'c': group = 3 is not a name (write group='wide')"),
    (channel(group=""), "channel 'c': group = '' is not a name (write group='wide')"),
    (drawn("gauss", 1), "process 'a': latency: 'gauss' is not a distribution (known: choice, exponential, geometric, "),
    (drawn("uniform", 1), "process 'a': latency: uniform = [1] needs 2 number(s)"),
    (drawn("choice"), "process 'a': latency: choice = [] needs at least one number(s)"),
    (drawn("poisson", 2**31), "process 'a': latency: poisson = [2147483648] needs numbers up to 2147483647 cycles"),
    (drawn("poisson", float("nan")), "process 'a': latency: poisson = [nan] needs numbers up to 2147483647 cycles"),
    (drawn("geometric", 0), "process 'a': latency: geometric = [0] needs a probability above 0 and at most 1"),
    (drawn("geometric", 1.5), "process 'a': latency: geometric = [1.5] needs a probability above 0 and at most 1"),
    (drawn("normal", -1, 1), "process 'a': latency: normal = [-1, 1] could draw a negative latency (cycles start at"),
    (drawn("uniform", 3, 2), "process 'a': latency: uniform = [3, 2] needs its smaller end first"),
    (drawn("uniform", 1, 2.5), "process 'a': latency: uniform = [1, 2.5] must be whole cycles"),
    (drawn("choice", 1.5), "process 'a': latency: choice = [1.5] must be whole cycles"),
    (drawn("poisson", 1, seed=-1), "process 'a': latency: seed = -1 must be between 0 and 2**32 - 1"),
    (drawn("poisson", 1, seed=2**32), "process 'a': latency: seed = 4294967296 must be between 0 and 2**32 - 1"),
    (scheduled(ii=2), "process 'a': ii = 2: a scheduled process gives its steps in place of it and is frozen"),
    (scheduled(style="elastic"), "process 'a': style = 'elastic': a scheduled process gives its steps in place of it"),
    (scheduled(firings=3), "process 'a': firings = 3, but its schedule starts 2"),
    (scheduled(schedule=StepSchedule(0, 2)), "process 'a': steps = 0 must be a whole number of at least 1"),
    (schedule(runs=0), "runs = 0 must be a whole number of at least 1"),
    (schedule(runs=True), "runs = True must be a whole number of at least 1"),
    (schedule(steps=2**27, runs=2**26 + 1), "67108865 runs of 134217728 steps are more than 2**53 steps"),
    (schedule(start_steps=StepList(())), "start_steps is empty: a run starts at least one firing"),
    (schedule(start_steps=StepList((0, 2, 1))), "start_steps[2] = 1 after step 2: steps are listed in order"),
    (schedule(start_steps=StepList((0, 4))), "start_steps[1] = 4 is outside the steps 0..3 of a run"),
    (steps((1, 2)), "steps: run [1, 2] must be [first, step, count]"),
    (steps((1, -2, 3)), "steps: [1, -2, 3] must be whole numbers from 0 on"),
    (steps(-1), "steps: -1 must be whole numbers from 0 on"),
    (steps(Nest(-1, 2, (0,))), "steps: {times = -1, every = 2} must be whole numbers from 0 on"),
    (steps(Nest(1, 2, (True,))), "steps: True must be whole numbers from 0 on"),
    (lambda: net(resources={"": 1}).checked(), "a resource has an empty name"),
    (lambda: net(resources={"m": 0}).checked(), "resource 'm' has 0 units (at least 1 is needed)"),
    (process(resource="mul"), "process 'a': resource 'mul' is not declared"),
    (channel(source="x"), "channel 'c': from = 'x' is not a process (known: a, b)"),
    (channel(target="x"), "channel 'c': to = 'x' is not a process (known: a, b)"),
    (channel(depth=0), "channel 'c': depth = 0 holds no token, so nothing could ever pass (depths start at 1; leave"),
    (channel(depth=2, initial=3), "channel 'c': initial = 3 tokens do not fit in depth = 2"),
    (channel(forward=-1), "channel 'c': forward = -1 is negative (it starts at 0)"),
    (channel(to_offset=-1), "channel 'c': to_offset = -1 is negative (it starts at 0)"),
    (channel(width=0), "channel 'c': width = 0 must be at least 1 bit"),
    (channel(tokens=(1, 1)), "channel 'c': tokens = (1, 1) is none of Rates, Listed, Runs"),
    (channel(group="c"), "channel 'c': group = 'c' is the name of a channel (a group has a name of its own)"),
    (channel(group="g", fixed=True, depth=2), "channel 'c': group = 'g' beside fixed: its depth is not chosen"),
    (process(latency=2**60), "a run could take up to 4.61e+18 cycles, which do not fit in 64 bits (at most 2**62)"),
    (lambda: net().process("x"), "no process is called 'x' (known: a, b)"),
    (lambda: net(channels=(C,)).channel("d"), "no channel is called 'd' (known: c)"),
    (lambda: chain(firings=2, ii=(1, 2), latency=(1, 2, 3)), "chain: 2 initiation intervals for 3 latencies (one each"),
    (
        lambda: sdf({"a": 1, "b": 1}, {"c": ("a", 1, 1, "b", 3)}, firings={"a": 1, "b": 1}, capacities={"c": 2}),
        "channel 'c': capacity 2 below the 3 initial tokens",
    ),
    (lambda: buffers("x", A, B), "process 'a': an array is passed between scheduled processes, and this one is not"),
    (lambda: Recorder().execute("s"), "no statement is called 's'"),
    (lambda: counts(Rates((), (1,))), "c: rates [] must be at least one number of tokens per firing, from 0 on"),
    (lambda: counts(Rates((1, -1), (1,))), "c: rates [1, -1] must be at least one number of tokens per firing, from 0"),
    (
        lambda: counts(Rates((1,), (2,)), initial=3),
        "c: rates do not balance: 4 firings of the consumer read 8 tokens, but there are only 3 initial and 4 written "
        "by 4 firings of the producer",
    ),
    (lambda: counts(Runs(((0, 1, 5),), ())), "c: write_runs: run [0, 1, 5] names firing 4, but there are 4"),
    (lambda: counts(Runs((), ((0, -1, 1),))), "c: read_runs: run [0, -1, 1] must be [first >= 0, step >= 0, count >="),
    (lambda: counts(Runs((), ((-1, 1, 1),))), "c: read_runs: run [-1, 1, 1] must be [first >= 0, step >= 0, count >="),
    (lambda: counts(Runs((), ((0, 1, -1),))), "c: read_runs: run [0, 1, -1] must be [first >= 0, step >= 0, count >="),
    (lambda: counts(Listed((0, 4), ())), "c: writes[1] names firing 4, but the producer has firings 0..3"),
    (lambda: counts(Listed((0,), ((-1, 0),))), "c: reads[0] names firing -1, but the consumer has firings 0..3"),
    (lambda: counts(Listed((0, 2, 1), ())), "c: writes[2] = 1 after firing 2: tokens are listed in the order in which"),
    (
        lambda: counts(Listed((0, 1), ((0, 0), (3, 3))), initial=1),
        "c: token 3 is read by firing 3 but never written (there are 3 tokens, from 0 on: 1 initial, 2 written)",
    ),
    (
        lambda: net(channels=(replace(C, depth=2, release=1),)).with_convention("sdf3"),
        "channel 'c': release = 1 says when a slot is free, and convention sdf3 also does (give one)",
    ),
    (
        lambda: net(channels=(replace(C, depth=2, to_offset=1),)).with_convention("sdf3"),
        "channel 'c': has an offset; convention sdf3 claims space at the start and frees it at the end of a firing",
    ),
    (
        lambda: net(channels=(replace(C, depth=2, tokens=Listed((0,), ((0, 0),))),)).with_convention("sdf3"),
        "channel 'c': tokens are listed firing by firing; convention sdf3 is for rates",
    ),
    (
        lambda: net(VARIES, B, channels=(replace(C, depth=3, tokens=Rates(2, 1)),)).with_convention("sdf3"),
        "channel 'c': 4 tokens are left over at the end, more than depth = 3",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("work", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_breaks_a_rule_is_refused_in_a_sentence(work: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError) as error:
        work()
    assert str(error.value).startswith(words)


TAKEN: list[Callable[[], object]] = [
    process(firings=1), process(ii=0), process(latency=0, read=0, write=0), process(latency=(0,) * 4),
    process(latency=2**59 - 2), drawn("geometric", 1), drawn("geometric", 1e-9), drawn("uniform", 2, 2),
    drawn("poisson", 2**31 - 1), drawn("normal", 0, 0), drawn("choice", 0), drawn("poisson", 1, seed=2**32 - 1),
    schedule(steps=2**27, runs=2**26), schedule(start_steps=StepList((0, 0, 3))), scheduled(),
    channel(depth=1), channel(depth=2, initial=2), channel(initial=0, from_offset=0), channel(group="g", depth=1),
    lambda: net(resources={"m": 1}).checked(), process(firings=1, latency=(0,)),
    channel(width=1), channel(forward=0, release=0),
    lambda: net(clock_ns=1e-6).checked(), lambda: net(clock_ns=1e12).checked(), steps((0, 0, 0)), steps(Nest(0, 0, ())),
    lambda: counts(Rates((1,), (2,)), initial=4), lambda: counts(Runs(((0, 1, 4),), ((3, 0, 4),))),
    lambda: net(VARIES, B, channels=(replace(C, depth=4, tokens=Rates(2, 1)),)).with_convention("sdf3"),
]  # fmt: skip


@pytest.mark.parametrize("work", TAKEN)
def test_what_is_just_within_a_rule_is_taken(work: Callable[[], object]) -> None:
    refused = ""
    try:
        work()
    except InputError as error:
        refused = str(error)
    assert refused == ""


# -- tokens, counted one by one ----------------------------------------------------------------------------------------

RATES = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple)


@settings(max_examples=60, deadline=None)
@given(RATES, RATES, st.integers(0, 4), st.integers(1, 7), st.integers(1, 7))
def test_counts_of_rates_are_those_of_a_firing_after_the_other(
    produce: tuple[int, ...], consume: tuple[int, ...], initial: int, producer: int, consumer: int
) -> None:
    put = np.cumsum([produce[n % len(produce)] for n in range(producer)])
    taken = np.cumsum([consume[n % len(consume)] for n in range(consumer)])
    if taken[-1] > initial + put[-1]:
        with pytest.raises(InputError, match="rates do not balance"):
            counts(Rates(produce, consume), initial=initial, producer=producer, consumer=consumer)
        return
    found = counts(Rates(produce, consume), initial=initial, producer=producer, consumer=consumer)
    assert found.put.first(producer).tolist() == put.tolist()
    assert found.freed.first(consumer).tolist() == taken.tolist()
    assert found.need.first(consumer).tolist() == (taken - 1 - initial).tolist()
    assert (found.written, found.freed_total, found.read_count) == (put[-1], taken[-1], taken[-1])
    each, there = found.put_by(producer)
    assert each.tolist() == np.diff(put, prepend=0).tolist() and there.tolist() == (put + initial).tolist()
    writers = [n for n in range(producer) for _ in range(produce[n % len(produce)])]
    assert found.writing_firings(producer).tolist() == writers
    readers = [n for n in range(consumer) for _ in range(consume[n % len(consume)])]
    assert found.reading_pairs(consumer).tolist() == [
        list(pair) for pair in zip(readers, range(len(readers)), strict=True)
    ]
    assert (found.kind, found.in_order) == ("IOM-", True)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_counts_of_lists_are_those_of_a_token_after_the_other(data: st.DataObject) -> None:
    initial, writers = data.draw(st.integers(0, 2)), sorted(data.draw(st.lists(st.integers(0, 4), max_size=6)))
    there = initial + len(writers)
    pairs = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, there - 1)), max_size=8)) if there else []
    found = counts(Listed(tuple(writers), tuple(pairs)), initial=initial, producer=5, consumer=5)
    read = {token for _, token in pairs}
    kept = [token for token in range(there) if token < initial or token in read]  # nobody reads the others
    number = {token: index for index, token in enumerate(kept)}
    mine = sorted((firing, number[token]) for firing, token in pairs)
    assert found.reading_pairs(5).tolist() == [list(pair) for pair in mine]
    entered = [writers[token - initial] for token in kept if token >= initial]
    assert found.writing_firings(5).tolist() == entered
    assert found.put.first(5).tolist() == [sum(writer <= n for writer in entered) for n in range(5)]
    last = {token: max(firing for firing, other in mine if other == token) for _, token in mine}
    assert found.freed.first(5).tolist() == [sum(each <= n for each in last.values()) for n in range(5)]
    need = [max((token - initial for firing, token in mine if firing == n), default=-1) for n in range(5)]
    assert found.need.first(5).tolist() == [max(each, -1) for each in need]
    ordered = all(one[1] <= other[1] for one, other in pairwise(mine))
    again = len(mine) > len(read)
    assert found.kind == ("IOM" if ordered else "OOM") + ("+" if again else "-")
    assert found.in_order == ordered
    assert (found.written, found.freed_total, found.read_count) == (len(entered), len(last), len(mine))


def test_sequences_without_values_are_nothing() -> None:
    empty = Sequence(np.zeros(0, dtype=np.int64))
    assert (empty.first(3).tolist(), empty.last(3)) == ([0, 0, 0], 0)
    rising = Sequence(np.array([2, 3]), growth=3)
    assert (rising.last(0), [rising.last(n) for n in (1, 2, 3)]) == (0, [2, 3, 5])
    assert rising.first(0).tolist() == [] and rising.each(3).tolist() == [2, 1, 2]
    again = Sequence(np.array([1]), growth=1).first(5)  # channels that count alike need one array between them
    ones = Sequence(np.array([1]), growth=1)
    assert ones.first(5) is again and not again.flags.writeable
    assert ones.is_one_each and not Sequence(np.array([1]), growth=2).is_one_each
    assert not Sequence(np.array([0]), growth=1).is_one_each and ones.each(2).tolist() == [1, 1]


def test_step_lists_stand_for_their_values() -> None:
    listed = StepList((5, (10, 2, 3), Nest(2, 100, (0, (3, 1, 2))), 7))
    assert listed.expand().tolist() == [5, 10, 12, 14, 0, 3, 4, 100, 103, 104, 7]
    assert (len(listed), listed.count) == (11, 11)
    stops = Stops.of(StepSchedule(9, 2, StepList((0, 3))), [StepList((2, (4, 1, 2)))])
    assert stops.at.tolist() == [0, 2, 3, 4, 5, 8] and stops.passings == 12
    assert stops.places.tolist() == [0, 2, 3, 4, 5, 8, 9, 11, 12, 13, 14, 17]
    assert stops.gaps.tolist() == [1, 2, 1, 1, 1, 3] * 2
    assert stops.starts.tolist() == [0, 2, 6, 8]
    assert stops.passing(StepList((2, 4, 8))).tolist() == [1, 3, 5, 7, 9, 11]
    assert stops.counts(StepList((2, 2, 5))).first(7).tolist() == [0, 2, 2, 2, 3, 3, 3]


# -- distributions: the bounds, and that a seed is that stream of numpy's ----------------------------------------------


def test_distributions_are_drawn_from_the_streams_of_numpy() -> None:
    random = np.random.RandomState
    expected = {
        Distribution("uniform", (2, 5), 7): random(7).randint(2, 6, size=50),
        Distribution("normal", (2.0, 3.0), 7): np.maximum(np.rint(random(7).normal(2, 3, size=50)), 0),
        Distribution("exponential", (4.5,), 7): np.rint(random(7).exponential(4.5, size=50)),
        Distribution("geometric", (0.25,), 7): random(7).geometric(0.25, size=50),
        Distribution("poisson", (3.0,), 7): random(7).poisson(3, size=50),
        Distribution("choice", (1, 8, 9), 7): random(7).choice(np.array([1, 8, 9]), size=50),
    }
    for distribution, values in expected.items():
        assert distribution.draw(50).tolist() == values.astype(int).tolist(), distribution
    assert Distribution("poisson", (3.0,)) == Distribution("poisson", (3.0,), 0)


def test_ready_made_networks_have_the_numbers_that_they_are_asked_for() -> None:
    found = chain(firings=3, length=3, ii=2, latency=4, depth=5, style="frozen")
    assert [(p.name, p.firings, p.ii, p.latency, p.style) for p in found.processes] == [
        (f"p{n}", 3, 2, 4, "frozen") for n in range(3)
    ]
    assert [(c.name, c.source, c.target, c.depth) for c in found.channels] == [
        ("c0", "p0", "p1", 5),
        ("c1", "p1", "p2", 5),
    ]
    assert [p.ii for p in chain(firings=1, ii=(1, 3)).processes] == [1, 3]
    forked = fork_join(firings=3, latency=2, long_latency=7, short_depth=None, long_depth=4)
    assert {p.name: p.latency for p in forked.processes} == {"split": 2, "short": 2, "long": 7, "join": 2}
    assert {c.name: c.depth for c in forked.channels} == {
        "short_in": None, "short_out": None, "long_in": 4, "long_out": 4
    }  # fmt: skip
    first, second = (Process.scheduled(name=name, steps=10, runs=3) for name in "ab")
    there, free = buffers("x", first, second, copies=3, width=8)
    assert (there.name, there.source, there.target, there.width, there.initial) == ("x", "a", "b", 8, 0)
    assert (free.name, free.source, free.target, free.width, free.initial) == ("x.free", "b", "a", 1, 3)
    assert there.write_steps == free.write_steps == StepList((9,))
    graph = sdf({"a": (1, 2), "b": 3}, {"c": ("a", 2, 1, "b", 1)}, firings={"a": 3, "b": 7}, capacities={"c": 4})
    assert [(p.latency, p.ii, p.read, p.write) for p in graph.processes] == [((1, 2, 1), 0, 0, 0), (3, 0, 0, 0)]
    assert [(c.name, c.source, c.initial, c.tokens) for c in graph.channels] == [
        ("c", "a", 1, Rates(2, 1)), ("c.space", "b", 3, Rates(1, 2))
    ]  # fmt: skip
    assert graph.clock_ns == 1


def test_errors_end_commands_with_a_code_of_their_own() -> None:
    assert (PpnsimError.exit_code, InputError.exit_code, DeadlockError.exit_code) == (1, 2, 3)


def test_whole_numbers_of_arrays_are_whole_numbers() -> None:
    two, four = (cast("int", np.int64(number)) for number in (2, 4))
    process = Process(name="a", firings=four, ii=cast("int", np.int32(2)), latency=four)
    assert process == Process(name="a", firings=4, ii=2, latency=4)
    network = chain(firings=4).with_depths({"c0": two})
    depth = network.channel("c0").depth
    assert depth == 2
    assert {type(each) for each in (process.firings, process.ii, process.latency, depth)} == {int}
    assert network.checked().channel("c0").depth == 2


def test_a_channel_to_a_missing_process_is_refused_where_the_network_is_made() -> None:
    with pytest.raises(InputError, match=r"^channel 'c': to = 'bb' is not a process \(did you mean 'b'\?\)$"):
        Network(
            processes=[Process(name="a", firings=3), Process(name="b", firings=3)],
            channels=[Channel(name="c", source="a", target="bb")],
        )


def test_a_latency_that_no_engine_counts_is_refused() -> None:
    for latency, words in ((10**20, "latency = 1"), ((1, 10**20), r"latency\[1\] = 1")):
        firings = 3 if isinstance(latency, int) else 2
        process = Process(name="a", firings=firings, latency=latency)
        with pytest.raises(InputError, match=f"^process 'a': {words}0{{20}} is out of range"):
            Network(processes=[process]).run()
