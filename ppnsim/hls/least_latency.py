"""Least latencies that no schedule here keeps: those of loops and functions that are not pipelined."""

from __future__ import annotations

from ppnsim.hls.pragmas.directives import Directives, scope_of
from ppnsim.hls.schedule.model import StateMachine


def without_least(machine: StateMachine, directives: Directives) -> list[str]:
    """Return the directives ``latency min=N`` without an effect on a schedule, each with the place of its loop.

    A pipelined loop or function has at least so many states (R3.5); what a state machine controls has no least latency
    here.
    """
    kept: dict[tuple[str, int, int], int] = {}
    for nest in machine.nests:
        for loop in nest.body.pipeline.loops:
            kept[scope_of(loop)] = max(nest.body.pipeline.depth, kept.get(scope_of(loop), 0))
    return [
        f"{':'.join(map(str, scope))}: latency min={asked.least} of a {kind} that is not pipelined by itself"
        for kind, table in (("loop", directives.loops), ("function", directives.functions))
        for scope, asked in table.items()
        if asked.least > kept.get(scope, 0)
    ]
