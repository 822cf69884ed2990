"""A second evaluator of the LogGP rules, as plain as they are written: one heap, and whatever must wait goes back."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import RankOperation

ORDER = {"send": 0, "recv": 1, "calc": 2}


def naive_rank_end(schedule: Sequence[Sequence[RankOperation]], link: LogGP) -> tuple[list[int], int]:
    """Return the end of every rank, and how many operations were done."""
    times = (link.overhead, link.latency, link.gap, link.per_byte, link.overhead_per_byte)
    o, big_l, g, big_g, big_o = (int(time) for time in times)
    cpu, gs, gr, end = ([0] * len(schedule) for _ in range(4))
    heap: list[tuple[int, int, Any]] = []
    posted: dict[Any, deque[Any]] = defaultdict(deque)
    accepted: dict[Any, deque[Any]] = defaultdict(deque)
    done: set[tuple[int, int]] = set()
    ready: dict[tuple[int, int], int] = defaultdict(int)
    numbers = iter(range(10**9))

    def create(rank: int, indices: list[int]) -> None:
        for i in sorted(indices, key=lambda i: (ORDER[schedule[rank][i].kind], i)):
            heappush(heap, (ready[rank, i], next(numbers), (schedule[rank][i].kind, rank, i, None)))

    def finish(rank: int, index: int, time: int) -> None:
        done.add((rank, index))
        after = [i for i, each in enumerate(schedule[rank]) if index in each.deps]
        for i in after:
            ready[rank, i] = max(ready[rank, i], time)
        create(rank, [i for i in after if all((rank, dep) in done for dep in schedule[rank][i].deps)])

    def match(now: int, message: tuple[int, int, int, int], rank: int, index: int) -> None:
        source, sent, size, there = message
        time = now if link.receiving == "full" else max(now, there)
        if link.eager is None or size <= link.eager:
            finish(rank, index, time)
            return
        cpu[source], gs[source] = max(cpu[source], now), max(gs[source], now)
        for who, what, when in sorted([(source, sent, now), (rank, index, time)]):
            finish(who, what, when)

    for rank, operations in enumerate(schedule):
        create(rank, [i for i, each in enumerate(operations) if not each.deps])
    while heap:
        now, number, event = heappop(heap)
        kind, rank, index, message = event
        need = {"send": max(cpu[rank], gs[rank]), "recv": 0, "calc": cpu[rank], "msg": max(cpu[rank], gr[rank])}[kind]
        if need > now:
            heappush(heap, (need, number, event))
            continue
        if kind == "send":
            size, to = schedule[rank][index].amount, schedule[rank][index].peer
            held = big_l + o if link.sharing == "exclusive" else g
            cpu[rank], gs[rank] = now + o + (size - 1) * big_o, now + held + (size - 1) * big_g
            heappush(heap, (now + o + big_l, next(numbers), ("msg", to, index, (rank, index, size))))
            if link.eager is None or size <= link.eager:
                finish(rank, index, now)
        elif kind == "calc":
            cpu[rank] = now + schedule[rank][index].amount
            finish(rank, index, cpu[rank])
        elif kind == "recv":
            pair = schedule[rank][index].peer, rank
            if accepted[pair]:
                match(now, accepted[pair].popleft(), rank, index)
            else:
                posted[pair].append(index)
        else:
            size = message[2]
            there = now + o + (size - 1) * max(big_o, big_g)
            cpu[rank] = there if link.receiving == "full" else now + o
            gr[rank] = now + g + (size - 1) * big_g
            end[rank] = max(end[rank], there)
            if posted[message[0], rank]:
                match(now, (*message, there), rank, posted[message[0], rank].popleft())
            else:
                accepted[message[0], rank].append((*message, there))
    return [max(pair) for pair in zip(cpu, end, strict=True)], len(done)
