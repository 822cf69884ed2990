"""Examples of a kind, batch after batch, until one breaks its claim; hypothesis draws and shrinks them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

_BATCH = 200  # examples between two looks at the clock
_PHASES = (Phase.generate, Phase.shrink)  # to explain a failure takes longer than to find and shrink it


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What is drawn, what is claimed of it, and how a counter-example is written down.

    Attributes
    ----------
    claim : in words.
    draw : the examples.
    check : raises `AssertionError`, or anything else, if an example breaks the claim.
    write : an example as text that can be run or read; ``suffix`` is that of its file.
    """

    claim: str
    draw: SearchStrategy[Any]
    check: Callable[[Any], None]
    write: Callable[[Any], str]
    suffix: str


@dataclass(slots=True)
class Search:
    """What a search has found; ``failure`` is None if nothing, else the words of the first broken claim."""

    examples: int = 0
    seconds: float = 0.0
    seed: int = 0
    failure: str | None = None
    reproducer: str = ""
    interrupted: bool = False


def search(kind: Kind, *, seconds: float, seed: int, most: int | None = None) -> Search:
    """Search for that many seconds at least one batch long; each batch has the next seed.

    Examples
    --------
    >>> from hypothesis import strategies as st
    >>> def below(number):
    ...     assert number < 1000, "too large"
    >>> kind = Kind(claim="small", draw=st.integers(0), check=below, write=str, suffix=".txt")
    >>> search(kind, seconds=0, seed=1).reproducer
    '1000'
    """
    found, began = Search(seed=seed), monotonic()
    while not found.examples or (monotonic() - began < seconds and (most is None or found.examples < most)):
        try:
            _batch(kind, found, _BATCH if most is None else min(_BATCH, most - found.examples))
        except KeyboardInterrupt:
            found.interrupted = True
            break
        if found.failure is not None:
            break
        found.seed += 1
    found.seconds = monotonic() - began
    return found


def _batch(kind: Kind, found: Search, examples: int) -> None:
    last: list[Any] = []

    @hypothesis.seed(found.seed)
    @settings(
        max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=_PHASES
    )  # fmt: skip
    @given(kind.draw)
    def attempt(example: Any) -> None:
        last[:] = [example]
        kind.check(example)
        found.examples += 1  # not reached where the check assumes what does not hold

    try:
        attempt()
    except Exception as error:
        # hypothesis ends with the smallest example that fails.
        found.failure = (str(error).splitlines() or [type(error).__name__])[0]
        found.reproducer = kind.write(last[0])
