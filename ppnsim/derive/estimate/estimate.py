"""The two throughput estimates of a loop program and its profile, without a network.

A kernel that is generated from the loop nest walks it in program order with shadow times (`walk.shadow_times`).

Source: van Teijlingen 2014, sections 4.2 to 4.7 and 5.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ppnsim.derive.estimate.calls import CallProfile
from ppnsim.derive.estimate.timed import Timed
from ppnsim.derive.estimate.walk.run import Progress
from ppnsim.derive.estimate.walked_program import WalkedProgram
from ppnsim.loops.program import LoopProgram, Position
from ppnsim.model.metrics import utilisation_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Finish in cycles, with the average and the largest number of active executes.

    ``maximum`` is None if it could not be counted; then ``reason`` says why.
    """

    finish: int
    average: float
    maximum: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopProfile:
    """A loop: its bounds as text, its number of entries, and its trip counts over all entries.

    ``assumed``: the bounds are data, and an annotation gives the trip count.
    """

    iterator: str
    first: str
    last: str
    step: int
    entries: int
    iterations: int
    fewest: int
    most: int
    assumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementProfile:
    """A statement, or the process that streams an array in or out, in the absolute estimate.

    ``process`` executes the statement, alone or with others. ``latency`` is the largest of ``latencies``, which is
    empty unless each execution has its own. ``first_execute`` and ``last_execute`` are cycles. They and the utilisation
    are None without an execution; the utilisation is also None with ii = 0.
    """

    name: str
    kind: Literal["statement", "source", "sink"]
    executions: int
    ii: int
    latency: int
    latencies: tuple[int, ...]
    process: str
    first_execute: int | None
    last_execute: int | None
    loops: tuple[LoopProfile, ...]
    position: Position

    @property
    def utilisation(self) -> float | None:
        """The utilisation of its pipeline (`utilisation_of`)."""
        if self.first_execute is None or self.last_execute is None:
            return None
        return utilisation_of(self.executions, self.first_execute, self.last_execute, self.ii)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramEstimate:
    """Both estimates of a program and its profile; ``folded`` statements only set a local array to a constant.

    ``calls`` is empty unless kernels call kernels.
    """

    name: str
    absolute: Throughput
    unbounded: Throughput
    statements: tuple[StatementProfile, ...]
    folded: tuple[str, ...]
    calls: tuple[CallProfile, ...] = ()

    @property
    def executions(self) -> int:
        """Executions of all statements and streams."""
        return sum(statement.executions for statement in self.statements)


def estimate_program(
    program: LoopProgram, *, ii: int = 1, latency: int | Mapping[str, int | Sequence[int]] = 1, io: bool = False,
    hazards: bool = False, progress: Progress | None = None,
) -> ProgramEstimate:  # fmt: skip
    """Return absolute and unbounded throughput of a loop program, with its profile.

    Absolute: every statement is one process, which starts its executions in program order, at least ii cycles apart,
    as soon as their inputs have been written. Unbounded: every execution is a process of its own. Both equal the result
    of `analysis.throughput` for the network of the program.

    Parameters
    ----------
    program : the program; ``ii`` and ``latency`` in its source win over the arguments.
    ii : cycles between starts of one statement.
    latency : execute latency in cycles, of all statements or by name of a statement, else of a function; the key
        ``"*"`` stands for all others (default 1). Unknown names are ignored. A list has a latency for each execution of
        a statement, in program order; results still leave in order.
    io : stream in every parameter array that is read before it is written, and stream out every one that is written,
        element by element in row-major order. Scalars exist at cycle 0.
    hazards : keep each write after the earlier accesses to its element, as on a machine with one place per variable. A
        write begins no earlier than these reads end, and ends no earlier than these writes. Nothing is folded.
    progress : called from time to time with the finished and the total iterations of the outermost loops.

    Raises
    ------
    InputError
        If nothing executes, a subscript leaves its array, or a number is out of range.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Array, Execution, Loop, Statement
    >>> i, bounds = Affine.of("i"), {"first": (Affine.of(0),), "last": (Affine.of(9),)}
    >>> add = Statement(name="add", reads=(Access("s"), Access("x", (i,))), writes=(Access("s"),))
    >>> arrays = Array(name="s"), Array(name="x", shape=(10,), role="parameter")
    >>> nest = LoopProgram(name="sum", arrays=arrays, body=(Loop(iterator="i", **bounds, body=(Execution(add),)),))
    >>> estimate_program(nest).absolute
    Throughput(finish=30, average=0.3333333333333333, maximum=1, reason='')

    Source: van Teijlingen 2014, sections 4.4 to 4.6 and, for hazards, appendix E.
    """
    walked = WalkedProgram(program, ii=ii, latency=latency, io=io, hazards=hazards)
    walked.walk(progress)
    absolute, unbounded = (
        Throughput(finish=finish, average=walked.busy / finish if finish else 0.0, maximum=maximum, reason=reason)
        for finish, maximum, reason in walked.results()
    )
    statements = tuple(
        StatementProfile(
            name=each.statement.name, kind=kind, process=each.statement.owner, executions=executions, ii=each.ii,
            latency=each.latency, latencies=each.latencies, first_execute=first, last_execute=last,
            position=each.statement.position, loops=tuple(_loops(walked, each)),
        )
        for kind, each, executions, first, last in walked.executed()
    )  # fmt: skip
    return ProgramEstimate(
        name=program.name, absolute=absolute, unbounded=unbounded, statements=statements, folded=tuple(walked.folded),
        calls=walked.calls(),
    )  # fmt: skip


def _loops(walked: WalkedProgram, timed: Timed) -> Iterator[LoopProfile]:
    for loop, (entries, iterations, fewest, most) in walked.loops_around(timed):
        first, last = ("max", "min") if loop.step > 0 else ("min", "max")
        yield LoopProfile(
            iterator=loop.iterator, first=_extreme(first, loop.first), last=_extreme(last, loop.last), step=loop.step,
            entries=entries, iterations=iterations, fewest=fewest, most=most, assumed=loop.assumed,
        )  # fmt: skip


def _extreme(function: str, bounds: tuple[object, ...]) -> str:
    texts = [str(bound) for bound in bounds]
    return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"
