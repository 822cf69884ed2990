"""Examples of a kind, batch after batch, until one breaks its claim; hypothesis draws and shrinks them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy

_BATCH = 200  # examples of one seed
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
    """Search for that many seconds, at least one example long; each batch of examples has the next seed.

    A failure is shrunk to its end, whatever the time.

    Examples
    --------
    >>> from hypothesis import strategies as st
    >>> def below(number):
    ...     assert number < 1000, "too large"
    >>> kind = Kind(claim="small", draw=st.integers(0), check=below, write=str, suffix=".txt")
    >>> search(kind, seconds=60, seed=1).reproducer
    '1000'
    """
    found, began = Search(seed=seed), monotonic()
    while found.failure is None and (most is None or found.examples < most):
        try:
            _batch(kind, found, _BATCH if most is None else min(_BATCH, most - found.examples), began + seconds)
        except KeyboardInterrupt:
            found.interrupted = True
            break
        except _TimeIsOver:
            break
        found.seed += found.failure is None
    found.seconds = monotonic() - began
    return found


class _TimeIsOver(BaseException):
    """Ends a batch; hypothesis takes an `Exception` for a failure."""


def _batch(kind: Kind, found: Search, examples: int, end: float) -> None:
    last: list[Any] = []
    failed = False

    @hypothesis.seed(found.seed)
    @settings(
        max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=_PHASES
    )  # fmt: skip
    @given(kind.draw)
    def attempt(example: Any) -> None:
        nonlocal failed
        if found.examples and not failed and monotonic() >= end:
            raise _TimeIsOver
        last[:] = [example]
        try:
            kind.check(example)
        except UnsatisfiedAssumption:
            raise
        except Exception:
            failed = True
            raise
        found.examples += 1

    try:
        attempt()
    except Exception as error:
        # hypothesis ends with the smallest example that fails.
        found.failure = (str(error).splitlines() or [type(error).__name__])[0]
        found.reproducer = kind.write(last[0])
