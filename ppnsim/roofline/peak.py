"""The compute bound: peak performance from the operator mix and the resources of the device.

Source: Siracusa et al., "A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model", 2021, section
4.2 (Eq. 1 to 5). Rates are per ns (1e9 per second), bandwidths GB/s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.boards.board import RESOURCES
from ppnsim.roofline.accelerator import OperatorUse


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The compute bound.

    Attributes
    ----------
    needed : resources of one unit per operation, c_r (Eq. 1).
    scale : how many times that exceeds the device, SF (Eq. 2); ``bound`` is the resource that sets it.
    units : units that fit, i_op by operator (Eq. 3).
    operations, performance : per ns, all operators (Eq. 4) and what the metric counts (Eq. 5), with the allowance.
    """

    needed: Mapping[str, float]
    scale: float
    bound: str
    units: Mapping[str, float]
    operations: float
    performance: float


def peak_performance(
    operators: Sequence[OperatorUse], available: Mapping[str, float], frequency: float, work: float,
    allowance: float = 0.8,
) -> Peak:  # fmt: skip
    """Return the peak performance of an operator mix on a device (Eq. 1 to 5).

    Examples
    --------
    >>> mix = [OperatorUse(name="add", count=10, cost={"dsp": 2}), OperatorUse(name="mul", count=20, cost={"dsp": 3})]
    >>> peak = peak_performance(mix, {"dsp": 160}, 0.25, work=10)
    >>> peak.needed["dsp"], peak.scale, peak.units, peak.operations, peak.performance
    (80, 0.5, {'add': 20.0, 'mul': 40.0}, 12.0, 4.0)
    """
    needed = {kind: sum(use.count * use.cost.get(kind, 0) for use in operators) for kind in RESOURCES}
    shares = {kind: need / available[kind] for kind, need in needed.items() if need}
    bound = max(shares, key=lambda kind: shares[kind])
    scale = shares[bound]
    units = {use.name: use.count / scale for use in operators}
    return Peak(
        needed=needed, scale=scale, bound=bound, units=units,
        operations=allowance * frequency * sum(use.count for use in operators) / scale,
        performance=allowance * frequency * work / scale,
    )  # fmt: skip
