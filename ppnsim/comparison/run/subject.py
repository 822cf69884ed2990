"""What every kind of source offers a comparison: points, a simulation of each, and causes of a difference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from ppnsim.comparison.laws.case import Case, Number
from ppnsim.comparison.model import Cause, Setting
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import Axis, numbers


class Outcome(NamedTuple):
    """What a simulation gave, None after a deadlock, and the run itself for `Subject.causes`."""

    value: Number | None
    run: Any


class TakenAway(NamedTuple):
    """A limit that was taken away: what it is, what it cost, and what the simulation gives without it."""

    words: str
    cost: Number
    left: Number


class Explained(NamedTuple):
    """The limits that explain a difference, and those that a model seems to know of."""

    steps: tuple[TakenAway, ...]
    others: tuple[TakenAway, ...]


class Why(NamedTuple):
    """Causes of simulated minus predicted; where ``complete`` they add up to it. ``told`` are further sentences."""

    causes: tuple[Cause, ...] = ()
    complete: bool = False
    told: tuple[str, ...] = ()


def rest_words(simulated: str, predicted: str, explained: Explained) -> str:
    """Return what is left when the stalls that explain something are taken away: that is the model's own.

    Examples
    --------
    >>> rest_words("100 cycles", "80", Explained((TakenAway("full FIFOs", 20, 100),), ()))
    'the model itself: with all of the above taken away the simulation takes 100 cycles, the model says 80'
    >>> rest_words("100 cycles", "80", Explained((), ()))
    'the model itself: no stall was found to take away, and the simulation takes 100 cycles, the model says 80'
    >>> rest_words("100 cycles", "99", Explained((), (TakenAway("full FIFOs", 60, 40),)))
    'not known: without full FIFOs the two are further apart; the simulation takes 100 cycles, the model says 99'
    """
    said = f"the simulation takes {simulated}, the model says {predicted}"
    if explained.steps:
        return f"the model itself: with all of the above taken away {said}"
    if explained.others:
        stalls = ", ".join(step.words.partition(":")[0] for step in explained.others)
        return f"not known: without {stalls} the two are further apart; {said}"
    return f"the model itself: no stall was found to take away, and {said}"


def brought_closer(simulated: Number, predicted: Number, freed: Iterable[tuple[str, Number | None]]) -> Explained:
    """Return the limits that explain a difference: of those taken away in turn, as many as bring the two closest.

    A model may know of what a step takes away, of depths for example. To take that away leads away from the model, and
    a cause that another one would have to take back is none.

    Examples
    --------
    >>> freed = [("full FIFOs", 24), ("styles", 20)]
    >>> [[step.words for step in each] for each in brought_closer(1200, 18, freed)]
    [['full FIFOs', 'styles'], []]
    >>> [[step.words for step in each] for each in brought_closer(1200, 1196, freed)]
    [[], ['full FIFOs', 'styles']]
    """
    found: list[TakenAway] = []
    left, best, nearest = simulated, 0, abs(Fraction(simulated) - Fraction(predicted))
    for words, finish in freed:
        if finish is None:
            break
        if finish != left:
            found.append(TakenAway(words, left - finish, finish))
        left = finish
        if (apart := abs(Fraction(left) - Fraction(predicted))) < nearest:
            nearest, best = apart, len(found)
    return Explained(tuple(found[:best]), tuple(found[best:]))


class Difference(NamedTuple):
    """What is to be explained: a case with its simulation, and what a model predicts there."""

    case: Case
    outcome: Outcome
    model: str
    predicted: Number | None


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
