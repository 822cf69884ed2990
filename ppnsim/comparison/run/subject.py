"""What every kind of source offers a comparison: points, a simulation of each, and causes of a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from ppnsim.comparison.laws.case import Case, Number
from ppnsim.comparison.model import Cause, Setting
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import Axis, numbers


class Outcome(NamedTuple):
    """What a simulation gave, None after a deadlock, and the run itself for `Subject.causes`."""

    value: Number | None
    run: Any


class Why(NamedTuple):
    """Causes of simulated minus predicted; where ``complete`` they add up to it. ``told`` are further sentences."""

    causes: tuple[Cause, ...] = ()
    complete: bool = False
    told: tuple[str, ...] = ()


class Difference(NamedTuple):
    """What is to be explained: a case with its simulation, and what a model predicts there.

    ``ask`` asks a user's model about another case; the models of this program know of nothing that is taken away.
    """

    case: Case
    outcome: Outcome
    model: str
    predicted: Number | None
    ask: Callable[[Case], Number | None] | None = None

    def said(self, case: Case) -> Number | None:
        """Return what the model says about another case; None where it has no answer."""
        if self.ask is None:
            return self.predicted
        try:
            return self.ask(case)
        except InputError:  # a case that nobody asked for
            return None


class Subject(Protocol):
    """A source with what varies in it. ``kind`` is one of `KINDS`."""

    kind: str
    name: str
    quantity: str
    unit: str
    axes: Sequence[Axis]

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the cases of a point: one, or one per series."""
        ...

    def simulate(self, case: Case) -> Outcome:
        """Simulate a case."""
        ...

    def causes(self, at: Difference) -> Why:
        """Explain a difference."""
        ...


def plain_axis(text: str) -> Axis:
    """Return the axis of ``NAME=VALUES`` for parameters that are not of a network: numbers, ranges, or words.

    Examples
    --------
    >>> plain_axis("n=2:8:2").values, plain_axis("node.fpga.clock=100 MHz,195 MHz").values
    ((2, 4, 6, 8), ('100 MHz', '195 MHz'))
    """
    where = f"--vary {text}"
    name, equals, words = (part.strip() for part in text.partition("="))
    terms = [word.strip() for word in words.split(",")]
    if not equals or not name or not all(terms):
        raise InputError("is not of the form NAME=VALUES (like n=4:64 or n=4,8,16)", where=where)
    values: dict[Setting, None] = {}
    for term in terms:
        values |= dict.fromkeys(numbers(term, where) if ":" in term else [_value(term)])
    return Axis(name, name, (), tuple(values))  # type: ignore[arg-type]


def check_whole_numbers(axis: Axis, *, least: int | None = None) -> None:
    """Raise `InputError` if a value is not a whole number, or below the least."""
    for value in axis.values:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"'{value}' is not a whole number", where=f"--vary {axis.name}")
        if least is not None and value < least:
            raise InputError(f"{value} is below {least}", where=f"--vary {axis.name}")


def _value(text: str) -> Setting:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
