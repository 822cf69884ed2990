"""Designs of a kernel under synthesis directives: loops plain, pipelined or unrolled, arrays in so many memories.

Source: Siracusa et al. 2021, section 4.3: the space that Algorithm 1 walks. No loop is pipelined unasked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.affine.program import Access, Guard, Loop, LoopProgram, Node
from ppnsim.errors import InputError
from ppnsim.hls.counting import constant_trips
from ppnsim.hls.directives import Directives, LoopDirective, all_loops
from ppnsim.hls.library import Library
from ppnsim.hls.machine import scheduled
from ppnsim.hls.partitions import Partition
from ppnsim.hls.resources import resources
from ppnsim.hls.rules import TOOL
from ppnsim.hls.structure import Pipeline, Serial, Tree, structured
from ppnsim.hls.types import Format

RULES = replace(TOOL, unroll=False)
"""Those of the tool, but no loop is unrolled that was not asked for."""
KINDS = ("lut", "ff", "dsp", "bram")

Key = tuple[str, int]  # file and line of a loop
_Levels = tuple[tuple[Key, int], ...]
_Partitions = tuple[tuple[str, Partition], ...]
Levels = Mapping[Key, int]
"""What is done to loops: 0 nothing, 1 pipelined, f >= 2 also unrolled by f; by all its iterations, it is no loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A design: ``area`` by resource as a share of the device, ``levels`` and ``partitions`` as they were asked for."""

    levels: Mapping[Key, int]
    partitions: Mapping[str, Partition]
    cycles: int
    area: Mapping[str, float]

    @property
    def share(self) -> float:
        """The largest share of a resource."""
        return max(self.area.values())

    @property
    def fits(self) -> bool:
        """Whether the device has all that it needs."""
        return self.share <= 1


@dataclass(slots=True)
class Designs:
    """The designs of a kernel on a device; each is scheduled once.

    Examples
    --------
    >>> from ppnsim.affine.expressions import Affine
    >>> from ppnsim.affine.program import Array, Execution, Operation, Position, Statement
    >>> from ppnsim.hls.library import load_library
    >>> i, where = Affine.of("i"), Position("k.c", 3, 1)
    >>> twice = Operation("+", "int", (Operation("read", "int", read=0), Operation("read", "int", read=0)))
    >>> body = Statement(name="s", reads=(Access("a", (i,)),), writes=(Access("b", (i,)),), value=twice)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(7),), body=(Execution(body),), position=where)
    >>> arrays = tuple(Array(name=name, shape=(8,), role="parameter") for name in "ab")
    >>> designs = Designs(LoopProgram(name="k", arrays=arrays, body=(loop,)), load_library("xc7vx690t", 10))
    >>> plain, pipelined = designs.at({}, {}), designs.at({("k.c", 3): 1}, {})
    >>> plain.cycles > pipelined.cycles, designs.steps(("k.c", 3))
    (True, (1, 2, 4, 8))
    """

    program: LoopProgram
    library: Library
    done: dict[tuple[_Levels, _Partitions], Evaluated] = field(default_factory=dict)
    _loops: dict[Key, Loop] = field(default_factory=dict)
    _cycles: dict[tuple[Key, _Levels, _Partitions], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for loop in all_loops(self.program.body):
            key = key_of(loop)
            if key in self._loops:
                words = f"two loops begin in line {key[1]}, and directives tell loops apart by their line"
                raise InputError(words, where=str(loop.position))
            self._loops[key] = loop
        if not self._loops:
            raise InputError(f"kernel '{self.program.name}' has no loop to explore")

    @property
    def loops(self) -> tuple[Key, ...]:
        """All loops, outermost first."""
        return tuple(self._loops)

    def name(self, key: Key) -> str:
        """Return a loop's iterator."""
        return self._loops[key].iterator

    def trips(self, key: Key) -> int | None:
        """Return how often a loop runs, None if that is not constant."""
        return constant_trips(self._loops[key])

    def steps(self, key: Key) -> tuple[int, ...]:
        """Return the levels of a loop after 0: pipelined, then unrolled by each divisor of its trip count."""
        count = self.trips(key)
        return (1, *(f for f in range(2, count + 1) if count % f == 0)) if count else (1,)

    def complete(self, key: Key, levels: Levels) -> bool:
        """Return whether a loop is unrolled completely."""
        return levels.get(key, 0) >= 2 and levels[key] == self.trips(key)

    def directives(self, levels: Levels, partitions: Mapping[str, Partition]) -> Directives:
        """Return the directives of a design."""
        loops = {}
        for key in self._loops:
            level = levels.get(key, 0)
            if self.complete(key, levels):
                loops[key] = LoopDirective(unroll=0)
            elif level:
                loops[key] = LoopDirective(pipeline=True, unroll=level if level > 1 else None)
            elif not self.children(key, levels):
                loops[key] = LoopDirective(pipeline=False)
        return Directives(loops, dict(partitions))

    def children(self, key: Key, levels: Levels) -> list[Key]:
        """Return the loops right inside a loop, those that are completely unrolled replaced by what is in them."""
        return self._inside(self._loops[key].body, levels)

    def roots(self, levels: Levels) -> list[Key]:
        """Return the outermost loops."""
        return self._inside(self.program.body, levels)

    def _inside(self, body: Sequence[Node], levels: Levels) -> list[Key]:
        found: list[Key] = []
        for loop in direct_loops(body):
            key = key_of(loop)
            found += self._inside(loop.body, levels) if self.complete(key, levels) else [key]
        return found

    def at(self, levels: Levels, partitions: Mapping[str, Partition]) -> Evaluated:
        """Return a design, scheduled."""
        key = (
            tuple(sorted((k, v) for k, v in levels.items() if v)), tuple(sorted(partitions.items(), key=lambda e: e[0]))
        )  # fmt: skip
        if key not in self.done:
            directives = self.directives(levels, partitions)
            machine = scheduled(self.program, self.library, directives, RULES)
            used = resources(machine, self.program, self.library, directives)
            device = self.library.device
            area = {kind: getattr(used, kind) / getattr(device, kind) for kind in KINDS if getattr(device, kind)}
            self.done[key] = Evaluated(
                levels=dict(key[0]), partitions=dict(key[1]), cycles=machine.cycles, area=area
            )  # fmt: skip
        return self.done[key]

    def cycles_of(self, key: Key, levels: Levels, partitions: Mapping[str, Partition]) -> int:
        """Return the cycles of one loop in its place: those of the kernel without the loops beside it."""
        program = replace(self.program, body=_only(self.program.body, key))
        inside = {key_of(loop) for loop in all_loops(program.body)}
        used = {access.array for each in program.statements() for access in (*each.reads, *each.writes)}
        own = tuple(sorted((k, level) for k, level in levels.items() if k in inside))
        parts = tuple(sorted(((n, part) for n, part in partitions.items() if n in used), key=lambda e: e[0]))
        if (key, own, parts) not in self._cycles:
            directives = self.directives(levels, partitions)
            self._cycles[key, own, parts] = scheduled(program, self.library, directives, RULES).cycles
        return self._cycles[key, own, parts]

    def accesses(self, levels: Levels, partitions: Mapping[str, Partition]) -> list[list[Access]]:
        """Return the accesses to arrays of each body that runs at one go, after unrolling."""
        real = {array.name for array in self.program.arrays if Format.of(array.type).real}
        tree = structured(self.program.body, real, self.directives(levels, partitions), RULES)
        return [found for found in _bodies(tree) if found]


