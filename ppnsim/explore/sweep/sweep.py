"""Sweeps: one network at many points of its parameters, each row keyed by everything that decides its result.

A sweep is a value that can be sent to other processes and machines; `Sweep.rows` works out some of its points there.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import prod
from random import Random
from typing import Any, ClassVar

import numpy as np

from ppnsim.engines.compiled.engine import unsupported
from ppnsim.engines.program import Program
from ppnsim.engines.run import PAYS, run
from ppnsim.errors import InputError, PpnsimError
from ppnsim.explore.sweep.families import Depths, Families
from ppnsim.explore.sweep.parameters import Axis, Value, check_axes, varied
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.run import Run
from ppnsim.model.summary import most_held, run_parallelism

Row = dict[str, Any]

MOST_POINTS = 10_000_000
REFUSED = "refused because"
"""What a point has in place of measures if it has none: no parameter is called so."""
_RULES = 1  # of time and of rows; another number makes all rows of old files those of another sweep
_NO_MATTER = ("fixed", "group")  # fields of parts that decide nothing of a run
_MEASURES = {"finish": int, "time_ns": float, "deadlocked": bool, "parallelism_average": float, "parallelism_max": int}


@dataclass(kw_only=True)
class Sweep:
    """All combinations of the values of some axes, or a random sample of them.

    Parameters
    ----------
    network : what is varied.
    axes : what varies; the last one varies fastest.
    samples, seed : how many combinations to take at random, without repetition; None = all.
    occupancy : whether rows say the most tokens that each channel held.
    engine : as of `run`; ``auto`` looks at the firings of all points.

    Examples
    --------
    >>> from ppnsim.explore.sweep.parameters import axis_of
    >>> from ppnsim.model.builders import fork_join
    >>> network = fork_join(firings=20)
    >>> sweep = Sweep(network=network, axes=[axis_of("short*.depth=1,2,8", network)])
    >>> [(row["short*.depth"], row["finish"]) for row in sweep.rows(sweep.numbers)]
    [(1, 92), (2, 70), (8, 37)]
    """

    network: Network
    axes: Sequence[Axis]
    samples: int | None = None
    seed: int = 0
    occupancy: bool = False
    engine: str = "auto"
    numbers: list[int] = field(init=False, repr=False)
    measure: ClassVar[str] = "finish"  # the column that is compared and drawn
    unit: ClassVar[str] = "cycles"

    def __post_init__(self) -> None:
        check_axes(self.axes)
        size = prod(len(axis.values) for axis in self.axes)
        if self.samples is not None and self.samples < 1:
            raise InputError(f"{self.samples} is below 1 point", where="--samples")
        taken = size if self.samples is None else min(size, self.samples)
        if taken > MOST_POINTS:
            raise InputError(f"{taken} points are too many (at most {MOST_POINTS}): take a sample with --samples")
        if size > 2**62:
            raise InputError(f"the grid of {size:.3g} points is too large to draw from")
        self.numbers = list(range(size)) if taken == size else sorted(Random(self.seed).sample(range(size), taken))

    def __getstate__(self) -> dict[str, Any]:
        """Return the declared fields only: other processes work out the cached values again."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def columns(self) -> dict[str, type]:
        """The columns of a row and their types; values of axes may also be texts."""
        return {axis.name: object for axis in self.axes} | self.measures | {"engine": str, "key": str}

    @property
    def measures(self) -> dict[str, type]:
        """What a row says of a run, and the types."""
        held = {f"occupancy.{channel.name}": int for channel in self.network.written.channels} if self.occupancy else {}
        return _MEASURES | held

    def values(self, number: int) -> tuple[Value, ...]:
        """Return the values of one point of the grid."""
        values = []
        for axis in reversed(self.axes):
            number, index = divmod(number, len(axis.values))
            values.append(axis.values[index])
        return tuple(reversed(values))

    def point(self, number: int) -> dict[str, Value]:
        """Return the values of one point of the grid by the name of their axis."""
        return {axis.name: value for axis, value in zip(self.axes, self.values(number), strict=True)}

    def number(self, row: Row) -> int:
        """Return the point of the grid whose values a row has."""
        number = 0
        for axis, places in zip(self.axes, self._places, strict=True):
            number = number * len(axis.values) + places[row[axis.name]]
        return number

    def at(self, values: Sequence[Value]) -> Network:
        """Return the network at a point."""
        return varied(self.network, self.axes, values)

    def key(self, number: int) -> str:
        """Return the hash of everything that decides the row of a point: the network there, not how it was written."""
        return self.key_at(self.values(number))

    def key_at(self, values: Sequence[Value]) -> str:
        """Return the `key` of the point with these values."""
        return _hash(self._said(values))

    def _said(self, values: Sequence[Value]) -> Any:
        """Return what is hashed: two points print alike if and only if their rows are the same."""
        return self._network_said(self.at(values))

    def _network_said(self, at: Network) -> Any:
        everything: list[Process | Channel] = [*at.written.processes, *at.written.channels]
        parts = [self._digests.get(id(part)) or self._digest(part) for part in everything]
        units = sorted(at.resources.items())
        return (_RULES, at.convention, self.occupancy, at.clock_ns, units, parts)

    def rows(self, numbers: Iterable[int]) -> list[Row]:
        """Run some points; one that breaks a rule, or is more than the engine does, has the reason as `REFUSED`."""
        return [self._row(number) for number in numbers]

    def _row(self, number: int) -> Row:
        point = self.point(number)
        try:
            return point | self._found(tuple(point.values()))
        except PpnsimError as error:
            return point | {REFUSED: str(error)}
        except MemoryError:
            return point | {REFUSED: "needs more memory than there is"}

    def _found(self, values: tuple[Value, ...]) -> Row:
        """Run one point and return its measures, the engine and its key."""
        outcome = self._run(values)
        # What ran is the network at the point, which need not be made a second time.
        key = _hash(self._network_said(outcome.network))
        return self._measures(outcome) | {"engine": outcome.engine, "key": key}

    def _run(self, values: tuple[Value, ...]) -> Run:
        family = self._families.of(values) if self._families.pay else None
        if family is None:
            return self._run_alone(self.at(values), {})
        depths = self._families.depths(values)
        if not family.obeys:
            self.at(values).checked()  # a program takes any depths
        return family.reruns.run(depths) if family.reruns else self._run_alone(family.program, depths)

    def _run_alone(self, network: Network | Program, depths: Depths) -> Run:
        lowered = network.network if isinstance(network, Program) else network
        if self._many and lowered.events < PAYS:
            return run(network, engine="compiled", depths=depths, on_deadlock="return", fast_forward=False)
        return run(network, engine=self.engine, depths=depths, on_deadlock="return")

    @cached_property
    def _places(self) -> list[dict[Value, int]]:
        return [{value: place for place, value in enumerate(axis.values)} for axis in self.axes]

    @cached_property
    def _many(self) -> bool:
        """Whether the points together have so many firings that the compiled engine pays, also for small ones."""
        many = len(self.numbers) * self.network.events >= PAYS
        return many and self.engine == "auto" and unsupported(self.network) is None

    @cached_property
    def _families(self) -> Families:
        taken = len(self.numbers) / prod(len(axis.values) for axis in self.axes)
        return Families(self.at, self.axes, taken=taken, events=self.network.events, on_tape=self._many)

    def _measures(self, outcome: Run) -> Row:
        degree = run_parallelism(outcome)
        measured = (outcome.finish, outcome.time_ns, outcome.deadlocked, degree.average, degree.maximum)
        held = {
            f"occupancy.{channel.name}": most_held(outcome, channel.name)
            for channel in (self.network.written.channels if self.occupancy else ())
        }
        return dict(zip(_MEASURES, measured, strict=True)) | held

    def _digest(self, part: Process | Channel) -> str:
        said = []
        for each in fields(part):
            if each.name in _NO_MATTER:
                continue
            value = getattr(part, each.name)
            if each.name in ("tokens", "latency"):
                value = self._long.get(id(value)) or _hash(value)
            said.append(f"{each.name}={value!r}")
        return " ".join(said)

    @cached_property
    def _digests(self) -> dict[int, str]:
        """What is hashed of the parts of the network as it is, by identity: most of them are those of most points."""
        everything: list[Process | Channel] = [*self.network.written.processes, *self.network.written.channels]
        return {id(part): self._digest(part) for part in everything}

    @cached_property
    def _long(self) -> dict[int, str]:
        """Hashes of what may be long in the network as it is, by identity, so that a point need not go through it."""
        written = self.network.written
        long = [channel.tokens for channel in written.channels] + [p.latency for p in written.processes]
        return {id(value): _hash(value) for value in long}


def _hash(value: object) -> str:
    with np.printoptions(threshold=sys.maxsize):  # tokens given as long arrays would print alike
        said = repr(value)
    return hashlib.sha256(said.encode()).hexdigest()[:32]
