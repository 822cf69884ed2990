"""A kernel on an FPGA board as the roofline model sees it: operators, resources, memories, arguments on their banks.

Rates are per ns (1e9 per second), bandwidths GB/s (bytes per ns). Source: Siracusa et al. 2021, section 4.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite
from typing import Literal

from ppnsim.boards.board import RESOURCES, Board
from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import preset

PATTERNS = ("stream", "random", "dependent")
Pattern = Literal["stream", "random", "dependent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorUse:
    """An operation and the unit that executes it: occurrences ``count`` (o_op) and resources of a unit (u_op,r).

    ``counted`` says whether it belongs to the performance metric (OP_res).
    """

    name: str
    count: float
    cost: Mapping[str, float]
    counted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySpec:
    """Equal memory banks with one port each; what is None follows from ``dram``.

    Parameters
    ----------
    banks : how many.
    peak : GB/s that a bank sustains.
    width : bytes of a bank's own port (W).
    random, dependent : requests per ns (P_R) of independent ones and of a chain.
    latency : ns of a request.
    """

    name: str
    banks: int
    dram: Dram | None = None
    peak: float | None = None
    width: int | None = None
    random: float | None = None
    dependent: float | None = None
    latency: float | None = None


def board_memories(board: Board) -> tuple[MemorySpec, ...]:
    """Return the memories of a board.

    Examples
    --------
    >>> from ppnsim.boards.files import load_board
    >>> [(memory.name, memory.banks) for memory in board_memories(load_board("u280"))]
    [('hbm', 32), ('ddr', 2)]
    """
    return tuple(MemorySpec(name=each.name, banks=each.banks, dram=preset(each.preset).dram) for each in board.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of the kernel: where it is and how it is accessed.

    Parameters
    ----------
    bytes : moved in all (its part of tb).
    quanta : bytes per cycle that its port asks for (Q).
    locality : bytes of a segment (SL); 0 is one quantum.
    outstanding : requests that its queue holds; 0 for as many as there are.
    chains : concurrent streams (C).
    """

    name: str
    memory: str
    bank: int = 0
    bytes: float = 0
    quanta: int = 64
    pattern: Pattern = "stream"
    locality: int = 0
    outstanding: int = 0
    chains: int = 1

    @property
    def segment(self) -> int:
        """Bytes of a segment."""
        return self.locality or self.quanta


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignPoint:
    """A design in the picture; ``performance`` per ns, ``intensity`` None for that of all banks together."""

    name: str
    performance: float
    intensity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """All of it; ``results`` is o_res, None to count the operations that are ``counted``.

    ``metric`` names what is counted, ``allowance`` is the share of the bound that routing leaves.
    """

    name: str
    clock_ns: Fraction
    available: Mapping[str, float]
    operators: tuple[OperatorUse, ...]
    memories: tuple[MemorySpec, ...]
    arguments: tuple[Argument, ...] = ()
    results: float | None = None
    metric: str = "operations"
    allowance: float = 0.8
    points: tuple[DesignPoint, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def frequency(self) -> float:
        """Cycles per ns."""
        return float(1 / self.clock_ns)

    @property
    def work(self) -> float:
        """What is counted, in all: o_res, or the sum of o_op over OP_res."""
        if self.results is not None:
            return self.results
        return sum(use.count for use in self.operators if use.counted)

    def memory(self, name: str) -> MemorySpec:
        """Return a memory by name."""
        return next(each for each in self.memories if each.name == name)

    def checked(self) -> Accelerator:
        """Return the accelerator itself.

        Raises
        ------
        InputError
            With the first rule that is broken.
        """
        for value, words, where in self._numbers():
            if not (isfinite(value) and value > 0):
                raise InputError(f"{words} = {value:g} must be above 0", where=where)
        if self.allowance > 1:
            raise InputError(f"allowance = {self.allowance:g} must be above 0 and at most 1 (0.8 is the paper's)")
        for use in self.operators:
            _check_operator(use, self.available)
        if not self.work > 0:
            raise InputError(f"no operation counts for the metric '{self.metric}': the performance would be 0")
        if not any(self._total(kind) > 0 for kind in RESOURCES):
            raise InputError("no operator needs any resource, so nothing bounds the peak performance")
        for argument in self.arguments:
            self._check_argument(argument)
        return self

    def _total(self, kind: str) -> float:
        return sum(use.count * use.cost.get(kind, 0) for use in self.operators)

    def _numbers(self) -> list[tuple[float, str, str]]:
        found = [(float(self.clock_ns), "clock", ""), (self.allowance, "allowance", "")]
        if self.results is not None:
            found.append((self.results, "results", "metric"))
        for memory in self.memories:
            where = f"memory '{memory.name}'"
            found.append((memory.banks, "banks", where))
            values = (memory.peak, memory.width, memory.random, memory.dependent, memory.latency)
            words = ("peak_GBps", "width", "random_per_us", "dependent_per_us", "latency_ns")
            found += [(value, word, where) for value, word in zip(values, words, strict=True) if value is not None]
        for argument in self.arguments:
            where = f"argument '{argument.name}'"
            found += [(argument.quanta, "quanta", where), (argument.chains, "chains", where)]
        found += [(point.performance, "performance", f"point '{point.name}'") for point in self.points]
        found += [(point.intensity, "intensity", f"point '{point.name}'")
                  for point in self.points if point.intensity is not None]  # fmt: skip
        return found

    def _check_argument(self, argument: Argument) -> None:
        where = f"argument '{argument.name}'"
        names = [memory.name for memory in self.memories]
        if argument.memory not in names:
            raise InputError(f"'{argument.memory}' is no memory{did_you_mean(argument.memory, names)}", where=where)
        banks = self.memory(argument.memory).banks
        if not 0 <= argument.bank < banks:
            raise InputError(f"bank = {argument.bank}: memory '{argument.memory}' has 0 to {banks - 1}", where=where)
        if argument.pattern not in PATTERNS:
            words = f"pattern = '{argument.pattern}' is no pattern{did_you_mean(argument.pattern, PATTERNS)}"
            raise InputError(words, where=where)
        for value, word in ((argument.bytes, "bytes"), (argument.outstanding, "outstanding")):
            if not 0 <= value < inf:
                raise InputError(f"{word} = {value:g} must be 0 or more", where=where)
        if argument.locality and argument.locality < argument.quanta:
            words = f"locality = {argument.locality} is less than the {argument.quanta} bytes of one quantum"
            raise InputError(words, where=where)


def _check_operator(use: OperatorUse, available: Mapping[str, float]) -> None:
    where = f"operator '{use.name}'"
    if not (isfinite(use.count) and use.count > 0):
        raise InputError(f"count = {use.count:g} must be above 0", where=where)
    for kind, value in use.cost.items():
        if kind not in RESOURCES:
            raise InputError(f"'{kind}' is no resource{did_you_mean(kind, RESOURCES)}", where=where)
        if not 0 <= value < inf:
            raise InputError(f"{kind} = {value:g} must be 0 or more", where=where)
        if value and not available.get(kind, 0) > 0:
            raise InputError(f"needs {value:g} {kind}, of which the device has none", where=where)
