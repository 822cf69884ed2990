"""LogGP ranks: 100 000 messages between 64 ranks, in three patterns; the goal is 20 s for each.

Run with ``python -m pytest tests/benchmarks/test_messages.py -o addopts=""``; messages/s are in ``extra_info``.
"""

import random
from typing import Any

import pytest

from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import RankOperation, receive, send
from ppnsim.messages.run.schedules import run_schedule

RANKS, MESSAGES = 64, 100_000
LINK = LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6)


def at_once() -> list[list[RankOperation]]:
    """Everybody to anybody, all sends ready at time 0: thousands wait at every port."""
    random.seed(1)
    schedule: list[list[RankOperation]] = [[] for _ in range(RANKS)]
    for _ in range(MESSAGES):
        source, target = random.sample(range(RANKS), 2)
        size = random.randint(1, 4096)
        schedule[source].append(send(size, target))
        schedule[target].append(receive(size, source))
    return schedule


def ring() -> list[list[RankOperation]]:
    """Every rank sends to its right, then receives from its left, over and over."""
    schedule: list[list[RankOperation]] = [[] for _ in range(RANKS)]
    for rank, operations in enumerate(schedule):
        for _ in range(MESSAGES // RANKS):
            operations.append(send(1024, (rank + 1) % RANKS, *_last(operations)))
            operations.append(receive(1024, (rank - 1) % RANKS, *_last(operations)))
    return schedule


def to_one() -> list[list[RankOperation]]:
    """All to rank 0, which has 100 000 messages before its port."""
    each = MESSAGES // (RANKS - 1)
    others = range(1, RANKS)
    return [[receive(64, rank) for rank in others for _ in range(each)], *([send(64, 0)] * each for _ in others)]


def _last(operations: list[RankOperation]) -> list[int]:
    return [len(operations) - 1] if operations else []


@pytest.mark.parametrize("pattern", [at_once, ring, to_one], ids=lambda pattern: pattern.__name__)
@pytest.mark.parametrize("record", [True, False], ids=["with intervals", "without"])
def test_messages_per_second(benchmark: Any, pattern: Any, record: bool) -> None:
    schedule = pattern()
    run = benchmark.pedantic(lambda: run_schedule(schedule, LINK, record=record), rounds=1)
    assert run.deadlock is None
    benchmark.extra_info["messages_per_second"] = round(run.messages / benchmark.stats.stats.min)
