"""All that was asked of a kernel, and what came out: predicted, advised, tuned, swept, executed."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.opencl.combinations import BestDesign
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.predicted import PredictedDesign
from ppnsim.opencl.run import OpenclRun


@dataclass(slots=True)
class PathStep:
    """A step of the tuning path, and its execution if that was asked for."""

    predicted: PredictedDesign
    run: OpenclRun | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """The kernel at one value of the swept parameter: cycles predicted, and executed if that was asked for; B_itpp."""

    value: int
    cycles: float
    executed: int | None
    itpp: float


@dataclass(slots=True, kw_only=True)
class OpenclAnswer:
    """What is known of a kernel; what was not asked for is None.

    Attributes
    ----------
    now, advice : its design as it is, and the next one that is worth doing.
    run : of the design as it is.
    path, best, sweep : steps of the tuning path, the best of all combinations, points of a sweep.
    interrupted : Ctrl-C ended the tuning path or the sweep.
    """

    kernel: Kernel
    now: PredictedDesign
    advice: PredictedDesign | None
    run: OpenclRun | None = None
    path: list[PathStep] | None = None
    best: BestDesign | None = None
    sweep: list[SweepPoint] | None = None
    interrupted: bool = False
