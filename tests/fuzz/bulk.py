"""Examples without number: drawn by seed, checked many at once, kept count of in a journal that says where to go on."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from hypothesis.errors import HypothesisDeprecationWarning, UnsatisfiedAssumption

from tests.fuzz.search import Search
from tests.fuzz.seeded import Choices, Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """What is drawn by seed, and how a batch of it is checked.

    Attributes
    ----------
    draw : the strategy, of the vocabulary of `tests.fuzz.seeded`.
    check : raises if the claim is broken for one of these examples, else returns how many could be checked; one that
        stands for several (a network and vectors of depths) counts as many.
    batch : examples per call of ``check``.
    write : an example as text.
    """

    draw: Strategy
    check: Callable[[Sequence[Any]], int]
    batch: int
    write: Callable[[Any], str]


def one_by_one(check: Callable[[Any], None]) -> Callable[[Sequence[Any]], int]:
    """Return a check of a batch that checks each example; one that assumes what does not hold is not counted."""

    def every(examples: Sequence[Any]) -> int:
        checked = 0
        for example in examples:
            try:
                check(example)
                checked += 1
            except UnsatisfiedAssumption:
                pass
        return checked

    return every


def run_bulk(kind: Bulk, *, seconds: float, most: int | None, journal: Path | None, name: str, seed: int) -> Search:
    """Check batch after batch until the time is over or a claim fails; each example has a number of its own.

    Numbers go on where the journal's last line for this kind and seed ends, so that a run can be stopped at any time.
    """
    found, began = Search(seed=_next(journal, name, seed)), monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisDeprecationWarning)  # assume() outside of a test of hypothesis
        while not found.examples or (monotonic() - began < seconds and (most is None or found.examples < most)):
            numbers = range(found.seed, found.seed + kind.batch)
            started = monotonic()
            try:
                drawn = [example for number in numbers if (example := _drawn(kind, (seed << 40) + number)) is not None]
                checked, failed = _checked(kind, [example for _, example in drawn])
            except KeyboardInterrupt:
                found.interrupted = True
                break
            found.examples += checked
            found.seed = numbers.stop
            if failed is not None:
                made = shrunk(drawn[failed][0], lambda tried: _breaks(kind, tried))
                example = kind.draw.draw(Choices(made))
                found.failure, found.reproducer = (
                    _broken(kind, example) or "it does not fail again",
                    kind.write(example),
                )
            _note(journal, name, seed, numbers, len(drawn), checked, monotonic() - started, found.failure)
            if found.failure is not None:
                break
    found.seconds = monotonic() - began
    return found


def shrunk(made: Sequence[int], breaks: Callable[[list[int]], bool]) -> list[int]:
    """Return choices that still break the claim and from which no piece can be left out and no choice lowered.

    Examples
    --------
    >>> shrunk([5, 80, 3, 9], lambda tried: sum(tried) > 20)
    [21]
    """
    best, again = list(made), True
    while again:
        again = False
        for tried in _simpler(best):
            if breaks(tried):
                best, again = tried, True
                break
    return best


def _simpler(made: list[int]) -> Iterable[list[int]]:
    for size in (16, 8, 4, 2, 1):
        for place in range(len(made) - size + 1):
            yield made[:place] + made[place + size :]
    for place, choice in enumerate(made):
        for lower in sorted({0, choice // 2, choice - 1}):
            if 0 <= lower < choice:
                yield [*made[:place], lower, *made[place + 1 :]]


def _drawn(kind: Bulk, origin: int | list[int]) -> tuple[list[int], Any] | None:
    """Return the choices and the example, None where the draw itself assumes what does not hold."""
    choices = Choices(origin)
    try:
        return choices.made, kind.draw.draw(choices)
    except UnsatisfiedAssumption:
        return None


def _checked(kind: Bulk, examples: Sequence[Any]) -> tuple[int, int | None]:
    """Return how many were checked, and the place of the first that breaks the claim alone, None if there is none."""
    try:
        return kind.check(examples), None
    except Exception:
        return 0, next(place for place, example in enumerate(examples) if _broken(kind, example) is not None)


def _broken(kind: Bulk, example: Any) -> str | None:
    try:
        kind.check([example])
    except Exception as error:
        return (str(error).splitlines() or [""])[0] or type(error).__name__
    return None


def _breaks(kind: Bulk, made: list[int]) -> bool:
    drawn = _drawn(kind, made)
    return drawn is not None and _broken(kind, drawn[1]) is not None


def _next(journal: Path | None, name: str, seed: int) -> int:
    if journal is None or not journal.exists():
        return 0
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return max((line["until"] for line in lines if (line["kind"], line["seed"]) == (name, seed)), default=0)


def _note(
    journal: Path | None, name: str, seed: int, numbers: range, drawn: int, examples: int, seconds: float,
    failure: str | None,
) -> None:  # fmt: skip
    if journal is not None:
        line = {
            "kind": name, "seed": seed, "from": numbers.start, "until": numbers.stop, "drawn": drawn,
            "examples": examples, "seconds": round(seconds, 3), "failure": failure,
        }  # fmt: skip
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
