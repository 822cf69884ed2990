"""Which firing writes and reads which token, in three forms; `token_counts` has the one form that engines run.

``Rates`` are one token per firing, SDF and CSDF; ``Listed`` are explicit firings and tokens, which say any polyhedral
process network; ``Runs`` are listed firings, run-length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from numbers import Integral
from typing import cast

from ppnsim.calls import built_by_name
from ppnsim.errors import InputError
from ppnsim.kinds import shown
from ppnsim.model.rate_pattern import is_pattern, pattern


@built_by_name
@dataclass(frozen=True, slots=True, init=False)
class Rates:
    """Tokens per firing, repeated cyclically: 1 for a plain FIFO, a number for SDF, several for CSDF.

    Many are written as a pattern, as in files: ``N x`` repeats a number or what is in brackets.

    Examples
    --------
    >>> Rates(2, (1, 3))
    Rates(produce=(2,), consume=(1, 3))
    >>> Rates("2 x 0, 3").produce
    (0, 0, 3)
    """

    produce: tuple[int, ...]
    consume: tuple[int, ...]

    def __init__(self, produce: int | str | Iterable[int] = 1, consume: int | str | Iterable[int] = 1) -> None:
        object.__setattr__(self, "produce", _phases("produce", produce))
        object.__setattr__(self, "consume", _phases("consume", consume))


def _phases(side: str, rates: int | str | Iterable[int]) -> tuple[int, ...]:
    """Return the rates of a side, phase by phase."""
    if isinstance(rates, str) and is_pattern(rates):
        try:
            return pattern(rates)
        except InputError as error:
            raise InputError(f"{side} = {shown(rates)} {error}", where="Rates") from None
    found = tuple(rates) if isinstance(rates, Iterable) else (rates,)
    if not isinstance(rates, str | Set | Mapping) and {*map(type, found)} == {int}:
        return cast(
            "tuple[int, ...]", found
        )  # those of a frame are millions, which a look at each one's kind would take seconds for
    if isinstance(rates, str | Set | Mapping) or any(
        not isinstance(each, Integral) or isinstance(each, bool) for each in found
    ):
        words = f"{side} = {shown(rates)} is neither a whole number of tokens per firing nor one for each phase"
        raise InputError(f"{words}: write Rates(2, 1), Rates(2, (1, 3)) or Rates(2, '2 x 0, 1')", where="Rates")
    return tuple(int(each) for each in found if isinstance(each, Integral))


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
