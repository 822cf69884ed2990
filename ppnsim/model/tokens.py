"""Which firing writes and reads which token, in three forms; `token_counts` has the one form that engines run.

``Rates`` are one token per firing, SDF and CSDF; ``Listed`` are explicit firings and tokens, which say any polyhedral
process network; ``Runs`` are listed firings, run-length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, init=False)
class Rates:
    """Tokens per firing, repeated cyclically: 1 for a plain FIFO, a number for SDF, several for CSDF.

    Examples
    --------
    >>> Rates(2, (1, 3))
    Rates(produce=(2,), consume=(1, 3))
    """

    produce: tuple[int, ...]
    consume: tuple[int, ...]

    def __init__(self, produce: int | Iterable[int] = 1, consume: int | Iterable[int] = 1) -> None:
        object.__setattr__(self, "produce", (produce,) if isinstance(produce, int) else tuple(produce))
        object.__setattr__(self, "consume", (consume,) if isinstance(consume, int) else tuple(consume))


@dataclass(frozen=True, slots=True)
class Listed:
    """Explicit firings and tokens.

    ``writes[i]`` is the producer firing of the i-th written token, whose number is ``initial + i``;
    ``reads`` holds ``(consumer firing, token number)`` pairs.
    """

    writes: tuple[int, ...]
    reads: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """Listed firings as ``(first, step, count)`` runs; the i-th firing listed writes (reads) the i-th token."""

    writes: tuple[tuple[int, int, int], ...]
    reads: tuple[tuple[int, int, int], ...]


Tokens = Rates | Listed | Runs
ONE_PER_FIRING = Rates()
