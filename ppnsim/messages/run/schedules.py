"""Runs message schedules on LogGP ranks, and says which rank waits for which message in a deadlock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from simpy import Environment

from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import KINDS, RankOperation, Schedule, checked, followers, place
from ppnsim.messages.run.agenda import PendingOperation
from ppnsim.messages.run.ranks import Ranks
from ppnsim.messages.run.record import MessageDeadlock, MessageRun, Waiting

_ORDER = {kind: number for number, kind in enumerate(KINDS)}
_REPORT = 5_000  # operations between two reports of progress


def run_schedule(
    schedule: Sequence[Sequence[RankOperation]],
    link: LogGP,
    *,
    record: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> MessageRun:
    """Run a message schedule; a deadlock is returned, not raised.

    Parameters
    ----------
    schedule : for every rank its operations.
    link : the parameters of all links.
    record : keep the intervals of every rank.
    progress : called now and then with the operations done, and all.

    Raises
    ------
    InputError
        If the schedule breaks a rule, or a message meets a receive of another size.

    Examples
    --------
    >>> from ppnsim.messages.model.schedule import receive, send
    >>> link = LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6)
    >>> ping_pong = [[send(1024, 1), receive(1024, 1, 0)], [receive(1024, 0), send(1024, 0, 0)]]
    >>> run_schedule(ping_pong, link).rank_end
    (23276, 13138)
    """
    env = Environment()
    ranks = Ranks(env, link, len(schedule), record=record)
    driver = _Driver(ranks, checked(schedule), progress)
    env.run()
    ranks.close()
    end = tuple(ranks.end(rank) for rank in range(len(schedule)))
    deadlock = explain(driver.schedule, driver.done, ranks, at=int(env.now)) if driver.undone else None
    return MessageRun(
        completion=None if deadlock else max(end), rank_end=end, messages=ranks.messages, sent=ranks.sent,
        unreceived=sum(len(messages) for messages in ranks.accepted.values()), deadlock=deadlock,
        intervals=tuple(each for rank, record in enumerate(ranks.records) for each in record.intervals(rank)),
    )  # fmt: skip


class _Driver:
    """Creates operations when all they wait for is done."""

    def __init__(self, ranks: Ranks, schedule: Schedule, progress: Callable[[int, int], None] | None) -> None:
        self.schedule = schedule
        self.done = [[False] * len(operations) for operations in schedule]
        self.undone = self._all = sum(len(operations) for operations in schedule)
        self._ranks, self._progress = ranks, progress
        self._after = [followers(operations) for operations in schedule]
        self._missing = [[len(set(operation.deps)) for operation in operations] for operations in schedule]
        self._ready = [[0] * len(operations) for operations in schedule]
        for rank, missing in enumerate(self._missing):
            self._create(rank, [index for index, count in enumerate(missing) if not count])

    def _create(self, rank: int, indices: Iterable[int]) -> None:
        operations, ranks, ready = self.schedule[rank], self._ranks, self._ready[rank]
        for index in sorted(indices, key=lambda index: (_ORDER[operations[index].kind], index)):
            operation = operations[index]
            size, peer, at, done = operation.amount, operation.peer, ready[index], self._done
            if peer is None:
                ranks.compute(rank, size, ready=at, done=done, tag=index)
            elif operation.kind == "send":
                ranks.send(rank, to=peer, size=size, ready=at, done=done, tag=index)
            else:
                ranks.receive(rank, source=peer, size=size, ready=at, done=done, tag=index)

    def _done(self, task: PendingOperation, time: int) -> None:
        rank, index = task.rank, task.tag
        self.done[rank][index] = True
        self.undone -= 1
        if self._progress is not None and self.undone % _REPORT == 0:
            self._progress(self._all - self.undone, self._all)
        missing, ready, free = self._missing[rank], self._ready[rank], []
        for after in self._after[rank][index]:
            ready[after] = max(ready[after], time)
            missing[after] -= 1
            if not missing[after]:
                free.append(after)
        if free:
            self._create(rank, free)


def explain(schedule: Schedule, done: Sequence[Sequence[bool]], ranks: Ranks, *, at: int) -> MessageDeadlock:
    """Return the deadlock: every posted receive without its message, every large message without its receive.

    Nothing else can hold a schedule up: a computation ends, and what has not started waits for one of these.
    """
    waiting = []
    for (source, rank, _), receives in ranks.posted.items():
        for ahead, receive in enumerate(receives):
            kind, missing = _nth_missing(schedule, done, source, rank, "send", ahead)
            words = f"waits for message {kind} from rank {source} ({receive.amount} bytes): {missing}"
            waiting.append(Waiting(rank=rank, index=receive.tag, reason=words))
    for (source, rank, _), messages in ranks.accepted.items():
        for ahead, message in enumerate(messages):
            if ranks.link.is_eager(message.amount):
                continue
            kind, missing = _nth_missing(schedule, done, rank, source, "recv", ahead)
            words = f"waits for receive {kind} of rank {rank} ({message.amount} bytes, above S = {ranks.link.eager})"
            waiting.append(Waiting(rank=source, index=message.tag, reason=f"{words}: {missing}"))
    return MessageDeadlock(
        at=at,
        done=sum(sum(each) for each in done),
        operations=sum(len(operations) for operations in schedule),
        waiting=tuple(sorted(waiting, key=lambda each: (each.rank, each.index))),
    )


def _nth_missing(
    schedule: Schedule, done: Sequence[Sequence[bool]], rank: int, peer: int, kind: str, ahead: int
) -> tuple[int, str]:
    """Return the number of the message that ``rank`` owes ``peer``, and what keeps it from coming."""
    own = [i for i, each in enumerate(schedule[rank]) if each.kind == kind and each.peer == peer]
    blocked = [i for i in own if _root(schedule, done, rank, i) != i]
    number = len(own) - len(blocked) + ahead
    if ahead >= len(blocked):
        verb = "sends" if kind == "send" else "receives"
        return number, f"rank {rank} {verb} only {len(own)} there"
    at = blocked[ahead]
    return number, f"{place(rank, at)} waits for {place(rank, _root(schedule, done, rank, at))}"


def _root(schedule: Schedule, done: Sequence[Sequence[bool]], rank: int, index: int) -> int:
    """Return the first of the operations that ``index`` waits for which has started, itself if it has."""
    while True:
        missing = [dep for dep in schedule[rank][index].deps if not done[rank][dep]]
        if not missing:
            return index
        index = min(missing)
