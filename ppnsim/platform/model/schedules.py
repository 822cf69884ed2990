"""The message schedules behind the collectives of a stage."""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.messages.model import collectives
from ppnsim.messages.model.schedule import Schedule, checked, compute, receive, send
from ppnsim.platform.model.stages import Collective


def collective_schedule(transfer: Collective, ranks: int, combining: int) -> Schedule:
    """Return the messages of a collective; ``combining`` is the time of one combination, in the unit of the links.

    ``serialised`` is the linear schedule: the root's port takes one message after the other, as an arbiter would.

    Raises
    ------
    InputError
        If there are fewer than two ranks, or a ring is asked for anything but to gather.

    Examples
    --------
    >>> snap = Collective(
    ...     name="g", over="snap", pattern="gather", algorithm="serialised", size=8, root="host", group="map"
    ... )
    >>> [len(operations) for operations in collective_schedule(snap, 3, 0)]
    [2, 1, 1]
    """
    size, pattern = transfer.size, transfer.pattern
    where = f"transfer '{transfer.name}'"
    if ranks < 2:
        raise InputError(f"joins {ranks} node, and a collective needs at least 2", where=where)
    if transfer.algorithm == "ring":
        if pattern != "gather":
            raise InputError(f"algorithm = 'ring' is for gather (all get all), not for {pattern}", where=where)
        return collectives.ring_allgather(ranks, size)
    if transfer.algorithm == "binomial":
        if pattern == "reduce":
            return collectives.binomial_reduce(ranks, size, time=combining)
        trees = {
            "scatter": collectives.binomial_scatter, "broadcast": collectives.binomial_broadcast,
            "gather": collectives.binomial_gather,
        }  # fmt: skip
        return trees[pattern](ranks, size)
    if pattern in ("scatter", "broadcast"):
        return collectives.linear_scatter(ranks, size)
    if pattern == "gather" or not combining:
        return collectives.linear_gather(ranks, size)
    root = [receive(size, rank) for rank in range(1, ranks)]
    root += [compute(combining, index) for index in range(ranks - 1)]
    return checked([root, *([send(size, 0)] for _ in range(1, ranks))])


def message_sizes(transfer: Collective, ranks: int) -> set[int]:
    """Return the sizes of the messages of a collective in bytes.

    Examples
    --------
    >>> tree = Collective(
    ...     name="s", over="net", pattern="scatter", algorithm="binomial", size=8, root="n", group="n"
    ... )
    >>> sorted(message_sizes(tree, 6))
    [8, 16]
    """
    schedule = collective_schedule(transfer, ranks, 0)
    return {each.amount for operations in schedule for each in operations if each.kind == "send"}
