"""``ppnsim.predict``: what a model says of a source, without simulating it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ppnsim.comparison.compare import Model
from ppnsim.library.compare import ComparedModels, compare


class PredictedModels(ComparedModels):
    """What models predict of a source, with no simulation beside it; `comparison` has all of it."""

    @property
    def value(self) -> float | None:
        """The first prediction of the first model, in `unit`; None if it has none there, as of a circle of data."""
        return self.models[0].points[0].predicted

    def __repr__(self) -> str:
        told = ", ".join(f"{each.model} {each.points[0].predicted}" for each in self.models)
        more = f", first of {len(self.models[0].points)} points" if len(self.models[0].points) > 1 else ""
        return f"<PredictedModels: {told} {self.unit}{more}>"

    @property
    def unit(self) -> str:
        """The unit of predictions: cycles, s or GB/s."""
        return self.comparison.unit


def predict(
    source: object,
    model: Model | Sequence[Model] | None = None,
    *,
    vary: Mapping[str, Any] | str | Sequence[str] = (),
    design: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PredictedModels:
    """Predict with a model by name, or one of your own, how long a source takes, without simulating it.

    This is what `ppnsim.compare` lays beside simulations, and ``ppnsim compare --no-simulate`` tells.

    Parameters
    ----------
    source : a file, the name of a memory's preset, or an object that `ppnsim.load` returns, as of `ppnsim.compare`.
    model : ``absolute``, ``unbounded``, ``bounds``, ``busiest`` (networks), ``lost`` (schedules of C kernels),
        ``ratss`` (platforms), ``opencl``, ``roofline``, ``memory``; a function of the parameters, or the path of a
        Python file with one; or several of them. Default: the usual one of the source.
    vary : values by name of the parameter; all combinations are predicted.
    design : of an OpenCL kernel, or of a C kernel whose schedule is predicted.
    progress : called with points done and points in all.
    options : for a path: what `ppnsim.load` takes, as ``settings`` and ``device`` of C.

    Raises
    ------
    InputError
        If the source cannot be read, or a model does not take it; the message names those that do.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> found = predict(fork_join(firings=20), "absolute")
    >>> found
    <PredictedModels: absolute 37 cycles>
    >>> found.value
    37
    >>> found = predict(fork_join(firings=20), ["bounds", "busiest"], vary={"split.ii": [1, 2]})
    >>> found.to_frame()["predicted.busiest"].tolist()
    [33, 40]
    """
    found = compare(source, model, vary=vary, design=design, simulate=False, progress=progress, **options)
    return PredictedModels(comparison=found.comparison)
