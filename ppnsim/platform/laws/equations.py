"""RATSS's equations: what nodes, transactions, stages and applications take, in closed form.

Times are seconds, sizes bytes, gaps seconds per byte, clocks hertz; whole numbers and fractions stay exact. Equations
10, 18-20 and 26-27 return a `Time`, whose parts Eq. 14 needs for transactions that do not block. P counts all ranks in
Eq. 19 and 20, and the receivers, one fewer, in Eq. 26 and 27. Eq. 2 (time is the reciprocal of performance), 3, 5, 8,
9, 11, 13, 16, 21 and 23 name quantities and sets; they are the parameters here.

Source: Holland et al. 2011, sections 3.2, 4.2-4.4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppnsim.errors import InputError

Number = Fraction | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """A time in the parts of Eq. 6: delay, quantity x gap, and cost of combining."""

    delay: Fraction
    throughput: Fraction
    cost: Fraction = Fraction(0)

    @property
    def seconds(self) -> Fraction:
        """The whole."""
        return self.delay + self.throughput + self.cost


def service_time(delay: Number, quantity: Number, gap: Number, cost: Number = 0) -> Time:
    """Return delay + quantity * gap + cost (Eq. 1 and 6).

    Examples
    --------
    >>> service_time(2, 10, Fraction(1, 2)).seconds
    Fraction(7, 1)
    """
    return Time(delay=Fraction(delay), throughput=Fraction(quantity * gap), cost=Fraction(cost))


def fpga_time(*, fill: int, elements: int, ops_per_element: int, clock: Number, ops_per_cycle: Number) -> Fraction:
    """Return the execution time of a node (Eq. 4).

    Examples
    --------
    >>> t = fpga_time(fill=11, elements=2**25, ops_per_element=196_608, clock=195_000_000, ops_per_cycle=240)
    >>> round(float(t), 2)
    140.96
    """
    return Fraction(fill) / clock + Fraction(elements * ops_per_element) / (Fraction(clock) * ops_per_cycle)


def bus_gap(rate: Number, efficiency: Number) -> Fraction:
    """Return the gap of an I/O bus (Eq. 7)."""
    return 1 / (Fraction(rate) * efficiency)


def bus_time(*, delay: Number, gap: Number, size: int, directions: int = 1, transfers: int = 1) -> Time:
    """Return the time of an I/O transaction (Eq. 10; Eq. 18 with one direction).

    The paper pays ``delay`` once, however many ``transfers`` a stream takes; give their number to pay it for each.

    Examples
    --------
    >>> write = bus_time(delay=Fraction(16, 10**6), gap=bus_gap(1_064_000_000, Fraction(31, 100)), size=2**27)
    >>> round(float(write.seconds), 4)
    0.4069
    """
    return service_time(Fraction(delay) * transfers, directions * size, gap)


def rounds(ranks: int) -> int:
    """Return log2 P.

    Raises
    ------
    InputError
        If P is not a power of two from 2 on, for which Eq. 19 and 20 do not hold.
    """
    if ranks < 2 or ranks & (ranks - 1):
        words = "is not a power of two from 2 on, so the binomial equations do not hold (simulate it instead)"
        raise InputError(f"P = {ranks} {words}")
    return ranks.bit_length() - 1


def scatter_time(*, ranks: int, latency: Number, overhead: Number, per_byte: Number, size: int) -> Time:
    """Return a binomial scatter of ``size`` bytes to each rank, its own included (Eq. 19); a gather is its mirror.

    Examples
    --------
    >>> link = {"latency": Fraction("108e-6"), "overhead": Fraction("6.75e-6"), "per_byte": Fraction("9.56e-9")}
    >>> [round(float(scatter_time(ranks=2**n, size=2**28 >> n, **link).seconds), 3) for n in (1, 2, 3)]
    [1.283, 1.925, 2.246]
    """
    return service_time(rounds(ranks) * latency + 2 * overhead, (ranks - 1) * size, per_byte)


def reduce_time(
    *, ranks: int, latency: Number, overhead: Number, per_byte: Number, size: int, cost: Number = 0, gap: Number = 0
) -> Time:
    """Return a binomial reduce (Eq. 20), without cost a broadcast.

    Parameters
    ----------
    cost : gamma, seconds per byte that is combined.
    gap : g, which Eq. 20 leaves out and which the printed figures of Table III hold.
    """
    count = rounds(ranks)
    return service_time(count * (latency + 2 * overhead + gap), count * size, per_byte, count * Fraction(cost) * size)


def linear_time(
    *, ranks: int, latency: Number, overhead: Number, gap: Number, per_byte: Number, size: int, cost: Number = 0
) -> Time:
    """Return a collective in which the root exchanges one message with each other rank (Eq. 6 with P - 1 messages).

    The paper names it (the naive scatter) without an equation; messages follow each other by max(o, g).
    """
    others = max(ranks - 1, 0)
    delay = latency + 2 * overhead + max(others - 1, 0) * max(Fraction(overhead), Fraction(gap))
    return service_time(delay, others * size, per_byte, others * Fraction(cost) * size)


def serialised_time(*, receivers: int, latency: Number, per_byte: Number, size: int, overlapped: bool = False) -> Time:
    """Return serialised DMA transfers: scatter or broadcast (Eq. 26), or a gather (Eq. 27).

    ``overlapped`` leaves the last message of a gather, as all others hide behind computation.

    Examples
    --------
    >>> snap = {"latency": Fraction("10.1e-6"), "per_byte": Fraction("1.25e-9"), "receivers": 2}
    >>> float(serialised_time(size=4_193_376, **snap).seconds)
    0.01049354
    >>> float(serialised_time(size=2_795_584, overlapped=True, **snap).seconds)
    0.00350458
    """
    return service_time(latency, size if overlapped else receivers * size, per_byte)


def compute_time(fpgas: Sequence[Number], *, before: Number = 0, beside: Number = 0, after: Number = 0) -> Fraction:
    """Return t_comp: the slowest of FPGAs and microprocessor, between software before and after (Eq. 12, 22, 28)."""
    return Fraction(before + max(*fpgas, beside) + after)


def communication_time(transactions: Sequence[Time], *, blocking: bool = True) -> Fraction:
    """Return t_comm: the sum (Eq. 14, 24, 29), or without blocking all delays and the longest throughput.

    Examples
    --------
    >>> both = [service_time(1, 10, 1), service_time(2, 20, 1)]
    >>> communication_time(both), communication_time(both, blocking=False)
    (Fraction(33, 1), Fraction(23, 1))
    """
    if blocking:
        return sum((each.seconds for each in transactions), Fraction(0))
    delays = sum((each.delay + each.cost for each in transactions), Fraction(0))
    return delays + max((each.throughput for each in transactions), default=Fraction(0))


def stage_time(
    compute: Number, communication: Number, *, iterations: int = 1, configuration: Number = 0, overlap: bool = False
) -> Fraction:
    """Return t_stage: per iteration the sum, or when overlapped the larger (Eq. 15, 25, 30)."""
    each = max(compute, communication) if overlap else compute + communication
    return Fraction(configuration + iterations * each)


def application_time(stages: Sequence[Number], *, iterations: int = 1, pipelined: bool = False) -> Fraction:
    """Return t_application: per iteration the sum of the stages, or the slowest of a pipeline of them (Eq. 17)."""
    return Fraction(iterations * (max(stages) if pipelined else sum(stages)))
