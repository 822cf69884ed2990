"""Runs message schedules on links that are shared fairly, instead of on LogGP links."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import cast

from simpy import AllOf, Environment, Event, Resource

from ppnsim.errors import InputError
from ppnsim.messages.model.flows import Star
from ppnsim.messages.model.schedule import RankOperation, checked
from ppnsim.messages.run.flows import FairLinks


def run_fairly(schedule: Sequence[Sequence[RankOperation]], star: Star) -> tuple[float, ...]:
    """Return when the last operation of each rank was done, in seconds.

    A rank starts all sends whose data is complete; they share its link. A send is done when its last byte has arrived,
    and so is the receive that matches it; neither costs the processor anything. Computations, in seconds, follow one
    another. Messages flow whether or not their receives are posted.

    Raises
    ------
    InputError
        If the schedule breaks a rule, has more ranks than the star has hosts, or cannot end.

    Examples
    --------
    >>> from ppnsim.messages.model.collectives import linear_scatter
    >>> run_fairly(linear_scatter(3, 1000), Star(hosts=3, bandwidth=1000.0, latency=0.5))
    (3.0, 3.0, 3.0)
    """
    ranks = checked(schedule)
    if len(ranks) > star.hosts:
        raise InputError(f"{len(ranks)} ranks do not fit on {star.hosts} hosts", where="star")
    env = Environment(initial_time=0.0)
    links = FairLinks(env, star.capacity)
    arrivals = _arrivals(env, ranks)
    ends = []
    for rank, operations in enumerate(ranks):
        done, processor = [env.event() for _ in operations], Resource(env)
        for index, operation in enumerate(operations):
            before = [done[dep] for dep in operation.deps]
            env.process(
                _perform(env, operation, before, done[index], arrivals[rank][index], links, star, rank, processor)
            )
        ends.append(env.process(_last(env, done)))
    env.run()
    stuck = [rank for rank, end in enumerate(ends) if not end.processed]
    if stuck:
        raise InputError(f"the schedule cannot end: ranks {stuck} wait for messages or for each other")
    return tuple(cast("float", end.value) for end in ends)


def _arrivals(env: Environment, ranks: Sequence[Sequence[RankOperation]]) -> list[list[Event | None]]:
    """Return for each send and receive the event of the last byte's arrival: the k-th of a pair share one."""
    events: dict[tuple[int, int, int], Event] = {}
    found: list[list[Event | None]] = []
    for rank, operations in enumerate(ranks):
        counts: dict[tuple[str, int], int] = {}
        row: list[Event | None] = []
        for operation in operations:
            if operation.peer is None:
                row.append(None)
                continue
            number = counts[operation.kind, operation.peer] = counts.get((operation.kind, operation.peer), -1) + 1
            ends = (rank, operation.peer) if operation.kind == "send" else (operation.peer, rank)
            row.append(events.setdefault((*ends, number), env.event()))
        found.append(row)
    return found


def _perform(
    env: Environment,
    operation: RankOperation,
    before: list[Event],
    done: Event,
    arrival: Event | None,
    links: FairLinks,
    star: Star,
    rank: int,
    processor: Resource,
) -> Generator[Event, object, None]:
    yield AllOf(env, before)
    if operation.peer is None:
        with processor.request() as turn:
            yield turn
            yield env.timeout(operation.amount)
    elif operation.kind == "send":
        yield links.transfer(star.route(rank, operation.peer), operation.amount, delay=star.delay)
        if arrival is not None:
            arrival.succeed()
    elif arrival is not None:
        yield arrival
    done.succeed()


def _last(env: Environment, done: list[Event]) -> Generator[Event, object, float]:
    yield AllOf(env, done)
    return float(env.now)
