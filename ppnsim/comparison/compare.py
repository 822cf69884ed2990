"""Models beside the simulation of a source, point by point, and the largest error explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from os import PathLike
from typing import Any

from ppnsim.comparison.laws.case import Case, Number, PredictionModel
from ppnsim.comparison.laws.named import USUAL, model_named, takers
from ppnsim.comparison.laws.own import model_in_file, own_model
from ppnsim.comparison.model import (
    TOLERANCE,
    ComparedPoint,
    Comparison,
    ModelComparison,
    RefusedPoint,
    Setting,
    point_name,
)
from ppnsim.comparison.regimes import regime
from ppnsim.comparison.run.subject import Difference, Outcome, Subject
from ppnsim.errors import InputError, PpnsimError

Model = str | PathLike[str] | Callable[..., Any]
"""The name of a model, ``FILE.py[:FUNCTION]``, or a function of the parameters."""
Said = tuple[Number | None, str]  # a prediction, or why there is none
MOST_POINTS = 100_000


def models_of(asked: Sequence[Model], kind: str) -> list[PredictionModel]:
    """Return the models that are asked for, the usual one of a kind of source if there is none."""
    if not asked and kind not in USUAL:
        raise InputError(f"is needed: {takers(kind)} this", where="--model")
    found: list[PredictionModel] = []
    for each in asked or (USUAL[kind],):
        if isinstance(each, PathLike) or (isinstance(each, str) and ".py" in each):
            found.append(model_in_file(str(each), kind))
        elif callable(each):
            found.append(own_model(each, kind))
        else:
            found.append(model_named(each, kind))
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError("is there twice (models go by name)", where=f"--model {name}")
    return found


def compare_subject(
    subject: Subject, models: Sequence[PredictionModel], *, tolerance: float = TOLERANCE,
    progress: Callable[[int, int], None] | None = None, simulate: bool = True,
) -> Comparison:  # fmt: skip
    """Compare the points of a subject, or without ``simulate`` only predict them; Ctrl-C keeps those that are there.

    A point that cannot be compared is told with its reason, and the others are compared.

    Raises
    ------
    InputError
        If no point can be compared: with the reason of the first.
    """
    if not 0 <= tolerance < 1:
        raise InputError(f"{tolerance:g} is not a share from 0 to below 1 (5 % is 0.05 or 5%)", where="--tolerance")
    axes: dict[str, tuple[Setting, ...]] = {axis.name: tuple(axis.values) for axis in subject.axes}
    if len(axes) < len(subject.axes):
        raise InputError("names a parameter twice", where="--vary")
    count = prod(len(values) for values in axes.values())
    if count > MOST_POINTS:
        raise InputError(f"{count} points are too many (at most {MOST_POINTS})", where="--vary")
    found = [_Compared(each) for each in models]
    refused: list[RefusedPoint] = []
    interrupted = False
    try:
        for done, chosen in enumerate(product(*axes.values()), 1):
            _add_point(subject, dict(zip(axes, chosen, strict=True)), found, refused, simulate=simulate)
            if progress is not None:
                progress(done, count)
    except KeyboardInterrupt:
        interrupted = True
        if not found[0].points:
            raise
    if refused and not any(each.points for each in found):
        raise InputError(f"{refused[0].name}: {refused[0].reason}")
    return Comparison(
        source=subject.name, kind=subject.kind, quantity=subject.quantity, unit=subject.unit, axes=axes,
        models=tuple(each.explained(subject, axes, tolerance) if simulate else each.alone() for each in found),
        tolerance=tolerance, interrupted=interrupted, simulated=simulate, refused=tuple(refused),
    )  # fmt: skip


def _add_point(
    subject: Subject, values: dict[str, Setting], found: Sequence[_Compared], refused: list[RefusedPoint], *,
    simulate: bool,
) -> None:  # fmt: skip
    """Add the cases of a point to all models, or the reason why it cannot be compared to those that are refused."""
    compared = []
    try:
        for case in subject.cases(values):
            outcome = subject.simulate(case) if simulate else Outcome(None, None)
            compared.append((case, outcome, [_said(each.model, case) for each in found]))
    except PpnsimError as error:
        if not values:
            raise
        refused.append(RefusedPoint(values=values, reason=str(error).removeprefix(f"{point_name(values)}: ")))
        return
    for case, outcome, said in compared:
        for each, (predicted, silent) in zip(found, said, strict=True):
            each.add(case, outcome, predicted, silent)


def _said(model: PredictionModel, case: Case) -> Said:
    """Return what a model says about a case, or why formulas have no answer."""
    try:
        return model.predict(case), ""
    except InputError as reason:
        if model.name != "lost":
            raise
        return None, str(reason)


@dataclass(slots=True)
class _Compared:
    """A model with the points so far; of the worst one its case and outcome are kept, to explain it."""

    model: PredictionModel
    points: list[ComparedPoint] = field(default_factory=list)
    worst: tuple[ComparedPoint, Case, Outcome, Number | None] | None = None

    def add(self, case: Case, outcome: Outcome, predicted: Number | None, silent: str) -> None:
        """Keep a case that has been simulated and predicted."""
        point = ComparedPoint(
            values=case.values, series=case.series, predicted=_plain(predicted), simulated=_plain(outcome.value),
            silent=silent,
        )  # fmt: skip
        self.points.append(point)
        if point.predicted is None and point.simulated is not None:
            return
        if self.worst is None or _badness(point) > _badness(self.worst[0]):
            self.worst = point, case, outcome, predicted

    def alone(self) -> ModelComparison:
        """Return the model's predictions, with nothing beside them."""
        model = self.model
        return ModelComparison(
            model=model.name, assumes=model.assumes, points=tuple(self.points), regime="", worst=None
        )  # fmt: skip

    def explained(self, subject: Subject, axes: Mapping[str, Sequence[Setting]], tolerance: float) -> ModelComparison:
        """Return the model's comparison; the worst point is explained unless the model is exact there."""
        if self.worst is None:
            return replace(self.alone(), regime=regime(self.points, axes, tolerance))
        point, case, outcome, predicted = self.worst
        exact = point.error is not None and not point.error
        ask = self.model.predict if self.model.own else None
        why = None if exact else subject.causes(Difference(case, outcome, self.model.name, predicted, ask))
        told = why.told if why else ()
        return ModelComparison(
            model=self.model.name, assumes=self.model.assumes, points=tuple(self.points),
            regime=regime(self.points, axes, tolerance), worst=point, causes=why.causes if why else (),
            complete=why.complete if why else True, told=(*filter(None, [point.silent]), *told),
        )  # fmt: skip


def _badness(point: ComparedPoint) -> tuple[int, float]:
    """Order points: a deadlock, then by the size of the error, then a deadlock for which the model has no answer."""
    if point.predicted is None:
        return 0, 0.0
    return (2, 0.0) if point.error is None else (1, abs(point.error))


def _plain(number: Number | None) -> float | None:
    """Return a number as JSON has it."""
    return number if number is None or isinstance(number, int) else float(number)
