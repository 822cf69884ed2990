"""What runs on a platform: applications of stages, each of transfers in, a computation, and transfers out.

Source: Holland et al. 2011 (RATSS), section 3.1.2 (synchronous, iterative) and Figure 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ppnsim.errors import InputError
from ppnsim.platform.model.nodes import Direction

_MOST_BLOCKS = 10**7
Pattern = Literal["scatter", "broadcast", "gather", "reduce"]
Algorithm = Literal["binomial", "linear", "serialised", "ring"]
TERMS = ("t_fpga", "t_comp", "t_comm", "t_stage")  # of a stage, beside its transfers


@dataclass(frozen=True, slots=True, kw_only=True)
class Collective:
    """A collective transaction of a root with all nodes of a group, over a network.

    Attributes
    ----------
    size : k, the bytes of each node.
    root : group whose first node is the root; ranks are ``group``, and the root before them if it is not a member.
    algorithm : ``serialised`` are DMA transfers one after the other, as on SNAP (Eq. 26, 27); the others are trees.
    overlapped : of the closed form only: all but the last message hide behind computation (Eq. 27).
    cost, element : gamma, seconds for every ``element`` bytes that are combined (reduce).
    """

    name: str
    over: str
    pattern: Pattern
    algorithm: Algorithm
    size: int
    root: str
    group: str
    overlapped: bool = False
    cost: Fraction = Fraction(0)
    element: int = 1

    def __post_init__(self) -> None:
        if self.size < 1 or self.element < 1:
            raise InputError(f"size = {self.size} and element = {self.element} bytes must be above 0")
        if self.cost < 0:
            raise InputError(f"cost = {float(self.cost):g} s per element is negative")

    @property
    def combining(self) -> Fraction:
        """Seconds to combine one message with what is there: gamma k."""
        return self.cost * self.size / self.element if self.pattern == "reduce" else Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BusTransfer:
    """A transfer between every device and its host: ``size`` bytes per device, in blocks of ``block`` bytes."""

    name: str
    over: str
    direction: Direction
    size: int
    block: int

    def __post_init__(self) -> None:
        if self.size < 1 or not 1 <= self.block <= self.size:
            raise InputError(f"size = {self.size}, block = {self.block}: blocks have from 1 byte to the whole size")

    def blocks(self) -> list[int]:
        """Return the bytes of each block; the last one may be smaller.

        Raises
        ------
        InputError
            If there are more than 10**7.

        Examples
        --------
        >>> BusTransfer(name="w", over="pcix", direction="write", size=20, block=8).blocks()
        [8, 8, 4]
        """
        whole, rest = divmod(self.size, self.block)
        if whole > _MOST_BLOCKS:
            words = f"{self.size} bytes in blocks of {self.block} are {whole} transfers (at most {_MOST_BLOCKS})"
            raise InputError(words, where=f"transfer '{self.name}'")
        return [self.block] * whole + [rest] * (rest > 0)


Transfer = Collective | BusTransfer


@dataclass(frozen=True, slots=True, kw_only=True)
class Compute:
    """Work of every node of a group (Eq. 3): elements, operations of each, and how many the pipeline does per cycle.

    ``reads`` are the bytes that pass the node's input port; None = what the inputs of the stage bring.
    """

    on: str
    elements: int
    ops_per_element: int
    ops_per_cycle: Fraction
    fill: int = 0
    reads: int | None = None

    def __post_init__(self) -> None:
        for name in ("elements", "ops_per_element", "fill", "reads"):
            if (getattr(self, name) or 0) < 0:
                raise InputError(f"{name} = {getattr(self, name)} is negative")
        if self.ops_per_cycle <= 0:
            raise InputError(f"ops_per_cycle = {float(self.ops_per_cycle):g} must be above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage: its iterations of inputs, computation and outputs.

    Attributes
    ----------
    overlap : double buffering: transfers of one iteration run beside the computation of another (Eq. 15).
    blocking : whether a transfer begins only after the one before (Eq. 14); else all of a list begin together.
    configuration : seconds before the first iteration.
    preprocessing, postprocessing, microprocessor : seconds of software before, after and beside the FPGAs (Eq. 12).
    buffers : input buffers and output buffers of each device when overlapped.
    """

    name: str
    compute: Compute
    inputs: tuple[Transfer, ...] = ()
    outputs: tuple[Transfer, ...] = ()
    iterations: int = 1
    overlap: bool = False
    blocking: bool = True
    configuration: Fraction = Fraction(0)
    preprocessing: Fraction = Fraction(0)
    postprocessing: Fraction = Fraction(0)
    microprocessor: Fraction = Fraction(0)
    buffers: int = 2

    def __post_init__(self) -> None:
        for name in ("iterations", "buffers"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)} is below 1", where=self.where)
        for name in ("configuration", "preprocessing", "postprocessing", "microprocessor"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} = {float(getattr(self, name)):g} s is negative", where=self.where)
        names = [each.name for each in self.transfers]
        if len(set(names)) < len(names):
            raise InputError(f"two transfers have the same name ({', '.join(names)})", where=self.where)
        for name in {"", *TERMS} & set(names):
            raise InputError(f"a transfer is called '{name}' (not one of {', '.join(TERMS)})", where=self.where)

    @property
    def where(self) -> str:
        """How messages call it."""
        return f"stage '{self.name}'"

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """Inputs, then outputs."""
        return self.inputs + self.outputs

    def arriving(self) -> int:
        """Return the bytes that pass the input port of each computing node in an iteration.

        What a bus writes; where there is no bus, what collectives bring.
        """
        if self.compute.reads is not None:
            return self.compute.reads
        written = [each.size for each in self.inputs if isinstance(each, BusTransfer) and each.direction != "read"]
        return sum(written) if written else sum(each.size for each in self.inputs if isinstance(each, Collective))


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Stages, all repeated ``iterations`` times (Eq. 16, 17).

    ``pipelined`` stages divide the nodes and work on different iterations at a time; else one follows the other.
    ``software`` is the time of the software baseline in seconds, None if there is none.
    """

    stages: tuple[Stage, ...]
    iterations: int = 1
    pipelined: bool = False
    software: Fraction | None = None

    def __post_init__(self) -> None:
        if not self.stages:
            raise InputError("has no stage, so there is nothing to run", where="application")
        if self.iterations < 1:
            raise InputError(f"iterations = {self.iterations} is below 1", where="application")
        if self.software is not None and self.software <= 0:
            raise InputError(f"software = {float(self.software):g} s must be above 0", where="application")
