"""Execute latencies that differ from firing to firing: given as a list, or drawn from a distribution with a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.calls import built_by_name
from ppnsim.errors import InputError, did_you_mean

_Draw = Callable[["np.random.RandomState", tuple[float, ...], int], "np.ndarray"]

_LARGEST = 2**31 - 1  # latencies beyond this are mistakes, and numpy's streams end there

# Drawn with RandomState because numpy froze its streams for good: the same seed gives the same cycles everywhere.
_DRAWS: dict[str, tuple[int, _Draw]] = {
    "uniform": (2, lambda random, p, n: random.randint(int(p[0]), int(p[1]) + 1, size=n)),
    "normal": (2, lambda random, p, n: np.rint(random.normal(p[0], p[1], size=n))),
    "exponential": (1, lambda random, p, n: np.rint(random.exponential(p[0], size=n))),
    "geometric": (1, lambda random, p, n: random.geometric(p[0], size=n)),
    "poisson": (1, lambda random, p, n: random.poisson(p[0], size=n)),
    "choice": (0, lambda random, p, n: random.choice(np.array(p), size=n)),
}


@built_by_name
@dataclass(frozen=True, slots=True)
class Distribution:
    """Latencies drawn once, before the run, from a named distribution; unit cycles, never below 0.

    ``uniform`` (a, b, both included), ``normal`` (mean, deviation), ``exponential`` (mean), ``geometric`` (p),
    ``poisson`` (mean), ``choice`` (values, equally likely). What is not whole is rounded to the nearest cycle.

    Examples
    --------
    >>> Distribution("uniform", (3, 5), seed=1).draw(6).tolist()
    [4, 3, 3, 4, 4, 3]
    """

    name: str
    parameters: tuple[float, ...]
    seed: int = 0

    def draw(self, count: int) -> Int64Array:
        """Return ``count`` latencies in cycles, int64.

        Raises
        ------
        InputError
            If the distribution is unknown or its parameters make no sense.
        """
        self.check()
        _, draw = _DRAWS[self.name]
        drawn = draw(np.random.RandomState(self.seed), self.parameters, count)
        return np.asarray(np.maximum(drawn, 0), dtype=np.int64)

    def pieces(self, count: int, size: int = 1_000_000) -> Iterator[Int64Array]:
        """Yield what `draw` returns in pieces of ``size``, of which only one is there at a time.

        Examples
        --------
        >>> [piece.tolist() for piece in Distribution("uniform", (3, 5), seed=1).pieces(6, size=4)]
        [[4, 3, 3, 4], [4, 3]]
        """
        self.check()
        _, draw = _DRAWS[self.name]
        random = np.random.RandomState(self.seed)
        for at in range(0, count, size):
            drawn = draw(random, self.parameters, min(size, count - at))
            yield np.asarray(np.maximum(drawn, 0), dtype=np.int64)

    def check(self) -> None:
        """Raise `InputError` if the distribution cannot be drawn from."""
        if self.name not in _DRAWS:
            raise InputError(f"'{self.name}' is not a distribution{did_you_mean(self.name, _DRAWS)}")
        needed, _ = _DRAWS[self.name]
        given = list(self.parameters)
        if (needed and len(given) != needed) or not given:
            raise InputError(f"{self.name} = {given} needs {needed or 'at least one'} number(s)")
        if not all(isfinite(value) and value <= _LARGEST for value in given):
            raise InputError(f"{self.name} = {given} needs numbers up to {_LARGEST} cycles")
        if self.name == "geometric":
            if not 1 / _LARGEST <= given[0] <= 1:
                raise InputError(f"geometric = {given} needs a probability above 0 and at most 1")
        elif min(given) < 0:
            raise InputError(f"{self.name} = {given} could draw a negative latency (cycles start at 0)")
        if self.name == "uniform" and given[0] > given[1]:
            raise InputError(f"uniform = {given} needs its smaller end first")
        if self.name in ("uniform", "choice") and any(value != int(value) for value in given):
            raise InputError(f"{self.name} = {given} must be whole cycles")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed = {self.seed} must be between 0 and 2**32 - 1")


Latency = int | tuple[int, ...] | Distribution