def key_of(loop: Loop) -> Key:
    """Return what directives call a loop by."""
    return loop.position.file, loop.position.line


def direct_loops(body: Sequence[Node]) -> Iterator[Loop]:
    """Yield the loops of a body, not those inside them."""
    for node in body:
        if isinstance(node, Loop):
            yield node
        elif isinstance(node, Guard):
            yield from direct_loops((*node.body, *node.otherwise))


def _only(body: Sequence[Node], key: Key) -> tuple[Node, ...]:
    """Return a body with nothing in it but a loop, all that is inside it, and the loops around it."""
    for node in body:
        if isinstance(node, Loop):
            if key_of(node) == key:
                return (node,)
            if any(key_of(loop) == key for loop in all_loops(node.body)):
                return (replace(node, body=_only(node.body, key)),)
        elif isinstance(node, Guard):
            for part, condition in ((node.body, True), (node.otherwise, False)):
                if any(key_of(loop) == key for loop in all_loops(part)):
                    kept = _only(part, key)
                    return (replace(node, body=kept if condition else (), otherwise=() if condition else kept),)
    return ()


def _bodies(tree: Sequence[Tree]) -> Iterator[list[Access]]:
    straight: list[Access] = []
    for node in tree:
        if isinstance(node, Serial):
            yield from _bodies(node.body)
            continue
        steps = (*node.before, *node.steps, *node.after) if isinstance(node, Pipeline) else (node,)
        own = [a for step in steps for a in (*step.statement.reads, *step.statement.writes) if a.subscripts]
        if isinstance(node, Pipeline):
            yield own
        else:
            straight += own
    yield straight
