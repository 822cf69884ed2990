"""The thesis's two estimates of a loop program and its program profile, without building the network.

The nest is walked in program order with shadow times, by a kernel that is generated from it (`walk.shadow_times`).

Source: van Teijlingen 2014, sections 4.2 to 4.7 and 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ppnsim.derive.estimate.calls import CallProfile
from ppnsim.derive.estimate.walk.run import Progress
from ppnsim.derive.estimate.walked_program import WalkedProgram
from ppnsim.loops.program import LoopProgram, Position
from ppnsim.model.metrics import utilisation_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Finish in cycles, with the execute cycles per cycle and the most executes at once on the way there.

    ``maximum`` is None where it could not be counted; ``reason`` then says why.
    """

    finish: int
    average: float
    maximum: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopProfile:
    """A loop: its bounds as written, how often it was entered, and its trip counts over all entries.

    ``assumed``: an annotation says how often it runs, because its bounds are data.
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

    ``process`` executes it, by itself or with other statements. ``latency`` is the largest of ``latencies``, which are
    there if each execution has its own. ``first_execute`` and ``last_execute`` are cycles; they and the utilisation are
    None for what was never executed, the utilisation also with ii = 0.
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
        """The utilisation of its pipeline: `utilisation_of` its executions."""
        if self.first_execute is None or self.last_execute is None:
            return None
        return utilisation_of(self.executions, self.first_execute, self.last_execute, self.ii)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramEstimate:
    """Both estimates of a program and its profile; ``folded`` statements only set a local array to a constant.

    ``calls`` are there if kernels call kernels.
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
    program: LoopProgram,
    *,
    ii: int = 1,
    latency: int | Mapping[str, int | Sequence[int]] = 1,
    io: bool = False,
    hazards: bool = False,
    progress: Progress | None = None,
) -> ProgramEstimate:
    """Return absolute and unbounded throughput of a loop program, with its profile.

    Absolute: every statement is one process and starts its executions in program order, ii cycles apart or more, as
    soon as what they read has been written. Unbounded: every execution is a process of its own. Both are what
    `analysis.throughput` says of the network of the program.

    Parameters
    ----------
    program : the program; its statements' own ``ii`` and ``latency`` win over those given here.
    ii : cycles between starts of one statement.
    latency : execute latency in cycles, of all statements or by statement or function name (the statement wins); the
        key ``"*"`` stands for all others, 1 without it. Names that the program does not have mean nothing here.
        A list is a latency for each execution of a statement, in program order; results still leave in order.
    io : stream every parameter array that is read before it is written in, and every one that is written out, element
        by element in row-major order; scalars are there at cycle 0 and leave no trace.
    hazards : also keep the order of each write after the reads and writes of its element before it, as a machine with
        one place per variable must. A write begins when those reads have ended and ends when those writes have, at the
        earliest; no statement is folded then.
    progress : called now and then with the finished and the total iterations of the outermost loops.

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
            position=each.statement.position,
            loops=tuple(
                LoopProfile(
                    iterator=loop.iterator, step=loop.step, entries=entries, iterations=all_of_them,
                    first=_extreme("max" if loop.step > 0 else "min", loop.first),
                    last=_extreme("min" if loop.step > 0 else "max", loop.last), fewest=fewest, most=most,
                    assumed=loop.assumed,
                )
                for loop, (entries, all_of_them, fewest, most) in walked.loops_around(each)
            ),
        )
        for kind, each, executions, first, last in walked.executed()
    )  # fmt: skip
    return ProgramEstimate(
        name=program.name, absolute=absolute, unbounded=unbounded, statements=statements, folded=tuple(walked.folded),
        calls=walked.calls(),
    )  # fmt: skip


def _extreme(function: str, bounds: tuple[object, ...]) -> str:
    texts = [str(bound) for bound in bounds]
    return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"
