"""A design of a kernel with all that is predicted of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.design import Design
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.laws import KernelPrediction, predict
from ppnsim.opencl.optimise import applied
from ppnsim.opencl.potentials import Potentials, potentials


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedDesign:
    """A design with what is predicted of it, and why it was chosen (empty for the first)."""

    design: Design
    prediction: KernelPrediction
    potentials: Potentials
    why: str = ""

    @property
    def seconds(self) -> Fraction:
        """Predicted time."""
        return self.prediction.seconds

    @property
    def fits(self) -> bool:
        """Whether the device has room for it."""
        return self.prediction.fits


def look(kernel: Kernel, board: OpenclBoard, design: Design, why: str = "") -> PredictedDesign:
    """Return the prediction and the potentials of a design."""
    prediction = predict(applied(kernel, design), board)
    return PredictedDesign(design=design, prediction=prediction, potentials=potentials(prediction, board), why=why)
