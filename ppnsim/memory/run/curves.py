"""Curves of a memory: simulated bandwidth and latency beside the analytic law (`curve_laws`), and why the two part.

The residual is explained by counterfactuals: the point is simulated again with one limit taken away (no refresh, equal
bank groups, no four-activate window, segments in one row, more requests under way), and the limit whose loss costs most
is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.curve_laws import SWEEPS as SWEEPS
from ppnsim.memory.laws import ceilings
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.run.traffic import run_memory

AGREES = 0.02
"""Residuals up to here need no reason."""
_ENDLESS = 2**40


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """A point: ``x`` in the unit of its sweep, bandwidths in GB/s, ``residual`` = simulated / law - 1."""

    sweep: str
    series: str
    x: float
    bandwidth: float
    latency: float
    law: float
    because: str

    @property
    def residual(self) -> float:
        """Simulated over law, minus 1."""
        return self.bandwidth / self.law - 1


def memory_curve(
    dram: Dram, sweep: str, *, values: Sequence[int] = (), requests: int = 10_000,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[CurvePoint]:  # fmt: skip
    """Yield the points of a sweep of one channel, one by one; at the usual values unless others are given.

    Raises
    ------
    InputError
        If there is no sweep of that name.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> for point in memory_curve(preset("DDR4-2400").dram, "banks", requests=2000):
    ...     print(int(point.x), round(point.bandwidth, 1), round(point.law, 1))
    1 1.3 1.3
    2 2.6 2.6
    4 5.1 5.2
    8 9.7 10.5
    16 11.2 11.3
    """
    if sweep not in SWEEPS:
        raise InputError(f"'{sweep}' is not a sweep{did_you_mean(sweep, SWEEPS)}")
    dram = replace(dram, channels=1)
    points = list(SWEEPS[sweep].points(dram, requests, values))
    for number, (series, x, traffic, law) in enumerate(points):
        run = run_memory(dram, traffic)
        because = ""
        if abs(run.bandwidth_gbps / law - 1) > AGREES:
            because = explain(dram, traffic, run.bandwidth_gbps, law, limited=sweep == "outstanding")
        yield CurvePoint(
            sweep=sweep, series=series, x=x, bandwidth=run.bandwidth_gbps, latency=run.latency_ns, law=law,
            because=because,
        )  # fmt: skip
        if progress is not None:
            progress(number + 1, len(points))


def explain(dram: Dram, traffic: Traffic, bandwidth: float, law: float, *, limited: bool) -> str:
    """Return which assumption of a law fails where the simulated bandwidth leaves it.

    ``limited`` says that the law counts the requests under way itself.
    """
    if bandwidth > law:
        if traffic.pattern == "chain" and traffic.outstanding > 1:
            return "chains overlap: one has the bus while another waits for its bank; the law adds the two times"
        return "part of the latency that the law charges every request is hidden or spared (rows that are still open)"
    gains = {
        why: run_memory(other, asked).bandwidth_gbps / bandwidth / known - 1
        for why, other, asked, known in without_limits(dram, traffic, limited=limited)
    }
    most = max(gains, key=lambda why: gains[why])
    if gains[most] < 0.01:
        return "waits of several kinds add up; none of them is more than 1 %"
    return f"{most} (without it {100 * gains[most]:+.0f} %)"


def without_limits(dram: Dram, traffic: Traffic, *, limited: bool) -> Iterator[tuple[str, Dram, Traffic, float]]:
    """Yield the point with one limit taken away, for each of them, and how much of the gain the law knows of."""
    timing = dram.timing
    top = ceilings(dram)
    endless = _with(dram, trefi=_ENDLESS)
    # Little's law with an unloaded latency knows of no refresh.
    known = 1 if limited else ceilings(endless).peak / top.peak
    yield "refresh: a rank waits for tRFC at a time", endless, traffic, known
    if dram.groups > 1:
        even = _with(dram, tccd_l=timing.tccd_s, trrd_l=timing.trrd_s, twtr_l=timing.twtr_s)
        yield "tCCD_L, tRRD_L: accesses that meet in one bank group", even, traffic, 1
    yield "tFAW: four activates at a time", _with(dram, tfaw=0), traffic, 1
    if traffic.burst > 1 and not dram.mapping.endswith("co"):
        words = "address mapping: the bursts of a segment lie in several banks, each of which opens a row"
        yield words, replace(dram, mapping=dram.mapping.replace("co", "") + "co"), traffic, 1
    # The precharge stays: an idle bank with another row open takes as long as the laws say.
    yield "tRC: bursts meet in banks that are busy with another row", _with(dram, tras=1, trtp=0), traffic, 1
    if traffic.pattern != "chain" and not limited:
        more = replace(traffic, outstanding=4 * traffic.outstanding)
        deep = replace(dram, transaction_queue=4 * dram.transaction_queue)
        yield "outstanding limit: more requests must be under way than Little's law says", deep, more, 1


def _with(dram: Dram, **times: int) -> Dram:
    return replace(dram, timing=replace(dram.timing, **times))
