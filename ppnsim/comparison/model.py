"""A model beside a simulation: points with their errors, causes of the largest, and the whole as one typed result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Any, NamedTuple

Setting = int | float | str | bool
TOLERANCE = 0.05
"""Relative error up to which a model holds, where nobody says another one."""


class Cause(NamedTuple):
    """An assumption that does not hold at a point, or a stall that explains it; None where it has no amount."""

    words: str
    amount: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPoint:
    """One point of a sweep.

    Attributes
    ----------
    values : of the parameters, by name.
    series : the part that is compared, where a point has several (a port of a memory); else "".
    predicted : None where the model gives no number; ``silent`` then says why.
    simulated : None after a deadlock.
    """

    values: Mapping[str, Setting]
    series: str = ""
    predicted: float | None
    simulated: float | None
    silent: str = ""

    @property
    def error(self) -> float | None:
        """``predicted / simulated - 1``: below 0 the model promises too little; None where one of the two is missing.

        Examples
        --------
        >>> ComparedPoint(values={"n": 4}, predicted=90, simulated=100).error
        -0.1
        """
        if self.predicted is None or self.simulated is None:
            return None
        if not self.simulated:
            return 0.0 if not self.predicted else inf
        return (self.predicted - self.simulated) / self.simulated

    @property
    def difference(self) -> float | None:
        """``simulated - predicted``, as in all answers: causes add up to it; None where one of the two is missing."""
        return None if self.predicted is None or self.simulated is None else self.simulated - self.predicted

    @property
    def name(self) -> str:
        """Its values in one line, as ``n = 4, c.depth = 2``."""
        return point_name(self.values, self.series)

    def within(self, tolerance: float) -> bool:
        """Return whether the model holds here; a deadlock, or no prediction, is a failure."""
        return self.error is not None and abs(self.error) <= tolerance


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedPoint:
    """A point that could not be compared, and the reason: a rule that it breaks, or more than an engine does."""

    values: Mapping[str, Setting]
    reason: str

    @property
    def name(self) -> str:
        """Its values in one line."""
        return point_name(self.values)


def point_name(values: Mapping[str, Setting], series: str = "") -> str:
    """Return a point in one line.

    Examples
    --------
    >>> point_name({"n": 4, "c.depth": 2}), point_name({})
    ('n = 4, c.depth = 2', 'the source as it is')
    """
    said = [f"{name} = {value}" for name, value in values.items()]
    return ", ".join([*said, *filter(None, [series])]) or "the source as it is"


class ErrorStatistics(NamedTuple):
    """Relative errors over the points that have one; ``bias`` is their mean, ``absolute`` the mean of their size."""

    points: int
    bias: float
    absolute: float
    rms: float
    largest: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ModelComparison:
    """One model over the sweep.

    Attributes
    ----------
    model, assumes : its name, and what it takes for granted.
    points : in the order of the sweep.
    regime : where it holds and where it fails, in words.
    worst : the point with the largest error, a deadlock before all others; of points without an answer only a deadlock,
        and only where there is no other. None where nothing could be compared.
    causes : what the simulation has there and the model leaves out; where ``complete``, their amounts add up to
        simulated minus predicted.
    told : further sentences on the worst point, from the critical path of its run.
    """

    model: str
    assumes: str
    points: tuple[ComparedPoint, ...]
    regime: str
    worst: ComparedPoint | None
    causes: tuple[Cause, ...] = ()
    complete: bool = False
    told: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.model}: {error_words(self)}>"

    @property
    def errors(self) -> ErrorStatistics | None:
        """The statistics; None if no point has an error."""
        return statistics([point.error for point in self.points if point.error is not None])

    @property
    def unanswered(self) -> tuple[ComparedPoint, ...]:
        """The points for which the model gives no number: neither its errors nor ``regime`` count them."""
        return tuple(point for point in self.points if point.predicted is None)


def statistics(errors: Sequence[float]) -> ErrorStatistics | None:
    """Return the statistics of relative errors, None if there are none.

    Examples
    --------
    >>> statistics([-0.1, 0.3])
    ErrorStatistics(points=2, bias=0.1, absolute=0.2, rms=0.22360679774997896, largest=0.3)
    """
    if not errors:
        return None
    n = len(errors)
    return ErrorStatistics(
        points=n, bias=round(sum(errors) / n, 15), absolute=sum(map(abs, errors)) / n,
        rms=sqrt(sum(each * each for each in errors) / n), largest=max(errors, key=abs),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Models beside the simulation of a source.

    Attributes
    ----------
    source, kind : its name, and what it is ("a network").
    quantity, unit : what is compared.
    axes : the values of each parameter that varies.
    models : each with its points; the simulated figures are the same in all.
    tolerance : relative error up to which a model counts as holding.
    interrupted : whether Ctrl-C ended it; the points so far are there.
    simulated : whether the points were simulated, too; else they have predictions only.
    refused : the points that could not be compared; no model has them.
    """

    source: str
    kind: str
    quantity: str
    unit: str
    axes: Mapping[str, tuple[Setting, ...]]
    models: tuple[ModelComparison, ...] = field(repr=False)
    tolerance: float = 0.05
    interrupted: bool = False
    simulated: bool = True
    refused: tuple[RefusedPoint, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per point: its values, the simulated figure, and each model's with its difference and error.

        ``difference`` is simulated minus predicted, in the unit of the row: what the model leaves out. ``error`` is how
        far the model is off, as a share of simulated: below 0 where it promises too little.
        ``outcome`` says why a cell is empty: "deadlock", or which model has no answer; else it is "simulated". Points
        that are refused come last, with the reason.
        """
        found = []
        for points in zip(*(each.points for each in self.models), strict=True):
            row: dict[str, Any] = dict(points[0].values)
            if any(point.series for point in self.models[0].points):
                row["series"] = points[0].series
            row |= {"simulated": points[0].simulated} if self.simulated else {}
            for each, point in zip(self.models, points, strict=True):
                row[f"predicted.{each.model}"] = point.predicted
                if self.simulated:
                    row |= {f"difference.{each.model}": point.difference, f"error.{each.model}": point.error}
            row |= {"outcome": self._outcome(points)} if self.simulated else {}
            found.append(row | {"unit": self.unit})
        keys: dict[str, Any] = dict.fromkeys(found[0] if found else ())
        for no in self.refused:
            found.append(keys | dict(no.values) | {"outcome": f"refused: {no.reason}", "unit": self.unit})
        return found

    def _outcome(self, points: Sequence[ComparedPoint]) -> str:
        silent = [
            f"no answer of {each.model}" + f": {point.silent}" * bool(point.silent)
            for each, point in zip(self.models, points, strict=True)
            if point.predicted is None
        ]
        return "; ".join(["deadlock" if points[0].simulated is None else "simulated", *silent])


def percent(error: float) -> str:
    """Return a relative error in percent, with three digits.

    Examples
    --------
    >>> percent(-0.12345), percent(0.0), percent(0.00002)
    ('-12.3 %', '0 %', '+0.002 %')
    """
    return f"{100 * error:+.3g} %" if error else "0 %"


def error_words(model: ModelComparison) -> str:
    """Return the error statistics of a model in one line; points without an error are counted, not left out in silence.

    Examples
    --------
    >>> points = [ComparedPoint(values={"n": n}, predicted=4, simulated=n or None) for n in (0, 4, 5)]
    >>> print(error_words(ModelComparison(model="m", assumes="", points=tuple(points), regime="", worst=None)))
    mean |error| 10 %, rms 14.1 %, bias -10 %, largest -20 % at n = 5; over 2 of 3 points (1 deadlocks)
    """
    found, points = model.errors, model.points
    stuck = sum(point.simulated is None for point in points)
    silent = len(model.unanswered)
    why = [
        f"{stuck} deadlock{'s' if stuck == 1 else ''}" if stuck else "",
        f"{silent} without an answer" if silent else "",
    ]
    left_out = f" ({', '.join(filter(None, why))})" if stuck or silent else ""
    if found is None:
        return f"no point has an error{left_out}"
    over = f"; over {found.points} of {len(points)} points{left_out}" if found.points < len(points) else ""
    if not found.absolute:
        return f"exact{over}"
    if len(points) == 1:
        return f"error {percent(found.largest)}"
    at = next(point for point in points if point.error == found.largest)
    absolute, rms = (percent(size).lstrip("+") for size in (found.absolute, found.rms))
    sizes = f"mean |error| {absolute}, rms {rms}, bias {percent(found.bias)}"
    return f"{sizes}, largest {percent(found.largest)} at {at.name}{over}"
