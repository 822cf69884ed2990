"""What every kind of source offers a comparison: points, a simulation of each, and causes of a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


class Freed(NamedTuple):
    """A source without one of its limits: what the simulation gives there, and what the model says."""

    words: str
    simulated: Number | None
    said: Number | None


class TakenAway(NamedTuple):
    """A limit that was taken away: what it costs the simulation, and in the model; and what both give without it."""

    words: str
    cost: Number
    known: Number
    simulated: Number
    said: Number

    @property
    def amount(self) -> Number:
        """What the limit costs, and the model does not know of."""
        return self.cost - self.known if self.known else self.cost

    def cause(self, unit: str) -> Cause:
        """Return it as a cause: of a model that knows a part of it, with both figures."""
        words = self.words
        if self.known:
            words += f" (simulated {plain(self.cost):.6g} {unit}, by the model {plain(self.known):.6g})"
        return Cause(words, plain(self.amount))


class Explained(NamedTuple):
    """The limits that explain a difference, and those without which the two are further apart."""

    steps: tuple[TakenAway, ...]
    others: tuple[TakenAway, ...]

    def rest(self, simulated: Number, predicted: Number) -> Fraction:
        """Return what they leave of a difference: the model's own part."""
        for step in self.steps[-1:]:
            return Fraction(step.simulated) - Fraction(step.said)
        return Fraction(simulated) - Fraction(predicted)


class Why(NamedTuple):
    """Causes of simulated minus predicted; where ``complete`` they add up to it. ``told`` are further sentences."""

    causes: tuple[Cause, ...] = ()
    complete: bool = False
    told: tuple[str, ...] = ()


def plain(number: Number) -> float:
    """Return a number as answers have it: whole ones stay whole."""
    return number if isinstance(number, int) else float(number)


def rest_words(simulated: Number, predicted: Number, unit: str, explained: Explained) -> str:
    """Return what is left when the stalls that explain something are taken away: that is the model's own.

    Examples
    --------
    >>> full = TakenAway("full FIFOs: a process waits", 20, 0, 100, 80)
    >>> rest_words(120, 80, "cycles", Explained((full,), ()))
    'the model itself: with all of the above taken away the simulation takes 100 cycles, the model says 80'
    >>> rest_words(100, 80, "cycles", Explained((), ()))
    'the model itself: no stall was found to take away, and the simulation takes 100 cycles, the model says 80'
    >>> rest_words(100, 99, "cycles", Explained((), (full,)))
    'not known: without full FIFOs the two are further apart; the simulation takes 100 cycles, the model says 99'
    >>> print(rest_words(55, 42, "cycles", Explained((), (TakenAway("full FIFOs: a process waits", 18, 22, 37, 20),))))
    the model itself, which knows of full FIFOs (it says 22 cycles, simulated 18): the simulation takes 55 cycles, the
    model says 42
    """
    for step in explained.steps[-1:]:
        simulated, predicted = step.simulated, step.said
    said = f"the simulation takes {plain(simulated):.6g} {unit}, the model says {plain(predicted):.6g}"
    if explained.steps:
        return f"the model itself: with all of the above taken away {said}"
    known = [
        f"{step.words.partition(':')[0]} (it says {plain(step.known):.6g} {unit}, simulated {plain(step.cost):.6g})"
        for step in explained.others if step.known
    ]  # fmt: skip
    if known:
        return f"the model itself, which knows of {', '.join(known)}: {said}"
    if explained.others:
        stalls = ", ".join(step.words.partition(":")[0] for step in explained.others)
        return f"not known: without {stalls} the two are further apart; {said}"
    return f"the model itself: no stall was found to take away, and {said}"


def brought_closer(simulated: Number, predicted: Number, freed: Iterable[Freed]) -> Explained:
    """Return the limits that explain a difference: of those taken away in turn, as many as bring the two closest.

    What is taken away is taken from the model, too: of depths, for example, that it knows of, only the part is a cause
    by which it is wrong about them. A cause that another one would have to take back is none.

    Examples
    --------
    >>> freed = [Freed("full FIFOs", 24, 18), Freed("styles", 20, 18)]
    >>> [[step.words for step in each] for each in brought_closer(1200, 18, freed)]
    [['full FIFOs', 'styles'], []]
    >>> freed = [Freed("full FIFOs", 37, 20)]
    >>> [[step.words for step in each] for each in brought_closer(55, 42, freed)]
    [[], ['full FIFOs']]
    >>> [step.amount for step in brought_closer(55, 30, freed).steps]
    [8]
    """
    found: list[TakenAway] = []
    left, said, best, nearest = simulated, predicted, 0, abs(Fraction(simulated) - Fraction(predicted))
    for words, finish, answer in freed:
        if finish is None or answer is None:
            break
        if finish != left or answer != said:
            found.append(TakenAway(words, left - finish, said - answer, finish, answer))
        left, said = finish, answer
        if (apart := abs(Fraction(left) - Fraction(said))) < nearest:
            nearest, best = apart, len(found)
    return Explained(tuple(found[:best]), tuple(found[best:]))


def alone(simulated: Number, predicted: Number, freed: Iterable[Freed]) -> tuple[Cause, ...]:
    """Return the limits each of which, taken away by itself, brings a simulation and a model closer, the largest first.

    Amounts are what a limit costs the simulation less what the model says that it costs; they do not add up.

    Examples
    --------
    >>> freed = [Freed("banks", 110, 100), Freed("latency", 100, 70), Freed("bus", 105, 100)]
    >>> alone(120, 100, freed)
    (Cause(words='bus', amount=15), Cause(words='banks', amount=10))
    """
    apart = Fraction(simulated) - Fraction(predicted)
    found = [
        Cause(each.words, plain((simulated - each.simulated) - (predicted - each.said)))
        for each in freed if each.simulated is not None and each.said is not None
    ]  # fmt: skip
    return tuple(
        sorted((each for each in found if (each.amount or 0) * apart > 0), key=lambda each: -abs(each.amount or 0))
    )


NOT_A_LIMIT = "the model itself: without any single limit of the simulation the two are no closer"
"""Of a model of ones own, where nothing that is taken away explains the difference."""


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
