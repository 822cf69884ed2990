"""The network of the statements of a loop program: rewritten, given its cycles, and derived."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.derive.derive import derive
from ppnsim.derive.given import Cycles, Latencies
from ppnsim.errors import InputError
from ppnsim.library.cycles import timed_each
from ppnsim.library.rewriting import Step, rewritten
from ppnsim.loops.points import executions
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network


def network_of(
    program: LoopProgram, *, steps: Sequence[Step] = (), latency: Latencies | None = None, ii: Cycles | None = None,
    timing: str | None = None, io: bool = False, hazards: bool = False, most: int | None = None,
) -> Network:  # fmt: skip
    """Return the network with a process for each statement of a program, rewritten step by step (see `derive`).

    Raises
    ------
    InputError
        As of `derive`; also if there are more than ``most`` executions, before they are gone through.
    """
    program, io = rewritten(program, steps, io=io)
    if most is not None:
        _check_executions(program, most)
    program, latencies, interval = timed_each(program, latency, ii, timing)
    return derive(program, io=io, latency=latencies, ii=interval, hazards=hazards)


def _check_executions(program: LoopProgram, most: int) -> None:
    """Refuse a program whose network has more than so many firings; statements without reads may have none."""
    if (count := sum(executions(around) for each, around, _ in program.placed() if each.reads)) > most:
        words = f"its {count} executions are more than an estimate of its network goes through ({most})"
        remedy = "`ppnsim profile` has both estimates from the loops"
        raise InputError(f"{words}; {remedy}", where=f"kernel '{program.name}'")
