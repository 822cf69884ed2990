"""The state of symbolic execution: contents of memories, the loops around, the steps found so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit, Variable
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.hierarchy.builder import Builder
from ppnsim.opencl.reader.hints import Hints
from ppnsim.opencl.reader.symbolic.atoms import ZERO, Atoms
from ppnsim.opencl.reader.symbolic.counting import Counting, LoopFrame, PathCondition
from ppnsim.opencl.reader.symbolic.ndrange import NDRange
from ppnsim.opencl.reader.symbolic.values import AnyValue, Cells, Key, MemoryObject, Pointer, Steps, Value, lane_count

Mode = Literal["data", "address", "test"]  # what the value of an expression is for
CHANGES = "it changes from iteration to iteration in a way that is not followed"


@dataclass(slots=True, eq=False)
class OpenLoop:
    """A loop that is being read.

    Attributes
    ----------
    start : what memories held before it.
    written, phis : memories that it writes; placeholders for the contents of their cells when an iteration starts.
    stored : the values that it stores to global and local memory.
    ended : breaks with known conditions.
    """

    frame: LoopFrame
    start: dict[MemoryObject, dict[Key, AnyValue]] = field(default_factory=dict)
    written: set[MemoryObject] = field(default_factory=set)
    phis: dict[tuple[MemoryObject, Key], list[int]] = field(default_factory=dict)
    stored: dict[tuple[MemoryObject, Key], AnyValue] = field(default_factory=dict)
    ended: list[SyntaxNode] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Semantics:
    """What a machine executes by: `expressions`, `control`, and calls of functions of the file, read in their place."""

    evaluate: Callable[[SyntaxNode, SymbolicMachine, Mode], AnyValue]
    execute: Callable[[Sequence[SyntaxNode], SymbolicMachine, int], None]
    inlined: Callable[[Function, SyntaxNode, SymbolicMachine], AnyValue]


class SymbolicMachine:
    """Executes a kernel symbolically: once for all work items and iterations."""

    def __init__(self, unit: TranslationUnit, items: NDRange, hints: Hints, semantics: Semantics) -> None:
        self.unit, self.items, self.hints, self.semantics = unit, items, hints, semantics
        self.atoms, self.builder, self.cells = Atoms(), Builder(), Cells()
        self.counting = Counting(self.atoms, items.symbols)
        self.variables: dict[Variable, MemoryObject] = {}
        self.path: list[LoopFrame | PathCondition] = []
        self.loops: list[OpenLoop] = []
        self.calls: list[str] = []
        self.results: list[MemoryObject] = []
        self.said: dict[str, int] = {}  # by pragmas, of the accesses of the statement that is being read
        self.unrolled: dict[str, int] = {}
        self.loop_names: set[str] = set()
        self.vectorise = True
        self.followed: set[Variable] = set()  # variables that advance with the iterations of a loop

    def evaluate(self, node: SyntaxNode, mode: Mode = "data") -> AnyValue:
        """Return the value of an expression, and add the steps that compute it."""
        return self.semantics.evaluate(node, self, mode)

    def execute(self, nodes: Sequence[SyntaxNode], after: int) -> None:
        """Read statements; ``after`` is the line before the first one, for pragmas."""
        self.semantics.execute(nodes, self, after)

    def inlined(self, function: Function, node: SyntaxNode) -> AnyValue:
        """Return what a function of the file returns at a call."""
        return self.semantics.inlined(function, node, self)

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Add no steps inside the ``with`` block."""
        before, self.builder.silent = self.builder.silent, True
        try:
            yield
        finally:
            self.builder.silent = before

    def unknown(self, reason: str) -> Affine:
        """Return an unknown number, which may differ in every iteration of the loops around."""
        number = self.atoms.unknown(reason)
        for loop in self.loops:
            loop.frame.inside |= self.atoms.leaves(number)
        return number

    def is_data(self, number: Affine) -> bool:
        """Return whether a number is data: loaded from memory, or computed from such numbers."""
        return any(each in self.atoms.reasons for each in self.atoms.leaves(number) - self.atoms.arguments)

    def branch(self, *numbers: Affine) -> None:
        """Note that work items take different paths if these numbers differ; lanes of a vector cannot."""
        for number in numbers:
            leaves = self.atoms.decide(number)
            data = self.atoms.reasons.keys() - self.atoms.shared
            self.vectorise &= leaves.isdisjoint(self.items.lanes) and leaves.isdisjoint(data)

    def share(self, offset: Affine, loaded: list[Affine]) -> None:
        """Note that loaded numbers are the same for neighbouring work items if their address is."""
        if not self.atoms.is_private(offset) and self.atoms.leaves(offset).isdisjoint(self.items.lanes):
            self.atoms.shared |= self.atoms.all_leaves(loaded)

    def made(self, of: CType, steps: Steps, reason: str) -> AnyValue:
        """Return an unknown value of a type, computed by ``steps``."""
        if count := lane_count(of):
            return tuple(self._number(of.element or of, steps, reason) for _ in range(count))
        return self._number(of, steps, reason)

    def whole(self, value: AnyValue) -> Affine:
        """Return the whole number that a value is; an unknown number if it is not a known one."""
        known = value.whole if isinstance(value, Value) else None
        return known if known is not None else self.unknown("it is computed from data")

    def _number(self, of: CType, steps: Steps, reason: str) -> Value:
        return Value(steps, self.unknown(reason) if of.kind == "integer" else None)

    def memory_of(self, variable: Variable) -> MemoryObject:
        """Return the memory of a variable."""
        if variable not in self.variables:
            space = variable.type.space or ("constant" if variable.scope == "global" else "private")
            self.variables[variable] = MemoryObject(variable.name, space, variable.type)
        return self.variables[variable]

    def declare(self, variable: Variable) -> Pointer:
        """Return the place of a new variable."""
        self.variables.pop(variable, None)
        return Pointer(self.memory_of(variable), ZERO)
