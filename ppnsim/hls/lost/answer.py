"""The answer that is reported: where the cycles of a kernel's designs go, and predictions for other sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.hls.lost.designs import LoopDesign
from ppnsim.hls.lost.model import LostCycleModel


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePrediction:
    """The split that formulas predict for some sizes, None for a ``reason``, beside that of the schedule."""

    sizes: Mapping[str, int]
    predicted: CycleSplit | None
    scheduled: CycleSplit
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class DesignLosses:
    """The split of a design; then its formulas, or the ``reason`` why none was found, and predictions.

    Without formulas and without a reason nothing has been learned.
    """

    design: LoopDesign
    split: CycleSplit
    model: LostCycleModel | None = None
    reason: str = ""
    predictions: list[SizePrediction] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelLosses:
    """The designs of a kernel on a device at a clock, as far as they were looked at."""

    function: str
    device: str
    clock_ns: float
    designs: list[DesignLosses] = field(default_factory=list)
