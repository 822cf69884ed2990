"""What separates a simulation and a model: limits are taken away from both, and what brings them closer is a cause."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from ppnsim.comparison.laws.case import Number
from ppnsim.comparison.model import Cause

NOT_A_LIMIT = "the model itself: without any single limit of the simulation the two are no closer"
"""Of a model of ones own, where nothing that is taken away explains the difference."""


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
            words += f" (it costs the simulation {plain(self.cost):.6g} {unit}, the model {plain(self.known):.6g})"
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
    >>> freed = [Freed("banks", 110, 100), Freed("latency", 100, 70), Freed("bus", 105, 100), Freed("cores", 30, 100)]
    >>> alone(120, 100, freed)
    (Cause(words='bus', amount=15), Cause(words='banks', amount=10))
    """
    apart = Fraction(simulated) - Fraction(predicted)
    found = [
        Cause(each.words, plain((simulated - each.simulated) - (predicted - each.said)))
        for each in freed if each.simulated is not None and each.said is not None
    ]  # fmt: skip
    closer = (each for each in found if abs(apart - Fraction(each.amount or 0)) < abs(apart))
    return tuple(sorted(closer, key=lambda each: -abs(each.amount or 0)))
