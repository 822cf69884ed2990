"""A kernel on an FPGA board as the roofline sees it: operators, resources, memories, arguments (section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ppnsim.boards.board import Board
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

    @property
    def place(self) -> str:
        """The bank as it is called: ``ddr[0]``."""
        return f"{self.memory}[{self.bank}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignPoint:
    """A design in the picture; ``performance`` per ns, ``intensity`` None for that of all banks together."""

    name: str
    performance: float
    intensity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """A kernel on a board; `checks.check_accelerator` tells which rules it keeps.

    Attributes
    ----------
    available : resources of the device by kind; ``memories`` are those that the arguments lie in.
    device : its name, "" where only its resources are known.
    results : o_res; None to count the operations that are ``counted``.
    metric : the name of what is counted.
    allowance : share of the compute bound that routing leaves.
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
    device: str = ""

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
