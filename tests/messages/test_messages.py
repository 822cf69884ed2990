"""LogGP ranks: the rules against a naive second evaluator, the laws that runs obey, deadlocks, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simpy import Environment

from ppnsim.errors import InputError
from ppnsim.messages.files.json import parse_messages
from ppnsim.messages.model import collectives
from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import RankOperation, Schedule, checked, compute, receive, send
from ppnsim.messages.run.agenda import Agenda, Lane, PendingOperation, RankResource
from ppnsim.messages.run.ranks import RankPort, Ranks
from ppnsim.messages.run.record import CPU_KINDS, PORT_KINDS, shares
from ppnsim.messages.run.schedules import run_schedule
from tests.helpers.by_seed import by_seed
from tests.helpers.commands import ppnsim
from tests.oracles.naive_messages import naive_rank_end
from validation.loggp import closed_forms as closed

INFINIBAND = LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6)
TREES: dict[str, Callable[[int, int], Schedule]] = {
    "linear scatter": collectives.linear_scatter,
    "binomial scatter": collectives.binomial_scatter,
    "broadcast by halving": collectives.binomial_broadcast,
    "broadcast by doubling": collectives.doubling_broadcast,
}


@by_seed
def links(draw: st.DrawFn, *, options: bool = True) -> LogGP:
    """Small parameters, so that much happens at the same time."""
    numbers: dict[str, Any] = {name: draw(st.integers(0, 6)) for name in ("latency", "overhead", "gap", "per_byte")}
    if not options:
        return LogGP(**numbers)
    return LogGP(
        **numbers,
        overhead_per_byte=draw(st.integers(0, 2)),
        eager=draw(st.none() | st.integers(1, 4)),
        receiving=draw(st.sampled_from(["full", "overhead"])),
        sharing=draw(st.sampled_from(["fifo", "exclusive"])),
    )


@by_seed
def schedules(draw: st.DrawFn) -> list[list[RankOperation]]:
    """Messages between 2 to 4 ranks; within a rank anything may wait for anything before or after, in no circle."""
    ranks = draw(st.integers(2, 4))
    parts: list[list[RankOperation]] = [[] for _ in range(ranks)]
    for size in range(1, 1 + draw(st.integers(1, 8))):
        source, target = draw(st.permutations(range(ranks)))[:2]
        parts[source].append(send(size, target))
        parts[target].append(receive(size, source))
        if draw(st.booleans()):
            parts[draw(st.integers(0, ranks - 1))].append(compute(draw(st.integers(0, 9))))
    return [_with_deps(draw, operations) for operations in parts]


def _with_deps(draw: st.DrawFn, operations: list[RankOperation]) -> list[RankOperation]:
    # Receives of a source stay in the order of its sends, and so do sends: then sizes fit, or one overtook another.
    place = draw(st.permutations(range(len(operations))))
    found = []
    for index, operation in enumerate(operations):
        same = [
            i for i in range(index) if operations[i].kind == operation.kind and operations[i].peer == operation.peer
        ]
        chain = same[-1:] if operation.peer is not None else []
        free = [i for i in range(len(operations)) if place[i] < place[index] and i < index]
        picked = draw(st.lists(st.sampled_from(free), max_size=2, unique=True)) if free else []
        found.append(replace(operation, deps=(*chain, *(dep for dep in picked if dep not in chain))))
    return found


def reordered(operations: Sequence[RankOperation]) -> list[RankOperation]:
    """Return the list back to front, so that operations wait for later ones."""
    last = len(operations) - 1
    return [replace(each, deps=tuple(last - dep for dep in each.deps)) for each in reversed(operations)]


@given(schedules(), links(), st.booleans())
@settings(deadline=None, max_examples=120)
def test_the_engine_does_what_the_rules_say(schedule: list[list[RankOperation]], link: LogGP, backwards: bool) -> None:
    if backwards:
        schedule = [reordered(operations) for operations in schedule]
    try:
        run = run_schedule(schedule, link)
    except InputError as error:
        assert backwards and "receives" in str(error)  # sizes in the other order at one end
        return
    end, done = naive_rank_end(schedule, link)
    assert list(run.rank_end) == end
    assert (run.deadlock is None) == (done == sum(map(len, schedule)))


@given(schedules(), links())
@settings(deadline=None)
def test_no_message_overtakes_and_none_is_lost(schedule: list[list[RankOperation]], link: LogGP) -> None:
    """Sizes are unique and in one order at both ends: a message that overtakes would meet a receive of another size."""
    run = run_schedule(schedule, link)
    if run.deadlock is None:
        sizes = [each.amount for operations in schedule for each in operations if each.kind == "send"]
        assert (run.messages, run.sent, run.unreceived) == (len(sizes), sum(sizes), 0)


@given(schedules(), links())
@settings(deadline=None)
def test_the_intervals_of_a_rank_fill_its_time_and_never_overlap(
    schedule: list[list[RankOperation]], link: LogGP
) -> None:
    run = run_schedule(schedule, link)
    for rank, end in enumerate(run.rank_end):
        processor = [each for each in run.intervals if each.rank == rank and each.kind in CPU_KINDS]
        assert [0, *(each.end for each in processor)] == [*(each.start for each in processor), end]
        assert sum(shares(run.intervals, len(schedule))[rank].values()) == end
        for side in PORT_KINDS:
            port = [each for each in run.intervals if each.rank == rank and each.kind == side]
            assert all(one.end <= other.start for one, other in pairwise(port))


@given(schedules(), links(options=False))
@settings(deadline=None)
def test_a_port_never_passes_more_than_its_rate(schedule: list[list[RankOperation]], link: LogGP) -> None:
    run = run_schedule(schedule, link)
    for rank, operations in enumerate(schedule):
        for side, kind in zip(PORT_KINDS, ("send", "recv"), strict=True):
            busy = sum(each.end - each.start for each in run.intervals if (each.rank, each.kind) == (rank, side))
            passed = [each.amount for each in operations if each.kind == kind]
            assert run.deadlock or busy == sum(link.gap + (size - 1) * link.per_byte for size in passed)


def _note(times: list[int], number: int, _: object, time: int) -> None:
    times[number] = time


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 20)), min_size=1, max_size=8), links())
def test_nothing_is_received_before_it_can_have_arrived(messages: list[tuple[int, int]], link: LogGP) -> None:
    env = Environment()
    ranks = Ranks(env, link, 2)
    ordered = sorted(messages, key=lambda message: message[1])
    sent, received = [-1] * len(ordered), [-1] * len(ordered)
    for number, (size, ready) in enumerate(ordered):
        # By number: a message that waits for its receive is done after eager ones that were sent later.
        ranks.send(0, to=1, size=size, ready=ready, done=partial(_note, sent, number))
        ranks.receive(1, source=0, size=size, ready=2 * ready, done=partial(_note, received, number))
    env.run()
    for (size, _), start, time in zip(ordered, sent, received, strict=True):
        flight = link.overhead + link.latency
        if link.is_eager(size):
            assert time >= start + flight
        else:
            assert time >= start >= flight  # done at the match, which a flight comes before
    assert received == sorted(received)


@given(links(options=False), st.integers(2, 17), st.integers(1, 5), st.sampled_from(sorted(TREES)), st.data())
@settings(deadline=None)
def test_a_faster_link_never_hurts_where_each_rank_hears_from_one_only(
    link: LogGP, ranks: int, size: int, tree: str, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["latency", "overhead", "gap", "per_byte"]))
    change: dict[str, Any] = {name: data.draw(st.integers(0, getattr(link, name)))}
    faster = replace(link, **change)
    schedule = TREES[tree](ranks, size)
    before, after = run_schedule(schedule, link).rank_end, run_schedule(schedule, faster).rank_end
    assert all(one >= other for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize(
    ("schedule", "link", "faster", "completions"),
    [
        (  # with L = 3 the message comes in time to take the processor before the rank's own send does
            [[send(1, 1), receive(1, 1, 0)], [receive(1, 0), compute(5), send(1, 0, 1)]],
            LogGP(latency=4, overhead=2, gap=2, per_byte=0), {"latency": 3}, (13, 14),
        ),
        (  # with o = 0 the send is still kept by its gap when the computation takes the processor
            [[receive(1, 1), receive(1, 1, 0)], [send(1, 0), compute(8, 0), send(1, 0, 0)]],
            LogGP(latency=6, overhead=1, gap=1, per_byte=0), {"overhead": 0}, (10, 14),
        ),
        (  # with g = 2 the second message comes first, and the answer that the first one calls for has to wait
            [[receive(1, 1), receive(1, 1, 0), send(1, 1, 0)], [send(1, 0), send(1, 0), receive(1, 0, 0)]],
            LogGP(latency=6, overhead=2, gap=3, per_byte=0), {"gap": 2}, (20, 22),
        ),
    ],
    ids=["L", "o", "g"],
)  # fmt: skip
def test_a_faster_link_can_hurt_where_another_goes_first(
    schedule: Any, link: LogGP, faster: dict[str, Any], completions: tuple[int, int]
) -> None:
    """As in every greedy schedule (Graham 1969): what comes earlier may take what something more urgent needs."""
    assert (run_schedule(schedule, link).completion, run_schedule(schedule, replace(link, **faster)).completion) == (
        completions
    )


@given(links(options=False), st.integers(2, 20), st.integers(1, 9))
@settings(deadline=None)
def test_the_closed_forms_are_what_the_engine_gives(link: LogGP, ranks: int, size: int) -> None:
    for name in ("linear_scatter", "linear_gather", "binomial_broadcast", "binomial_scatter"):
        assert run_schedule(getattr(collectives, name)(ranks, size), link).completion == getattr(closed, name)(
            link, ranks, size
        )
    stream = [[send(size, 1)] * ranks, [receive(size, 0)] * ranks]
    assert run_schedule(stream, link).completion == closed.stream(link, size, ranks)


@given(
    st.builds(
        LogGP,
        latency=st.integers(1, 5000),
        overhead=st.integers(1, 999),
        gap=st.integers(1, 999),
        per_byte=st.integers(1, 9),
    ),
    st.integers(2, 20),
    st.integers(1, 5000),
)
@settings(deadline=None)
def test_the_closed_form_of_a_gather(link: LogGP, ranks: int, size: int) -> None:
    simulated = run_schedule(collectives.binomial_gather(ranks, size), link).completion
    assert simulated == closed.binomial_gather(link, ranks, size)


def test_a_closed_form_refuses_what_it_does_not_cover() -> None:
    words = (
        "loggp: the closed forms hold for eager messages, O = 0, recv_cpu 'full' and sharing 'fifo' "
        "(simulate the schedule instead)"
    )
    for change in ({"overhead_per_byte": 1}, {"eager": 7}, {"receiving": "overhead"}, {"sharing": "exclusive"}):
        with pytest.raises(InputError) as error:
            closed.linear_gather(replace(INFINIBAND, **change), 4, 8)
        assert str(error.value) == words


def test_a_dma_engine_frees_the_processor_but_the_message_counts() -> None:
    dma = replace(INFINIBAND, receiving="overhead")
    schedule = [[send(1001, 1)], [receive(1001, 0), compute(100), compute(100, 0)]]
    # Accepted at 4000, processor free at 5500, all bytes there at 11500: only then may the last computation start.
    assert run_schedule(schedule, dma).rank_end == (1500, 11600)
    assert run_schedule([*schedule[:1], [receive(1001, 0)]], dma).rank_end == (1500, 11500)


def test_an_exclusive_port_sends_when_the_last_byte_has_arrived() -> None:
    one = closed.one_way(INFINIBAND, 1001)
    starts = [one - INFINIBAND.overhead, 2 * (one - INFINIBAND.overhead)]  # occupied for o + L + B
    run = run_schedule(collectives.linear_scatter(4, 1001), replace(INFINIBAND, sharing="exclusive"))
    assert run.rank_end[1:] == (one, starts[0] + one, starts[1] + one)


def test_simpy_processes_and_a_schedule_give_the_same_times() -> None:
    rounds, size = 5, 200

    def player(port: RankPort, right: int, left: int) -> Any:
        for _ in range(rounds):
            yield port.send(to=right, size=size)
            yield port.receive(source=left, size=size)
            yield port.compute(70)

    env = Environment()
    ranks = Ranks(env, INFINIBAND, 3)
    for rank in range(3):
        env.process(player(RankPort(env, ranks, rank), (rank + 1) % 3, (rank - 1) % 3))
    env.run()
    schedule: list[list[RankOperation]] = [[], [], []]
    for rank, operations in enumerate(schedule):
        for _ in range(rounds):
            for make in (send(size, (rank + 1) % 3), receive(size, (rank - 1) % 3), compute(70)):
                deps = (len(operations) - 1,) if operations else ()
                operations.append(replace(make, deps=deps))
    assert tuple(ranks.end(rank) for rank in range(3)) == run_schedule(schedule, INFINIBAND).rank_end


DEADLOCKS: dict[str, tuple[list[list[RankOperation]], dict[str, Any], str]] = {
    "a circle of receives": (
        [[receive(64, 1), send(64, 1, 0)], [receive(64, 0), send(64, 0, 0)]],
        {},
        "deadlock at time 0 after 0 of 4 operations:\n"
        "  rank 0  schedule[0][0] waits for message 0 from rank 1 (64 bytes): schedule[1][1] waits for "
        "schedule[1][0]\n"
        "  rank 1  schedule[1][0] waits for message 0 from rank 0 (64 bytes): schedule[0][1] waits for "
        "schedule[0][0]",
    ),
    "a message that nobody sends": (
        [[send(8, 1)], [receive(8, 0), receive(8, 0)]],
        {},
        "deadlock at time 4000 after 2 of 3 operations:\n"
        "  rank 1  schedule[1][1] waits for message 1 from rank 0 (8 bytes): rank 0 sends only 1 there",
    ),
    "a circle of rendezvous": (
        [[send(100, 1), receive(100, 1, 0)], [send(100, 0), receive(100, 0, 0)]],
        {"eager": 99},
        "deadlock at time 4000 after 0 of 4 operations:\n"
        "  rank 0  schedule[0][0] waits for receive 0 of rank 1 (100 bytes, above S = 99): schedule[1][1] waits for "
        "schedule[1][0]\n"
        "  rank 1  schedule[1][0] waits for receive 0 of rank 0 (100 bytes, above S = 99): schedule[0][1] waits for "
        "schedule[0][0]",
    ),
    "a large message that nobody receives": (
        [[send(100, 1)], [compute(5)]],
        {"eager": 99},
        "deadlock at time 4000 after 1 of 2 operations:\n"
        "  rank 0  schedule[0][0] waits for receive 0 of rank 1 (100 bytes, above S = 99): rank 1 receives only 0 "
        "there",
    ),
}


@pytest.mark.parametrize("name", DEADLOCKS)
def test_a_deadlock_says_who_waits_for_what(name: str) -> None:
    schedule, change, words = DEADLOCKS[name]
    run = run_schedule(schedule, replace(INFINIBAND, **change))
    assert (run.completion, str(run.deadlock)) == (None, words)


def test_the_circle_of_rendezvous_goes_through_when_it_is_eager() -> None:
    schedule, _, _ = DEADLOCKS["a circle of rendezvous"]
    assert run_schedule(schedule, INFINIBAND).deadlock is None


LINK = {"L": 5, "o": 1, "g": 2, "G": 1}
PAIR = [[["send", 8, 1, []]], [["recv", 8, 0, []]]]


def _with(operation: object) -> dict[str, Any]:
    return {"loggp": LINK, "schedule": [[["send", 8, 1, []], operation], [["recv", 8, 0, []]]]}


BAD: dict[str, tuple[Any, str]] = {
    "kind": (
        _with(["snd", 8, 1, []]),
        "schedule[0][1]: kind = 'snd' is none of send, recv, calc (did you mean 'send'?)",
    ),
    "kind no text": (_with([1, 8, 1, []]), "schedule[0][1]: kind = 1 is none of send, recv, calc"),
    "peer": (_with(["send", 8, 2, []]), "schedule[0][1]: peer = 2 is not a rank (there are 2, from 0 on)"),
    "negative peer": (_with(["recv", 8, -1, []]), "schedule[0][1]: peer = -1 is not a rank (there are 2, from 0 on)"),
    "peer missing": (
        _with(["send", 8, None, []]),
        "schedule[0][1]: peer is null, but a send needs the rank at the other end",
    ),
    "peer of a calc": (
        _with(["calc", 8, 1, []]),
        "schedule[0][1]: peer = 1 is given, but a calc has none (write null)",
    ),
    "itself": (_with(["send", 8, 0, []]), "schedule[0][1]: peer = 0 is the rank itself, and no link leads there"),
    "negative bytes": (
        _with(["send", -8, 1, []]),
        "schedule[0][1]: bytes = -8 is below 1 (an empty message counts as one of 1 byte)",
    ),
    "bytes that are no number": (
        _with(["send", "8", 1, []]),
        "schedule[0][1]: bytes or time = '8' must be a whole number",
    ),
    "negative time": (_with(["calc", -8, None, []]), "schedule[0][1]: time = -8 is negative"),
    "half a time unit": (
        _with(["calc", 0.5, None, []]),
        "schedule[0][1]: bytes or time = 0.5 must be a whole number (times are whole: take a finer unit, such as ps)",
    ),
    "depends on itself": (_with(["send", 8, 1, [1]]), "schedule[0][1]: waits for itself (deps holds 1)"),
    "depends on nothing": (
        _with(["send", 8, 1, [2]]),
        "schedule[0][1]: deps holds 2, but rank 0 has 2 operations, from 0 on",
    ),
    "circle": (
        {"loggp": LINK, "schedule": [[["calc", 1, None, [2]], ["calc", 1, None, [0]], ["calc", 1, None, [1]]]]},
        "schedule[0][0]: operations wait for each other in a circle: 0 -> 2 -> 1 -> 0",
    ),
    "too short": (_with(["send", 8, 1]), "schedule[0][1] = ['send', 8, 1] must be [kind, bytes or time, peer, deps]"),
    "deps no list": (
        _with(["send", 8, 1, 0]),
        "schedule[0][1]: deps = 0 must be a list of indices into the same rank's list",
    ),
    "dep true": (_with(["send", 8, 1, [True]]), "schedule[0][1]: deps[0] = true must be a whole number"),
    "parameter missing": (
        {"loggp": {"L": 5, "o": 1, "g": 2}, "schedule": PAIR},
        "loggp: G is missing",
    ),
    "parameter unknown": (
        {"loggp": LINK | {"recv_cup": "full"}, "schedule": PAIR},
        "loggp: unknown key 'recv_cup' (did you mean 'recv_cpu'?)",
    ),
    "parameter negative": ({"loggp": LINK | {"g": -2}, "schedule": PAIR}, "loggp: g = -2 is negative"),
    "parameter not whole": (
        {"loggp": LINK | {"G": 0.16}, "schedule": PAIR},
        "loggp: G = 0.16 must be a whole number (times are whole: take a finer unit, such as ps)",
    ),
    "choice": (
        {"loggp": LINK | {"sharing": "fair"}, "schedule": PAIR},
        "loggp: sharing = 'fair' is none of fifo, exclusive",
    ),
    "unit": ({"loggp": LINK | {"unit": "cycles"}, "schedule": PAIR}, "loggp: unit = 'cycles' is none of " + (
        "fs, ps, ns, us, ms, s"
    )),
    "key unknown": (
        {"loggp": LINK, "schedule": PAIR, "schedul": []},
        "unknown key 'schedul' (did you mean 'schedule'?)",
    ),
    "schedule missing": ({"loggp": LINK}, "schedule is missing"),
    "no rank": ({"loggp": LINK, "schedule": []}, "schedule: has no rank, so there is nothing to run"),
    "rank no list": ({"loggp": LINK, "schedule": [7]}, "schedule[0] = 7 must be a list"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_a_message_of_its_own(name: str) -> None:
    data, words = BAD[name]
    with pytest.raises(InputError) as error:
        parse_messages(data)
    assert str(error.value) == words


def test_a_message_and_its_receive_must_agree_on_their_size() -> None:
    with pytest.raises(InputError) as error:
        run_schedule([[send(8, 1)], [compute(3), receive(9, 0)]], INFINIBAND)
    assert str(error.value) == "schedule[1][1]: rank 1 receives 9 bytes from rank 0, but gets a message of 8"


def test_an_operation_may_wait_for_a_later_one() -> None:
    schedule = checked([[compute(5, 1), compute(7)]])
    assert run_schedule(schedule, INFINIBAND).rank_end == (12,)


def write(path: Path, data: object) -> str:
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


PING_PONG = {
    "loggp": {"L": 2500, "o": 1500, "g": 1000, "G": 6, "O": 0, "S": 2**31 - 1, "unit": "ns"},
    "schedule": [
        [["send", 1024, 1, []], ["recv", 1024, 1, [0]]],
        [["recv", 1024, 0, []], ["send", 1024, 0, [0]]],
    ],
}


def test_run_answers_with_completion_and_rank_ends(tmp_path: Path) -> None:
    file = write(tmp_path / "ping.json", PING_PONG)
    result = ppnsim("run", file, "--json", "-")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert (answer["completion"], answer["rank_end"], answer["file"]) == (23276, [23276, 13138], file)
    text = ppnsim("run", file).stdout
    assert "completion 23276 ns   2 ranks, 2 messages, 2048 bytes" in text
    assert "rank 0 ends last; wait is 50 % of its time" in text


def test_run_takes_good_and_bad_files_together(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "a.json", PING_PONG), write(tmp_path / "b.json", _with(["send", -8, 1, []]))
    stuck = {"loggp": LINK, "schedule": [[["recv", 8, 1, []]], []]}
    third = write(tmp_path / "c.json", stuck)
    result = ppnsim("run", good, bad, third, "--json", str(tmp_path / "all.json"))
    answers = json.loads((tmp_path / "all.json").read_text())
    assert result.exit_code == 2
    assert answers[0]["completion"] == 23276
    assert answers[1]["error"].endswith("b.json: schedule[0][1]: bytes = -8 is below 1 (an empty message counts as "
                                        "one of 1 byte)")  # fmt: skip
    assert answers[2]["completion"] is None
    assert answers[2]["deadlock"]["waiting"] == [
        {
            "rank": 0,
            "operation": 0,
            "reason": "waits for message 0 from rank 1 (8 bytes): rank 1 sends only 0 there",
        }
    ]
    assert ppnsim("run", third).exit_code == 3


def test_out_writes_result_intervals_and_a_picture(tmp_path: Path) -> None:
    file = write(tmp_path / "ping.json", PING_PONG)
    assert ppnsim("run", file, "--out", str(tmp_path / "o"), "--pictures", "svg").exit_code == 0
    rows = (tmp_path / "o" / "intervals.csv").read_text().splitlines()
    assert rows[:2] == ["rank,kind,start,end", "0,send,0,1500"]
    assert json.loads((tmp_path / "o" / "result.json").read_text())["completion"] == 23276
    assert "<svg" in (tmp_path / "o" / "gantt.svg").read_text()


def test_options_of_networks_are_refused_and_not_ignored(tmp_path: Path) -> None:
    file = write(tmp_path / "ping.json", PING_PONG)
    result = ppnsim("run", file, "--depth", "4", "--style", "frozen")
    assert result.exit_code == 2
    assert "--style, --depth can only be used with a network; this file holds messages between ranks" in result.stderr
    result = ppnsim("run", file, "--engine", "compiled")
    assert "message schedules run in the SimPy engine only" in result.stderr


@pytest.mark.parametrize(("key", "needed"), [("schedule", "loggp"), ("flows", "star"), ("traffic", "dram")])
def test_half_of_a_small_input_says_which_half_is_missing(key: str, needed: str, tmp_path: Path) -> None:
    file = write(tmp_path / "half.json", {key: []})
    result = ppnsim("run", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{file}: {needed} is missing\n" in result.stderr


def test_what_waits_for_a_port_goes_on_by_its_number_among_all_that_is_due_then() -> None:
    env, begun = Environment(), list[object]()
    agenda, port = Agenda(env), RankResource()

    def begin(now: int, task: PendingOperation) -> None:
        begun.append((now, task.amount))
        port.free = now + 4

    lane = Lane(agenda, RankResource(), port, begin)
    port.free = 2
    for number in (1, 5, 2):  # the oldest of what waits is then neither the first nor the last that came
        lane.start(0, number, PendingOperation(0, number, 0, 0, lambda *_: None, 0))
    agenda.at(6, 3, lambda now, *_: begun.append((now, "another")), None)
    env.run()
    assert begun == [(2, 1), (6, 2), (6, "another"), (10, 5)]


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (("calc", -1, None), "time = -1 is negative"), (("calc", 0, None), None),
        (("calc", 1, 0), "peer = 0 is given, but a calc has none (write null)"),
        (("send", 0, 1), "bytes = 0 is below 1 (an empty message counts as one of 1 byte)"), (("send", 1, 1), None),
        (("recv", 1, None), "peer is null, but a recv needs the rank at the other end"),
        (("send", 1, 2), "peer = 2 is not a rank (there are 2, from 0 on)"),
        (("send", 1, -1), "peer = -1 is not a rank (there are 2, from 0 on)"),
        (("send", 1, 0), "peer = 0 is the rank itself, and no link leads there"),
        (("calc", 1, None, 0), "waits for itself (deps holds 0)"), (("calc", 1, None, 1), None),
        (("calc", 1, None, 2), "deps holds 2, but rank 0 has 2 operations, from 0 on"),
        (("calc", 1, None, -1), "deps holds -1, but rank 0 has 2 operations, from 0 on"),
    ],
)  # fmt: skip
def test_an_operation_keeps_its_own_rules(operation: tuple[Any, ...], words: str | None) -> None:
    kind, amount, peer, *deps = operation
    schedule = [[RankOperation(kind, amount, peer, tuple(deps)), compute(1)], []]
    if words is None:
        assert checked(schedule)[0] == tuple(schedule[0])
    else:
        with pytest.raises(InputError) as error:
            checked(schedule)
        assert str(error.value) == f"schedule[0][0]: {words}"
