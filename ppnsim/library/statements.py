"""The network of the statements of a loop program: rewritten, given its cycles, and derived."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.derive.derive import derive
from ppnsim.derive.given import Cycles, Latencies
from ppnsim.library.cycles import timed_each
from ppnsim.library.rewriting import Step, rewritten
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network


def network_of(
    program: LoopProgram, *, steps: Sequence[Step] = (), latency: Latencies | None = None, ii: Cycles | None = None,
    timing: str | None = None, io: bool = False, hazards: bool = False,
) -> Network:  # fmt: skip
    """Return the network with a process for each statement of a program, rewritten step by step (see `derive`)."""
    program, io = rewritten(program, steps, io=io)
    program, latencies, interval = timed_each(program, latency, ii, timing)
    return derive(program, io=io, latency=latencies, ii=interval, hazards=hazards)
