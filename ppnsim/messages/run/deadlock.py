"""Which rank waits for which message in a deadlock."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.messages.model.schedule import Schedule, place
from ppnsim.messages.run.ranks import Ranks
from ppnsim.messages.run.record import MessageDeadlock, Waiting


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
