"""Comparisons as tables, JSON and CSV: the points side by side, then for each model its errors and the worst point."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.comparison.laws.case import KINDS
from ppnsim.comparison.model import Cause, ComparedPoint, Comparison, ModelComparison, error_words, percent
from ppnsim.platform.report.application import seconds
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import counted, digits

_ALL = 24  # points that are all shown; of more, the worst
_WORST = 12
_SILENT = 6  # points without an answer that are named one by one


def comparison_result(found: Comparison) -> dict[str, Any]:
    """Return a comparison as the dictionary that ``--json`` writes; ``amount`` of a cause is what the model leaves out.

    Examples
    --------
    >>> from ppnsim import chain, compare
    >>> result = comparison_result(compare(chain(firings=20), vary={"c0.depth": [1, 2]}).comparison)
    >>> [(row["c0.depth"], row["simulated"], row["predicted.absolute"]) for row in result["points"]]
    [(1, 51, 32), (2, 32, 32)]
    """
    return {
        "file": found.source, "kind": found.kind, "quantity": found.quantity, "unit": found.unit,
        "vary": {name: list(values) for name, values in found.axes.items()}, "tolerance": found.tolerance,
        "interrupted": found.interrupted, "points": found.rows(),
        "models": [_model(each) if found.simulated else _alone(each) for each in found.models],
    }  # fmt: skip


def _alone(model: ModelComparison) -> dict[str, Any]:
    return {"model": model.model, "assumes": model.assumes}


def _model(model: ModelComparison) -> dict[str, Any]:
    errors, worst = model.errors, model.worst
    return {
        "model": model.model, "assumes": model.assumes, "errors": None if errors is None else errors._asdict(),
        "regime": model.regime,
        "worst": None if worst is None else {
            "values": dict(worst.values), "series": worst.series, "predicted": worst.predicted,
            "simulated": worst.simulated, "error": worst.error, "complete": model.complete,
            "causes": [cause._asdict() for cause in model.causes], "told": list(model.told),
        },
    }  # fmt: skip


def print_compared(console: Console, found: Comparison) -> None:
    """Print the answer, the points, and why each model differs most where it does."""
    points = len(found.models[0].points)
    count = "1 point" if points == 1 else f"{points} points"
    plain_line(console, f"{found.source}   {KINDS[found.kind]}   {found.quantity} in {found.unit} at {count}")
    rows = list(zip(*(model.points for model in found.models), strict=True))
    if len(rows) > _ALL and found.simulated:
        rows = sorted(rows, key=lambda row: -max(_size(point) for point in row))[:_WORST]
        plain_line(console, f"the {_WORST} with the largest errors:")
    elif len(rows) > _ALL:
        rows = rows[:_ALL]
        plain_line(console, f"the first {_ALL} (--csv and --json have all of them):")
    _print_points(console, found, rows)
    for point in found.refused[:_SILENT]:
        plain_line(console, f"refused at {point.name}: {point.reason}")
    if len(found.refused) > _SILENT:
        plain_line(console, f"and at {counted(len(found.refused) - _SILENT, 'more point')} (--csv has all of them)")
    for model in found.models:
        if found.simulated:
            _print_model(console, model, found.unit)
        else:
            plain_line(console, f"{model.model} assumes: {model.assumes}")


def _print_points(console: Console, found: Comparison, rows: Sequence[Sequence[ComparedPoint]]) -> None:
    """Print a row for each point: what is simulated, and what each model says."""
    series = any(point.series for point in found.models[0].points)
    heads = [*found.axes, *(["series"] if series else []), *(["simulated"] if found.simulated else [])]
    for model in found.models:
        heads += [model.model, "error"] if found.simulated else [model.model]
    table = plain_table(*map(escape, heads), right=tuple(range(len(heads))))
    for row in rows:
        cells = [*map(str, row[0].values.values()), *([row[0].series] if series else [])]
        cells += [_number(row[0].simulated)] if found.simulated else []
        for point in row:
            cells.append(_number(point.predicted, "no answer"))
            if found.simulated:
                cells.append("-" if point.error is None else percent(point.error))
        table.add_row(*map(escape, cells))
    console.print(table)


def _print_model(console: Console, model: ModelComparison, unit: str) -> None:
    plain_line(console, f"{model.model}: {error_words(model)}")
    plain_line(console, f"  {model.regime}")
    worst = model.worst
    if model.unanswered:
        plain_line(console, f"  no answer at {_unanswered(model.unanswered)}")
    if worst is not None and (worst.error or worst.error is None):
        plain_line(console, f"  worst at {worst.name}: {_difference(worst, unit)}")
        for cause in model.causes:
            plain_line(console, f"    {_cause(cause, unit, complete=model.complete)}")
        for line in model.told:
            plain_line(console, f"    {line}")
    plain_line(console, f"  assumes: {model.assumes}")


def _unanswered(points: Sequence[ComparedPoint]) -> str:
    """Return where a model has no answer, and the first of its reasons."""
    names = ", ".join(point.name for point in points[:_SILENT])
    more = f" and {len(points) - _SILENT} more" if len(points) > _SILENT else ""
    return ": ".join(filter(None, [names + more, points[0].silent]))


def _difference(point: ComparedPoint, unit: str) -> str:
    if point.simulated is None:
        predicted = "nothing" if point.predicted is None else f"{_number(point.predicted)} {unit}"
        return f"the simulation deadlocks, the model says {predicted}"
    less = point.difference
    assert less is not None  # where the model has no answer, only a deadlock is the worst point
    words = "too few" if less > 0 else "too many"
    if unit != "cycles":
        words = "too little" if less > 0 else "too much"
    return f"the model says {_amount(abs(less), unit)} {words}"


def _amount(value: float, unit: str) -> str:
    return seconds(Fraction(value)) if unit == "s" else f"{_number(value)} {unit}"


def _cause(cause: Cause, unit: str, *, complete: bool) -> str:
    if cause.amount is None:
        return cause.words
    amount = ("+" if cause.amount > 0 else "") + _amount(cause.amount, unit)
    return f"{amount}: {cause.words}" if complete else f"{amount} by itself: {cause.words}"


def _size(point: ComparedPoint) -> float:
    if point.predicted is None:
        return -1.0  # no answer is no error
    return float("inf") if point.error is None else abs(point.error)


def _number(value: float | None, missing: str = "deadlock") -> str:
    if value is None:
        return missing
    return str(value) if isinstance(value, int) else digits(value)


def print_files(console: Console, found: Sequence[Comparison]) -> None:
    """Print a row for each of several sources: what was simulated, and the figure or the mean size of the error."""
    names = list(dict.fromkeys(model.model for each in found for model in each.models))
    heads = ["file", "points", "simulated", *(head for name in names for head in (name, "error"))]
    table = plain_table(*map(escape, heads), right=tuple(range(1, len(heads))))
    for each in found:
        models = {model.model: model for model in each.models}
        points = each.models[0].points
        cells = [each.source, str(len(points)), _number(points[0].simulated) if len(points) == 1 else "-"]
        for name in names:
            model = models.get(name)
            errors = model.errors if model else None
            cells.append(_number(model.points[0].predicted, "-") if model and len(points) == 1 else "-")
            cells.append("-" if errors is None else percent(errors.largest if len(points) == 1 else errors.absolute))
        table.add_row(*map(escape, cells))
    console.print(table)
