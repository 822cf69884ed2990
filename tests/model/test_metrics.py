"""Metrics of a timeline against the thesis's definitions, worked by hand."""

import pytest

from ppnsim import Channel, DeadlockError, InputError, Listed, Network, Process, Rates, chain, predictor, run
from ppnsim.model.builders import sdf
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import max_occupancy, occupancy, parallelism_profile
from ppnsim.model.summary import summary_of
from tests.analysis.test_estimates import four_processes
from tests.helpers.profiles import global_profile, profile


def test_profiles_of_the_four_processes_are_those_of_the_thesis() -> None:
    # Thesis, chapter 4.3: P1 executes at 0, 2, 4, 6 and writes one cycle later; P2 reads at 2, 4, 6, 8.
    timeline = run(four_processes()).timeline
    p1, p2 = profile(timeline, "P1"), profile(timeline, "P2")
    assert p1.execute.nonzero()[0].tolist() == [0, 2, 4, 6]
    assert p1.write.nonzero()[0].tolist() == [1, 3, 5, 7]
    assert p2.read.nonzero()[0].tolist() == [2, 4, 6, 8]
    whole = global_profile(timeline)
    assert (whole.execute.sum(), whole.execute.max(), len(whole.execute)) == (20, 3, 14)
    assert whole.flat.sum() == 20 + 12 + 12  # P2, P3, P4 read, P1, P2, P3 write, one cycle each


def test_unused_slots_are_the_gaps_between_first_and_last_operation() -> None:
    timeline = run(four_processes()).timeline
    # P1 is active from 0 to 7: its four executions and four writes leave four cycles each, and it never reads.
    assert profile(timeline, "P1").unused_slots() == {"read": 0, "execute": 4, "write": 4}


def test_utilisation_is_that_of_table_6_1() -> None:
    summary = summary_of(run(predictor()))
    shares = [process.utilisation for process in summary.processes.values()]
    assert shares == [75 / 75, 48 / 192, 48 / 192]


def test_utilisation_of_an_actor_without_interval_is_unknown() -> None:
    network = Network(processes=[Process(name="a", firings=3, ii=0)])
    assert summary_of(run(network)).processes["a"].utilisation is None


def test_occupancy_rises_at_the_write_and_falls_when_the_slot_can_be_written_again() -> None:
    network = Network(
        processes=[Process(name="a", firings=2, latency=1), Process(name="b", firings=2, latency=1, ii=4)],
        channels=[Channel(name="c", source="a", target="b", depth=2)],
    )
    timeline = run(network).timeline
    # Written at 1 and 2, read at 2 and 6, slots back one cycle after the read.
    cycles, tokens = occupancy(timeline, "c")
    assert list(zip(cycles.tolist(), tokens.tolist(), strict=True)) == [(0, 0), (1, 1), (2, 2), (3, 1), (7, 0)]
    assert max_occupancy(timeline, "c") == 2


def test_a_token_leaves_at_its_last_read_not_at_its_first() -> None:
    network = Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=4)],
        channels=[Channel(name="c", source="a", target="b", tokens=Listed((0, 1), ((0, 0), (1, 1), (2, 1), (3, 0))))],
    )
    timeline = run(network).timeline
    reads = timeline.start("b")
    assert network.counts["c"].kind == "OOM+"
    assert timeline.releases("c").tolist() == [int(reads[2]) + 1, int(reads[3]) + 1]


def test_values_that_nobody_reads_take_no_slot() -> None:
    network = Network(
        processes=[Process(name="a", firings=5), Process(name="b", firings=2)],
        channels=[Channel(name="c", source="a", target="b", depth=1, tokens=Listed(tuple(range(5)), ((0, 1), (1, 4))))],
    )
    result = run(network)
    assert max_occupancy(result.timeline, "c") == 1
    assert result.timeline.start("a").tolist() == [0, 1, 2, 3, 4]


def test_tokens_that_pass_through_in_a_cycle_make_no_room_for_those_they_are_read_with() -> None:
    network = sdf({"a": 0, "b": 0}, {"c": ("a", 2, 3, "b", 0)}, firings={"a": 6, "b": 4})
    assert max_occupancy(run(network).timeline, "c") == 4  # b takes the third token of two writes of two
    assert run(network, depths={"c": 4}).finish == run(network).finish
    with pytest.raises(DeadlockError):
        run(network, depths={"c": 3})


def test_parallelism_profile_adds_up_to_the_execute_cycles() -> None:
    timeline = run(chain(firings=20, depth=1)).timeline
    cycles, count = parallelism_profile(timeline)
    until = [*cycles.tolist()[1:], timeline.stopped]
    busy = sum(many * (last - first) for first, last, many in zip(cycles.tolist(), until, count.tolist(), strict=True))
    assert busy == 3 * 20 * 3


def test_predictor_classes_are_those_of_the_sample_answer() -> None:
    # The sample answer for the predictor: every cycle of the three processes.
    timeline = run(predictor()).timeline
    table = {process.name: cycle_classes(timeline, process.name).counts() for process in timeline.network.processes}
    assert table["source"] == {
        "starting": 25, "done": 54, "draining": 4, "ii": 0, "blocked": {}, "starved": {}, "resource": {},
    }  # fmt: skip
    starved = table["transformer"].pop("starved")
    assert table["transformer"] == {
        "starting": 16, "done": 5, "draining": 4, "ii": 0, "blocked": {}, "resource": {},
    }  # fmt: skip
    assert sum(cycles for name, cycles in starved.items() if name.startswith("source")) == 10
    assert sum(cycles for name, cycles in starved.items() if name.startswith("transformer")) == 48
    assert table["sink"]["starved"] == {"transformer->sink": 63}


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (Network(processes=[Process(name="a", firings=2.5)]), "process 'a': firings = 2.5 is not a whole number"),  # type: ignore[arg-type]
        (Network(processes=[Process(name="a", firings=2, ii=True)]), "process 'a': ii = True is not a whole number"),
        (
            Network(processes=[Process(name="a", firings=2, latency="3")]),  # type: ignore[arg-type]
            "process 'a': latency = '3' is not a whole number, one for each firing, nor a Distribution: write 3",
        ),
    ],
)
def test_numbers_given_in_python_are_whole(network: Network, message: str) -> None:
    with pytest.raises(InputError) as error:
        run(network)
    assert str(error.value) == message


def test_several_slots_that_are_missing_are_counted() -> None:
    network = Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
        channels=[Channel(name="c", source="a", target="b", tokens=Rates(4, 4), depth=3)],
    )
    with pytest.raises(DeadlockError, match=r"a +firing 0 +waits for 4 slots in 'c' \(0/3 full\)"):
        run(network)
