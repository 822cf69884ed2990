"""Where a model fails: the smallest box of parameter values that holds all failures, and whether it holds only them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppnsim.comparison.model import ComparedPoint, Setting
from ppnsim.units import counted

Axes = Mapping[str, Sequence[Setting]]
_LISTED = 6  # words of an axis that are named one by one


def regime(points: Sequence[ComparedPoint], axes: Axes, tolerance: float) -> str:
    """Return in words where the error exceeds ``tolerance``, or the simulation deadlocks.

    Points for which the model has no answer do not count.

    Examples
    --------
    >>> points = [ComparedPoint(values={"n": n}, predicted=10, simulated=10 if n > 4 else 20) for n in range(1, 9)]
    >>> regime(points, {"n": range(1, 9)}, 0.05)
    'fails (beyond 5 %) at 4 of 8 points: exactly where n <= 4'
    >>> regime(points[4:], {"n": range(5, 9)}, 0.05)
    'holds within 5 % at all 4 points'
    """
    answered = [point for point in points if point.predicted is not None]
    if not answered:
        return f"has no answer at any of {len(points)} points" if len(points) > 1 else "has no answer"
    count = f"{len(answered)} points" + " with an answer" * (len(answered) < len(points))
    return _of_answered(answered, axes, tolerance, count if len(points) > 1 else "")


def _of_answered(points: Sequence[ComparedPoint], axes: Axes, tolerance: float, count: str) -> str:
    """Return where the error exceeds ``tolerance``; ``count`` says how many points there are, "" that it is one."""
    limit = f"{100 * tolerance:g} %"
    failing = [point for point in points if not point.within(tolerance)]
    if not failing:
        return f"holds within {limit} at all {count}" if count else f"holds within {limit}"
    known: dict[str, Sequence[Setting]] = {
        name: list(dict.fromkeys(values)) for name, values in axes.items() if len(set(values)) > 1
    }
    series = list(dict.fromkeys(point.series for point in points))
    if len(series) > 1:
        known["series"] = series
    head = f"fails (beyond {limit}) at {len(failing)} of {count}"
    if len(failing) == len(points):
        return head if count else f"fails (beyond {limit})"
    holding = [point for point in points if point.within(tolerance)]
    bad, good = _box(failing, known), _box(holding, known)
    among = sum(_inside(point, bad) for point in holding)
    if not among:
        return f"{head}: exactly where {_words(bad, known)}"
    if not any(_inside(point, good) for point in failing):
        return f"{head}; it holds exactly where {_words(good, known)}"
    if said := _words(bad, known):
        return f"{head}: all where {said}, where it also holds at {counted(among, 'point')}"
    return f"{head}, scattered over all values; most often where {_densest(points, known, tolerance)}"


def _densest(points: Sequence[ComparedPoint], axes: Axes, tolerance: float) -> str:
    """Return the value at which the largest share of the points fails."""
    shares = {}
    for name, values in axes.items():
        for value in values:
            there = [point.within(tolerance) for point in points if _value(point, name) == value]
            if there:
                shares[f"{name} = {value}"] = there.count(False) / len(there)
    most = max(shares, key=lambda at: shares[at])
    return f"{most} ({100 * shares[most]:.0f} % of the points there)"


def _value(point: ComparedPoint, name: str) -> Setting:
    return point.series if name == "series" else point.values[name]


def _box(points: Sequence[ComparedPoint], axes: Axes) -> dict[str, set[Setting]]:
    """Return for each axis the values from the smallest to the largest of these points; of words those they have."""
    box: dict[str, set[Setting]] = {}
    for name, values in axes.items():
        taken = {_value(point, name) for point in points}
        numbers = [value for value in taken if not isinstance(value, str)]
        box[name] = {
            value for value in values
            if value in taken or (numbers and not isinstance(value, str) and min(numbers) <= value <= max(numbers))
        }  # fmt: skip
    return box


def _inside(point: ComparedPoint, box: Mapping[str, set[Setting]]) -> bool:
    return all(_value(point, name) in values for name, values in box.items())


def _words(box: Mapping[str, set[Setting]], axes: Axes) -> str:
    """Return a box in words; axes that it does not cut are left out."""
    parts = []
    for name, inside in box.items():
        values = list(axes[name])
        if len(inside) == len(values):
            continue
        numbers = sorted(value for value in inside if not isinstance(value, str))
        every = sorted(value for value in values if not isinstance(value, str))
        if len(numbers) < len(inside) or len(every) < len(values):
            words = [str(value) for value in values if value in inside]
            more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
            parts.append(
                f"{name} is {' or '.join(words[:_LISTED])}{more}" if len(words) > 1 else f"{name} = {words[0]}"
            )
        elif len(numbers) == 1:
            parts.append(f"{name} = {numbers[0]}")
        elif numbers[0] == every[0]:
            parts.append(f"{name} <= {numbers[-1]}")
        elif numbers[-1] == every[-1]:
            parts.append(f"{name} >= {numbers[0]}")
        else:
            parts.append(f"{numbers[0]} <= {name} <= {numbers[-1]}")
    return " and ".join(parts)
