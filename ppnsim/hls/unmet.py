"""Least latencies that no schedule here has: only pipelines take them (R3.5), so the report lists the others."""

from __future__ import annotations

from ppnsim.hls.pragmas.directives import Directives, scope_of
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.loops.program import LoopProgram


def unmet_latencies(program: LoopProgram, machine: StateMachine, directives: Directives) -> list[str]:
    """Return each ``latency min`` that has no effect, with its place, and what it stands in.

    A pipelined loop, or a kernel that is pipelined as a whole, takes it. Another kernel may take as long by itself.
    """
    iterations = {
        scope_of(loop): nest.body.depth for nest in machine.nests for loop in nest.body.pipeline.loops
    }  # fmt: skip
    runs = {scope_of(frame): machine.cycles for frame in program.frames[:1]}
    found = []
    for part, asked, taken in (("loop", directives.loops, iterations), ("function", directives.functions, runs)):
        for scope, each in asked.items():
            if each.least > taken.get(scope, 0) and each.least_at:
                words = f"{each.least_at}: latency min={each.least} of a {part} that is not pipelined"
                found.append(words)
    return found
