"""Message schedules: for every rank a list of sends, receives and computations, with what each waits for.

Message k from one rank to another, counted in the order in which they are sent, goes to the k-th receive from that
rank, counted in the order in which they are posted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ppnsim.errors import InputError, did_you_mean

Kind = Literal["send", "recv", "calc"]
KINDS: tuple[Kind, ...] = ("send", "recv", "calc")  # also the order in which operations that are ready together start


@dataclass(frozen=True, slots=True)
class RankOperation:
    """One entry of a rank's list.

    Attributes
    ----------
    kind : ``send``, ``recv`` or ``calc``.
    amount : bytes of a message, or the time of a computation.
    peer : the rank at the other end, None for a computation.
    deps : indices of operations of the same rank that must be done before.
    """

    kind: Kind
    amount: int
    peer: int | None = None
    deps: tuple[int, ...] = ()


Schedule = tuple[tuple[RankOperation, ...], ...]


def send(size: int, to: int, *deps: int) -> RankOperation:
    """Return the sending of a message of ``size`` bytes."""
    return RankOperation("send", size, to, deps)


def receive(size: int, source: int, *deps: int) -> RankOperation:
    """Return the posting of a receive for a message of ``size`` bytes."""
    return RankOperation("recv", size, source, deps)


def compute(time: int, *deps: int) -> RankOperation:
    """Return a computation."""
    return RankOperation("calc", time, None, deps)


def checked(schedule: Sequence[Sequence[RankOperation]]) -> Schedule:
    """Return the schedule, once it keeps to the rules.

    Raises
    ------
    InputError
        At the first operation that breaks one.

    Examples
    --------
    >>> checked([[send(8, 2)], [receive(8, 0)]])
    Traceback (most recent call last):
    ppnsim.errors.InputError: schedule[0][0]: peer = 2 is not a rank (there are 2, from 0 on)
    """
    if not schedule:
        raise InputError("has no rank, so there is nothing to run", where="schedule")
    for rank, operations in enumerate(schedule):
        for index, operation in enumerate(operations):
            words = _fault(operation, rank, index, len(schedule), len(operations))
            if words:
                raise InputError(words, where=place(rank, index))
        check_no_circle(rank, operations)
    return tuple(tuple(operations) for operations in schedule)


def place(rank: int, index: int) -> str:
    """Return what messages call an operation.

    Examples
    --------
    >>> place(3, 7)
    'schedule[3][7]'
    """
    return f"schedule[{rank}][{index}]"


def _fault(operation: RankOperation, rank: int, index: int, ranks: int, operations: int) -> str | None:
    """Return which rule an operation breaks on its own."""
    kind, amount, peer = operation.kind, operation.amount, operation.peer
    if kind not in KINDS:
        return f"kind = {kind!r} is unknown{did_you_mean(str(kind), KINDS)}"
    if kind == "calc":
        if amount < 0:
            return f"time = {amount} is negative"
        if peer is not None:
            return f"peer = {peer} is given, but a calc has none (write null)"
    else:
        if amount < 1:
            return f"bytes = {amount} is below 1 (an empty message counts as one of 1 byte)"
        if peer is None:
            return f"peer is null, but a {kind} needs the rank at the other end"
        if not 0 <= peer < ranks:
            return f"peer = {peer} is not a rank (there are {ranks}, from 0 on)"
        if peer == rank:
            return f"peer = {peer} is the rank itself, and no link leads there"
    for dep in operation.deps:
        if dep == index:
            return f"waits for itself (deps holds {dep})"
        if not 0 <= dep < operations:
            return f"deps holds {dep}, but rank {rank} has {operations} operations, from 0 on"
    return None


def check_no_circle(rank: int, operations: Sequence[RankOperation]) -> None:
    """Raise `InputError` if operations of a rank wait for each other.

    An operation may wait for one later in the list: the order of the list only settles ties.
    """
    if all(dep < index for index, operation in enumerate(operations) for dep in operation.deps):
        return
    waiting = [len(set(operation.deps)) for operation in operations]
    after = followers(operations)
    free = [index for index, count in enumerate(waiting) if not count]
    while free:
        for index in after[free.pop()]:
            waiting[index] -= 1
            if not waiting[index]:
                free.append(index)
    at = next((index for index, count in enumerate(waiting) if count), None)
    if at is None:
        return
    path: list[int] = []
    while at not in path:
        path.append(at)
        at = next(dep for dep in operations[at].deps if waiting[dep])
    circle = " -> ".join(str(index) for index in [*path[path.index(at) :], at])
    raise InputError(f"operations wait for each other in a circle: {circle}", where=place(rank, at))


def followers(operations: Sequence[RankOperation]) -> list[list[int]]:
    """Return for every operation of a rank the operations that wait for it, each once.

    Examples
    --------
    >>> followers([receive(8, 1), compute(5, 0), send(8, 1, 0, 1)])
    [[1, 2], [2], []]
    """
    after: list[list[int]] = [[] for _ in operations]
    for index, operation in enumerate(operations):
        for dep in sorted(set(operation.deps)):
            after[dep].append(index)
    return after
