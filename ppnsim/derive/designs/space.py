"""The designs between a program's absolute and its unbounded throughput, each with its price in processes.

A design gives the split of every statement. Some statements need no try: if data make every execution wait for the
previous one, a split gains nothing.

Source: van Teijlingen 2014, figure 1.1 and section 5.6.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.derive.designs.execution_graph import Executed, ExecutionGraph
from ppnsim.derive.designs.splits import Choice, Method, Splitter, options_of
from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.rewrite.partition import MOST_PARTS

Design = tuple[Choice, ...]  # one choice per statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A design with its number of processes and its finish in cycles."""

    design: Design
    processes: int
    finish: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Splittable:
    """Whether a statement may be split, and the reason if not.

    Attributes
    ----------
    name, executions : of the statement.
    self_dependences : its reads of its own results, with the loops that carry them.
    default : the default of the thesis's profiler: cut a statement with a self-dependence, unfold others.
    reason : why the statement is not split, "" if it may be.
    """

    name: str
    executions: int
    self_dependences: tuple[str, ...]
    default: Method
    reason: str


class DesignSpace:
    """Times designs and keeps the best one for each number of processes.

    Parameters
    ----------
    program : the program, with its streams if they are processes (`derive.with_streams`).
    keep : statements that stay one process.
    ii, latency : cycles of statements that have none of their own.
    max_processes : designs with more processes are skipped.

    Raises
    ------
    InputError
        If a name in ``keep`` is not a statement, the program itself has more processes, or cannot be explored.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Array, Execution, Loop, Statement
    >>> i, bounds = Affine.of("i"), {"first": (Affine.of(0),), "last": (Affine.of(9),)}
    >>> add = Statement(name="add", reads=(Access("s"), Access("x", (i,))), writes=(Access("s"),))
    >>> arrays = Array(name="s"), Array(name="x", shape=(10,))
    >>> nest = LoopProgram(name="sum", arrays=arrays, body=(Loop(iterator="i", **bounds, body=(Execution(add),)),))
    >>> DesignSpace(nest).statements[0].reason
    'each execution needs what the one before it made (s, carried by i)'
    """

    def __init__(
        self, program: LoopProgram, *, keep: Collection[str] = (), ii: int = 1, latency: int = 1,
        max_processes: int = MOST_PARTS,
    ) -> None:  # fmt: skip
        names = [statement.name for statement in program.statements()]
        for name in keep:
            if name not in names:
                raise InputError(f"no statement is called '{name}'{did_you_mean(name, names)}", where=program.name)
        for statement in program.statements():
            if statement.process:
                reason = f"statement '{statement.name}' shares process '{statement.process}': explore first, then merge"
                raise InputError(reason, where=program.name)
        self.program, self.max_processes = program, max_processes
        self.graph = ExecutionGraph.of(program, ii=ii, latency=latency)
        if max_processes < len(self.graph.statements):
            reason = f"at most {max_processes} processes are allowed, but it has {len(self.graph.statements)} as it is"
            raise InputError(reason, where=program.name)
        self.splitters = [Splitter(each) for each in self.graph.statements]
        self.statements = tuple(self._splittable(k, keep) for k in range(len(self.splitters)))
        self.open = [k for k, each in enumerate(self.statements) if not each.reason]
        self.best: dict[int, Point] = {}
        self.evaluated = 0
        self.start = self.point(((),) * len(self.statements))
        self.unbounded = self._ideal(range(len(self.statements)))
        self.bound = self._ideal(self.open)

    def point(self, design: Design) -> Point:
        """Return a design with its figures; it enters the front unless it has too many processes."""
        process, processes = self.process(design)
        point = Point(design=design, processes=processes, finish=self.graph.starts(process)[1])
        self.evaluated += 1
        known = self.best.get(processes)
        if processes <= self.max_processes and (known is None or _rank(point) < _rank(known)):
            self.best[processes] = point
        return point

    def processes(self, design: Design) -> int:
        """Return the number of processes of a design."""
        return sum(splitter.copies(choice)[1] for splitter, choice in zip(self.splitters, design, strict=True))

    def process(self, design: Design) -> tuple[Int64Array, int]:
        """Return the process of each execution, and how many there are."""
        process, count = np.empty(len(self.graph.number), dtype=np.int64), 0
        for splitter, choice in zip(self.splitters, design, strict=True):
            copies, used = splitter.copies(choice)
            process[splitter.executed.places] = copies + count
            count += used
        return process, count

    def maximum(self, point: Point) -> int:
        """Return the largest number of executes that are active at once in a design."""
        return self.graph.most_at_once(self.process(point.design)[0])

    def held_by(self, point: Point) -> set[int]:
        """Return the numbers of the statements of which at least one must be split to finish earlier."""
        return self.graph.held_by(self.process(point.design)[0])

    def front(self) -> list[Point]:
        """Return the Pareto front of processes and finish, fewest processes first."""
        found: list[Point] = []
        for _, point in sorted(self.best.items()):
            if not found or point.finish < found[-1].finish:
                found.append(point)
        return found

    def options(self, point: Point) -> list[str]:
        """Return the command-line options of a design: ``--unfold STMT=N@LOOP`` and ``--cut STMT=N@LOOP``."""
        named = zip(self.statements, point.design, strict=True)
        found = [pair for each, choice in named for pair in options_of(each.name, choice)]
        # The command line unfolds first, then cuts; options of one kind keep their order.
        return [word for method in ("--unfold", "--cut") for pair in found if pair[0] == method for word in pair]

    def _ideal(self, split: Iterable[int]) -> Point:
        """Return the figures of one process per execution of these statements; this is not a design and is not kept."""
        process, count = self.process(((),) * len(self.splitters))
        for k in split:
            places = self.splitters[k].executed.places
            process[places] = count + np.arange(len(places))
            count += len(places)
        used = len(np.unique(process))
        return Point(design=(), processes=used, finish=self.graph.starts(process)[1])

    def _splittable(self, k: int, keep: Collection[str]) -> Splittable:
        splitter = self.splitters[k]
        executed = splitter.executed
        reads = self._self_dependences(executed)
        follows = self.graph.followed(k)
        if executed.name in keep:
            reason = "kept"
        elif len(executed.points) == 1:
            reason = "executes once"
        elif follows.all():
            reason = f"each execution needs what the one before it made ({self._through(executed, reads)})"
        elif not splitter.trips:
            reason = "its loops start at one of several expressions and have bounds that vary: nothing to count or cut"
        elif all((follows | (copy[1:] == copy[:-1])).all() for copy in splitter.finest()):
            reason = "wherever a loop around it could be split, data order the executions on both sides"
        else:
            reason = ""
        return Splittable(
            name=executed.name, executions=len(executed.points), self_dependences=reads,
            default="cut" if reads else "unfold", reason=reason,
        )  # fmt: skip

    def _through(self, executed: Executed, reads: tuple[str, ...]) -> str:
        own = [each.pairs for each in self.graph.dependences if each.producer == each.consumer == executed.name]
        direct = {reader for pairs in own for reader, writer in pairs.tolist() if reader == writer + 1}
        others = () if len(direct) == len(executed.points) - 1 else ("through other statements",)
        return "; ".join((*reads, *others))

    def _self_dependences(self, executed: Executed) -> tuple[str, ...]:
        found: dict[str, set[int]] = {}
        for each in self.graph.dependences:
            if each.producer == each.consumer == executed.name:
                apart = executed.points[each.pairs[:, 0]] != executed.points[each.pairs[:, 1]]
                access = str(executed.statement.reads[each.argument])
                found.setdefault(access, set()).update(np.unique(apart.argmax(axis=1)).tolist())
        return tuple(
            f"{access}, carried by {' and '.join(executed.loops[k].iterator for k in sorted(levels))}"
            for access, levels in found.items()
        )


def _rank(point: Point) -> tuple[int, int]:
    """Return the sort key of designs with equal processes: earlier finish first, then simpler."""
    return point.finish, sum(len(choice) for choice in point.design)
