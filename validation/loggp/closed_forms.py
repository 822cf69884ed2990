"""Closed forms of LogGP collectives: eager messages, no overhead per byte (O = 0), processors taken to the last byte.

Source: L4.2. With B = (s - 1) G, a message alone takes one = 2o + L + B;
messages leave a rank si = max(o, g + B) apart, and are taken in by one ri = B + max(o, g) apart.
"""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.messages.model.collectives import children
from ppnsim.messages.model.loggp import Duration, LogGP


def one_way(link: LogGP, size: int) -> Duration:
    """Return one = 2o + L + B.

    Examples
    --------
    >>> one_way(LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6), 1024)
    11638
    """
    _check(link, size)
    return 2 * link.overhead + link.latency + link.after_first(size)


def send_interval(link: LogGP, size: int) -> Duration:
    """Return si = max(o, g + B), the time between two sends of a rank."""
    _check(link, size)
    return max(link.overhead, link.gap + link.after_first(size))


def receive_interval(link: LogGP, size: int) -> Duration:
    """Return ri = B + max(o, g), the time between two messages that a rank accepts."""
    _check(link, size)
    return link.after_first(size) + max(link.overhead, link.gap)


def ping_pong(link: LogGP, size: int, rounds: int) -> Duration:
    """Return the completion of ``rounds`` messages there and back: 2n one.

    Raises
    ------
    InputError
        If g + B > 2 one: the port is then not free when the answer is there.
    """
    if link.gap + link.after_first(size) > 2 * one_way(link, size):
        raise InputError("2n one needs g + B <= 2 one: the port is not free yet when the answer is there")
    return 2 * rounds * one_way(link, size)


def stream(link: LogGP, size: int, messages: int) -> Duration:
    """Return the completion of messages one way, all sent at once: o + L + (n - 1) ri + o + B.

    Messages leave si apart and are accepted ri apart, which is never less.
    """
    return one_way(link, size) + (messages - 1) * receive_interval(link, size)


def linear_scatter(link: LogGP, ranks: int, size: int) -> Duration:
    """Return the completion of the last part: (P - 2) si + one."""
    return (ranks - 2) * send_interval(link, size) + one_way(link, size)


def linear_gather(link: LogGP, ranks: int, size: int) -> Duration:
    """Return the completion at the root: o + L + (P - 2) ri + o + B."""
    return one_way(link, size) + (ranks - 2) * receive_interval(link, size)


def binomial_broadcast(link: LogGP, ranks: int, size: int) -> Duration:
    """Return the completion of a broadcast by halving: the i-th child is ready at t + i si + one, recursively.

    Examples
    --------
    >>> binomial_broadcast(LogGP(latency=2500, overhead=1500, gap=1000, per_byte=6), 2, 1)
    5500
    """
    return _down(link, ranks, [size] * (ranks + 1))


def binomial_scatter(link: LogGP, ranks: int, size: int) -> Duration:
    """Return the completion of a scatter: as the broadcast, each message with the bytes of its subtree."""
    return _down(link, ranks, [size * tree for tree in range(ranks + 1)])


def binomial_gather(link: LogGP, ranks: int, size: int) -> Duration:
    """Return the completion of a gather at the root.

    The head of a child's message arrives at a = ready + o + L, and is accepted at the later of a and one receive
    interval after the message before; the rank is ready o + B after it has accepted the last.
    """
    return _up(link, 0, ranks, size)


def _down(link: LogGP, ranks: int, sizes: list[int]) -> Duration:
    """Return when the last rank is ready; ``sizes`` of messages by the ranks of their subtree."""
    ready: list[Duration] = [0] * ranks
    for rank in range(ranks):
        at = ready[rank]
        for child, tree in reversed(children(rank, ranks)):
            ready[child] = at + one_way(link, sizes[tree])
            at += send_interval(link, sizes[tree])
    return max(ready)


def _up(link: LogGP, rank: int, ranks: int, size: int) -> Duration:
    below = children(rank, ranks)
    arrivals = sorted(
        (_up(link, child, ranks, size) + link.overhead + link.latency, place, size * tree)
        for place, (child, tree) in enumerate(below)
    )
    ready: Duration = 0
    free: Duration = 0
    for arrival, _, amount in arrivals:
        start = max(arrival, free)
        free = start + receive_interval(link, amount)
        ready = start + link.overhead + link.after_first(amount)
    return ready


def _check(link: LogGP, size: int) -> None:
    if link.overhead_per_byte or not link.is_eager(size) or link.receiving != "full" or link.sharing != "fifo":
        words = "hold for eager messages, O = 0, recv_cpu 'full' and sharing 'fifo' (simulate the schedule instead)"
        raise InputError(f"the closed forms {words}", where="loggp")
