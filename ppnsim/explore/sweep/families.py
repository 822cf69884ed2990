"""Points of a sweep that differ in depths alone: a family is lowered once, and runs on one tape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import prod

from ppnsim.engines.compiled.engine import Reruns
from ppnsim.engines.program import Program
from ppnsim.engines.run import PAYS
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import Axis, Value, depth_of
from ppnsim.model.network import Network

_KEPT = 2_000_000  # firings and tokens of the programs that are kept
_PAYS = 3  # points of a family, one after another or while it is kept

Depths = dict[str, int | None]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A program for any depths, and whether all those of the sweep obey the rules.

    ``reruns`` is None where each point takes a tape of its own.
    """

    program: Program
    obeys: bool
    reruns: Reruns | None


class Families:
    """The families of a sweep; those used last are kept.

    Parameters
    ----------
    at : the network at a point.
    axes, taken : what varies, and the share of its points that are run.
    events : firings and tokens of a network of the sweep, about.
    on_tape : whether small networks are run by the compiled engine.
    """

    def __init__(
        self, at: Callable[[Sequence[Value]], Network], axes: Sequence[Axis], *, taken: float, events: int,
        on_tape: bool,
    ) -> None:  # fmt: skip
        self._at, self._axes, self._on_tape = at, axes, on_tape
        self._is_depth = [axis.parameter == "depth" and bool(axis.targets) for axis in axes]
        self._kept = max(1, _KEPT // max(1, events))
        self._known: dict[tuple[Value, ...], Family | None] = {}
        sizes = [len(axis.values) for axis in axes]
        behind = takewhile(lambda place: self._is_depth[place], reversed(range(len(axes))))
        others = prod(size for size, is_depth in zip(sizes, self._is_depth, strict=True) if not is_depth)
        together = prod(sizes) // others if others <= self._kept else prod(sizes[place] for place in behind)
        # The parameters of a source, which have no targets, make other networks.
        of_network = all(axis.targets or axis.parameter == "clock" for axis in axes)
        self.pay = of_network and together * taken >= _PAYS

    def of(self, values: Sequence[Value]) -> Family | None:
        """Return the family of a point, None if there is none: the point then says what is wrong with it."""
        key = tuple(value for value, is_depth in zip(values, self._is_depth, strict=True) if not is_depth)
        if key not in self._known:
            if len(self._known) >= self._kept:
                self._known.pop(next(iter(self._known)))
            self._known[key] = self._made(values)
        return self._known[key]

    def depths(self, values: Sequence[Value]) -> Depths:
        """Return the depths of a point by channel."""
        found: Depths = {}
        for axis, value, is_depth in zip(self._axes, values, self._is_depth, strict=True):
            if is_depth:
                found |= dict.fromkeys(axis.targets, depth_of(value))
        return found

    def _made(self, values: Sequence[Value]) -> Family | None:
        # Depths may be credits (`model.convention`), which are other channels: looked for where all have a depth.
        deepest = [
            max((each for each in axis.values if isinstance(each, int)), default=axis.values[0]) if is_depth else value
            for axis, value, is_depth in zip(self._axes, values, self._is_depth, strict=True)
        ]
        try:
            meant = self._at(deepest)
            if meant.credits:
                return None
            program = Program.of(meant)
        except InputError:
            return None
        reruns = Reruns(program) if self._on_tape and meant.events < PAYS and Reruns.takes(meant) else None
        return Family(program, self._obeys(deepest), reruns)

    def _obeys(self, deepest: Sequence[Value]) -> bool:
        """Return whether the ends of each axis of depths obey the rules, the other axes being where they are."""
        for place, axis in enumerate(self._axes):
            if not self._is_depth[place]:
                continue
            numbers = [value for value in axis.values if isinstance(value, int)]
            words: list[Value] = [value for value in axis.values if isinstance(value, str)]
            ends: list[Value] = [min(numbers), max(numbers)] if numbers else []
            try:
                for value in ends + words:
                    self._at([*deepest[:place], value, *deepest[place + 1 :]]).checked()
            except InputError:
                return False
        return True
