"""Designs of a kernel under synthesis directives, and the file that keeps those that were scheduled.

Source: Siracusa et al. 2021, section 4.3: the space of Algorithm 1. No loop is pipelined without a directive.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod

from ppnsim.hls.dse.loops import Evaluated, KernelLoops, Levels, divisors
from ppnsim.hls.dse.rows import DesignRows, code_of_schedules
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives, LoopDirective, Scope, scope_of
from ppnsim.hls.resources import KINDS, resources
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.loops.program import LoopProgram

RULES = replace(TOOL, unroll=False, common=False, balance=True)
"""The tool's rules, changed as the paper estimates designs (section 4.1): sums and products become trees, also of
floating point; only pipelines share units; no loop is unrolled without a directive."""
_FILE = re.compile(r"\bfile='[^']*'")


@dataclass(slots=True)
class Designs:
    """The designs of a kernel on a device; each is scheduled once, or found in the ``rows`` of a file.

    ``buses`` are the arguments on a bus or on a wire (R6.26): these are not partitioned.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Array, Execution, Loop, Operation, Position, Statement
    >>> from ppnsim.hls.library.library import load_library
    >>> i, where = Affine.of("i"), Position("k.c", 3, 1)
    >>> twice = Operation("+", "int", (Operation("read", "int", read=0), Operation("read", "int", read=0)))
    >>> body = Statement(name="s", reads=(Access("a", (i,)),), writes=(Access("b", (i,)),), value=twice)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(7),), body=(Execution(body),), position=where)
    >>> arrays = tuple(Array(name=name, shape=(8,), role="parameter") for name in "ab")
    >>> designs = Designs(LoopProgram(name="k", arrays=arrays, body=(loop,)), load_library("xc7vx690t", 10))
    >>> plain, pipelined = designs.at({}, {}), designs.at({("k.c", 3, 1): 1}, {})
    >>> plain.cycles > pipelined.cycles, designs.words(pipelined), designs.space
    (True, ['3: pipeline'], 288)
    """

    program: LoopProgram
    library: Library
    rules: Rules = RULES
    rows: DesignRows | None = None
    buses: Mapping[str, Storage] = field(default_factory=dict)
    known: Known = field(default_factory=Known)
    loops: KernelLoops = field(init=False)
    _said: str = field(default="", init=False)
    _done: dict[tuple[tuple[int, ...], tuple[tuple[str, Partition], ...]], Evaluated] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.loops = KernelLoops(self.program)

    @property
    def space(self) -> int:
        """The number of combinations of directives, counted as in the paper's Table 1.

        A loop is pipelined or not, and unrolled by any divisor of its trip count. A dimension of an array is whole, in
        cyclic or block parts by any divisor of its extent, or complete.
        """
        loops = (2 * len(divisors(self.loops.trips(key) or 1)) for key in self.loops)
        arrays = (array for array in self.program.arrays if array.name not in self.buses)
        extents = (extent for array in arrays for extent in array.shape)
        return prod(loops) * prod(max(1, 2 * len(divisors(extent)) - 2) for extent in extents)

    def directives(self, levels: Levels, partitions: Mapping[str, Partition]) -> Directives:
        """Return the directives of a design."""
        loops = {}
        for key in self.loops:
            level = levels.get(key, 0)
            if self.loops.complete(key, levels):
                loops[key] = LoopDirective(unroll=0)
            elif level:
                loops[key] = LoopDirective(pipeline=True, unroll=level if level > 1 else None)
            elif not self.loops.children(key, levels):
                loops[key] = LoopDirective(pipeline=False)
        return Directives(loops, dict(partitions), storage=self.buses)

    def words(self, design: Evaluated) -> list[str]:
        """Return the directives of a design as the tool's pragmas; pragmas of loops begin with the loop's line."""
        return self.loop_words(design) + [f"array_partition variable={each}" for each in self.array_words(design)]

    def loop_words(self, design: Evaluated) -> list[str]:
        """Return the directives on loops."""
        lines = []
        for key in (key for key in self.loops if design.levels.get(key)):
            factor = design.levels[key]
            if self.loops.complete(key, design.levels):
                lines.append(f"{key[1]}: unroll")
            else:
                lines += [f"{key[1]}: pipeline", *([f"{key[1]}: unroll factor={factor}"] if factor > 1 else [])]
        return lines

    def array_words(self, design: Evaluated) -> list[str]:
        """Return the partitions: each with its array, kind, factor and dimension."""
        return [
            f"{name} {each.kind}{'' if each.kind == 'complete' else f' factor={each.factor}'} dim={each.dim}"
            for name, whole in design.partitions.items() for each in (whole, *whole.more)
        ]  # fmt: skip

    def at(self, levels: Levels, partitions: Mapping[str, Partition]) -> Evaluated:
        """Return the evaluated design for these directives."""
        parts = dict(sorted(partitions.items(), key=lambda each: each[0]))
        known = tuple(levels.get(loop, 0) for loop in self.loops), tuple(parts.items())
        if known not in self._done:
            asked = {loop: level for loop, level in zip(self.loops, known[0], strict=True) if level}
            self._done[known] = self._looked_up(asked, parts)
        return self._done[known]

    def _looked_up(self, levels: Levels, partitions: Mapping[str, Partition]) -> Evaluated:
        """Return a design from the file if it is there; else schedule it and write it there."""
        if self.rows is None:
            return self._scheduled(levels, partitions)
        key, loops = self.key(levels, partitions), list(self.loops)
        found = self.rows.find(key, levels, partitions, loops)
        if found is None:
            found = self._scheduled(levels, partitions)
            self.rows.add(key, found, loops, kernel=self.program.name, directives=self.words(found))
        return found

    def key(self, levels: Levels, partitions: Mapping[str, Partition]) -> str:
        """Return the hash of all inputs of a design, without the path of the source file."""
        if not self._said:
            said = code_of_schedules(), self.program, self.library, self.rules, self.buses
            self._said = _FILE.sub("file=''", repr(said))
        asked = [levels.get(key, 0) for key in self.loops], sorted(partitions.items(), key=lambda each: each[0])
        return hashlib.sha256(f"{self._said}{asked}".encode()).hexdigest()[:32]

    def _scheduled(self, levels: Levels, partitions: Mapping[str, Partition]) -> Evaluated:
        directives = self.directives(levels, partitions)
        machine = schedule_kernel(self.program, self.library, directives, self.rules, known=self.known)
        used = resources(machine, self.program, self.library, directives, self.rules)
        device = self.library.device
        area = {kind: getattr(used, kind) / getattr(device, kind) for kind in KINDS if getattr(device, kind)}
        return Evaluated(levels=levels, partitions=partitions, cycles=machine.cycles, loops=_cycles(machine), area=area)


def _cycles(machine: StateMachine) -> dict[Scope, int]:
    """Return the cycles of each loop: of its straight-line code, and of the pipelines that it contains or is."""
    cycles: Counter[Scope] = Counter()
    for region in machine.regions:
        for loop in region.outer:
            cycles[scope_of(loop)] += region.cycles
    for nest in machine.nests:
        for loop in nest.body.pipeline.loops:
            cycles[scope_of(loop)] += nest.cycles
    return dict(cycles)
