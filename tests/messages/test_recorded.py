"""What is told of schedules and flows, word for word: times, shares, advice, deadlocks, and what is cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ppnsim.messages.model import collectives
from ppnsim.messages.model.flows import FairFlow, Star
from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import RankOperation, checked, compute, receive, send
from ppnsim.messages.report import flows_result, messages_result, print_flows, print_messages
from ppnsim.messages.run.flows import run_flows
from ppnsim.messages.run.schedules import run_schedule
from ppnsim.report.table import Screen
from tests.golden.records import unlike

_PLAIN = LogGP(latency=50, overhead=15, gap=20, per_byte=2)
_LINKS = {
    "plain": _PLAIN,
    "rendezvous": replace(_PLAIN, eager=9, overhead_per_byte=1),
    "exclusive": replace(_PLAIN, sharing="exclusive"),
    "DMA": replace(_PLAIN, receiving="overhead", overhead_per_byte=3),
    "wide": replace(_PLAIN, per_byte=0, latency=400),
    "gappy": replace(_PLAIN, gap=200, latency=1),
    "table": replace(_PLAIN, efficiency=((4, Fraction(1, 4)), (64, Fraction(3, 4))), clamp=True),
}
_SCHEDULES = {
    "scatter": collectives.linear_scatter(4, 10),
    "gather": collectives.linear_gather(4, 10),
    "tree": collectives.binomial_scatter(6, 10),
    "broadcast": collectives.doubling_broadcast(5, 9),
    "reduce": collectives.binomial_reduce(5, 8, time=30),
    "ring": collectives.ring_allgather(3, 12),
    "work": checked([[compute(500), send(1, 1)], [receive(1, 0), compute(30)]]),
    "lost": checked([[send(3, 1), send(3, 1), send(5, 1)], [receive(3, 0)]]),
    "lost one": checked([[send(3, 1), send(3, 1)], [receive(3, 0)]]),
    "many": collectives.linear_scatter(66, 1),
    "stuck": checked([[receive(1, 1), send(1, 1)], [receive(1, 0), send(1, 0)]]),
    "nothing": checked([[], [compute(0)]]),
}
_FLOWS = {
    "two": [FairFlow(0, 1, 300.0, 0.0), FairFlow(0, 2, 100.0, 1.0)],
    "empty": [FairFlow(0, 1, 0.0, 2.0)],
    "none": [],
    "many": [FairFlow(number % 3, (number + 1) % 3, 10.0 + number, 0.5 * number) for number in range(66)],
}


def _of_schedule(name: str, schedule: Sequence[Sequence[RankOperation]], link: LogGP) -> Iterator[str]:
    run = run_schedule(schedule, link, record=True)
    screen = Screen(room=200)
    with screen.capture() as told:
        print_messages(screen, run, file=name, unit="ns" if len(name) % 2 else "", seconds=0.125)
    yield told.get()
    result = messages_result(run, file=name, unit="")
    yield json.dumps({key: value for key, value in result.items() if key not in ("ranks", "rank_end")})


def _of_flows(name: str, flows: Sequence[FairFlow]) -> Iterator[str]:
    star = Star(hosts=3, bandwidth=100.0, latency=0.25, backbone=None if name == "two" else 150.0)
    run, screen = run_flows(star, flows), Screen(room=200)
    with screen.capture() as told:
        print_flows(screen, run, star, flows, file=name, seconds=0.125)
    yield told.get()
    yield json.dumps(flows_result(run, file=name))


def messages() -> str:
    """Return what is printed and answered of every schedule by one link, and of two by every link."""
    lines: list[str] = []
    for name, schedule in _SCHEDULES.items():
        for way, link in _LINKS.items():
            if way == "plain" or name in ("tree", "ring"):
                lines += _of_schedule(f"{name} {way}", schedule, link)
    lines += [line for name, flows in _FLOWS.items() for line in _of_flows(name, flows)]
    return "".join(f"{line}\n" for line in lines)


def test_schedules_and_flows_are_told_as_recorded() -> None:
    assert unlike("messages") == [], "if it is meant: python -m tests.golden messages"
