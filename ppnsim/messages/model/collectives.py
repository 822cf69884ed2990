"""Collective operations as message schedules: linear, binomial, ring.

Trees are those of L4.1: the children of rank r are r + 2^j below r's lowest set bit (of the root: all), and the
subtree of such a child has min(2^j, P - r - 2^j) ranks. ``size`` is what one rank contributes or gets, in bytes; the
root is rank 0. A DMA engine that takes the messages of a linear collective one after the other is the same schedule on
links with ``receiving="overhead"``, pipelined with ``sharing="fifo"``, or each to its last byte with ``"exclusive"``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.errors import InputError
from ppnsim.messages.model.schedule import RankOperation, Schedule, checked, compute, receive, send


def children(rank: int, ranks: int) -> list[tuple[int, int]]:
    """Return the children of a rank in the binomial tree with the ranks in their subtrees, nearest first.

    Examples
    --------
    >>> children(0, 6), children(4, 6)
    ([(1, 1), (2, 2), (4, 2)], [(5, 1)])
    """
    found, step = [], 1
    while rank + step < ranks and (rank == 0 or step < rank & -rank):
        found.append((rank + step, min(step, ranks - rank - step)))
        step *= 2
    return found


def parent(rank: int) -> int:
    """Return the parent of a rank, not the root, in the binomial tree.

    Examples
    --------
    >>> parent(6), parent(5), parent(4)
    (4, 4, 0)
    """
    return rank - (rank & -rank)


def linear_scatter(ranks: int, size: int) -> Schedule:
    """Return the root sending its part to each rank, one after the other.

    Examples
    --------
    >>> [len(operations) for operations in linear_scatter(4, 64)]
    [3, 1, 1, 1]
    """
    others = _others(ranks)
    return checked([[send(size, rank) for rank in others], *([receive(size, 0)] for _ in others)])


def linear_gather(ranks: int, size: int) -> Schedule:
    """Return every rank sending its part to the root.

    Examples
    --------
    >>> [each.peer for each in linear_gather(4, 64)[0]]
    [1, 2, 3]
    """
    others = _others(ranks)
    return checked([[receive(size, rank) for rank in others], *([send(size, 0)] for _ in others)])


def binomial_scatter(ranks: int, size: int) -> Schedule:
    """Return parts going down the tree, each child getting those of its subtree, the farthest first.

    Examples
    --------
    >>> [(each.peer, each.amount) for each in binomial_scatter(8, 10)[0]]
    [(4, 40), (2, 20), (1, 10)]
    """
    return _down(ranks, [[(child, size * tree) for child, tree in reversed(children(r, ranks))] for r in range(ranks)])


def binomial_broadcast(ranks: int, size: int) -> Schedule:
    """Return a message going down the tree of `binomial_scatter`, the farthest child first (halving).

    Examples
    --------
    >>> [each.peer for each in binomial_broadcast(8, 10)[4]]
    [0, 6, 5]
    """
    return _down(ranks, [[(child, size) for child, _ in reversed(children(r, ranks))] for r in range(ranks)])


def doubling_broadcast(ranks: int, size: int) -> Schedule:
    """Return a message going from r to r + 2^j for all 2^j > r, the nearest first (doubling).

    Examples
    --------
    >>> [each.peer for each in doubling_broadcast(8, 10)[1]]
    [0, 3, 5]
    """
    sends = []
    for rank in range(ranks):
        step = 1 << rank.bit_length()
        targets = []
        while rank + step < ranks:
            targets.append((rank + step, size))
            step *= 2
        sends.append(targets)
    return _down(ranks, sends)


def binomial_gather(ranks: int, size: int) -> Schedule:
    """Return parts going up the tree, each rank sending those of its subtree once it has them.

    Examples
    --------
    >>> [(each.kind, each.amount) for each in binomial_gather(8, 10)[4]]
    [('recv', 10), ('recv', 20), ('send', 40)]
    """
    return _up(ranks, size, time=None)


def binomial_reduce(ranks: int, size: int, *, time: int) -> Schedule:
    """Return messages of one size going up the tree, combined in ``time`` after each receive.

    Examples
    --------
    >>> [(each.kind, each.deps) for each in binomial_reduce(4, 10, time=5)[0]]
    [('recv', ()), ('calc', (0,)), ('recv', ()), ('calc', (2, 1))]
    """
    return _up(ranks, size, time=time)


def ring_allgather(ranks: int, size: int) -> Schedule:
    """Return P - 1 rounds in which every rank hands the part that it got last to its right neighbour.

    Examples
    --------
    >>> ring_allgather(3, 10)[0] == (send(10, 1), receive(10, 2), send(10, 1, 1), receive(10, 2, 1))
    True
    """
    _others(ranks)
    rounds = []
    for rank in range(ranks):
        operations: list[RankOperation] = []
        for _ in range(ranks - 1):
            got = [len(operations) - 1] if operations else []
            operations += [send(size, (rank + 1) % ranks, *got), receive(size, (rank - 1) % ranks, *got)]
        rounds.append(operations)
    return checked(rounds)


def _others(ranks: int) -> range:
    if ranks < 2:
        raise InputError(f"ranks = {ranks}: a collective needs at least 2")
    return range(1, ranks)


def _down(ranks: int, sends: Sequence[Sequence[tuple[int, int]]]) -> Schedule:
    """Return what has reached a rank going on to others: (rank, bytes) in order of sending."""
    came = {child: (rank, size) for rank, each in enumerate(sends) for child, size in each}
    schedule = [[send(size, child) for child, size in sends[0]]]
    for rank in _others(ranks):
        source, got = came[rank]
        schedule.append([receive(got, source), *(send(size, child, 0) for child, size in sends[rank])])
    return checked(schedule)


def _up(ranks: int, size: int, time: int | None) -> Schedule:
    """Return gather, or reduce if there is a time for combining."""
    _others(ranks)
    schedule = []
    for rank in range(ranks):
        operations: list[RankOperation] = []
        needed: list[int] = []
        total = 1
        for child, tree in children(rank, ranks):
            operations.append(receive(size * tree if time is None else size, child))
            needed.append(len(operations) - 1)
            total += tree
            if time is not None:
                operations.append(compute(time, len(operations) - 1, *needed[:-1]))
                needed = [len(operations) - 1]
        if rank:
            operations.append(send(size * total if time is None else size, parent(rank), *needed))
        schedule.append(operations)
    return checked(schedule)
