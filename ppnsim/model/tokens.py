"""Which firing writes and reads which token, in three forms; `token_counts` has the one form that engines run.

``Rates`` are one token per firing, SDF and CSDF; ``Listed`` are explicit firings and tokens, which say any polyhedral
process network; ``Runs`` are listed firings, run-length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

from ppnsim.calls import built_by_name
from ppnsim.errors import InputError


@built_by_name
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
        object.__setattr__(self, "produce", _phases("produce", produce))
        object.__setattr__(self, "consume", _phases("consume", consume))


def _phases(side: str, rates: int | Iterable[int]) -> tuple[int, ...]:
    """Return the rates of a side, phase by phase."""
    found = tuple(rates) if isinstance(rates, Iterable) else (rates,)
    if isinstance(rates, str) or any(not isinstance(each, Integral) or isinstance(each, bool) for each in found):
        words = f"{side} = {rates!r} is neither a whole number of tokens per firing nor one for each phase"
        raise InputError(f"{words}: write Rates(2, 1) or Rates(2, (1, 3))", where="Rates")
    return tuple(map(int, found))


@built_by_name
@dataclass(frozen=True, slots=True)
class Listed:
    """Explicit firings and tokens.

    ``writes[i]`` is the producer firing of the i-th written token, whose number is ``initial + i``;
    ``reads`` holds ``(consumer firing, token number)`` pairs.
    """

    writes: tuple[int, ...]
    reads: tuple[tuple[int, int], ...]


@built_by_name
@dataclass(frozen=True, slots=True)
class Runs:
    """Listed firings as ``(first, step, count)`` runs; the i-th firing listed writes (reads) the i-th token."""

    writes: tuple[tuple[int, int, int], ...]
    reads: tuple[tuple[int, int, int], ...]


Tokens = Rates | Listed | Runs
ONE_PER_FIRING = Rates()
