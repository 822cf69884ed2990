"""Directives that a schedule does not meet.

These are minimum latencies outside of pipelines (R3.5), loops that are not flattened, pipelines that become too large
when the loops in them are unrolled (R1.3), directives on loops in a pipeline, which unrolls them (R1.5), loops that do
not rewind (R5.26), and modules that calls do not share (R6.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from operator import itemgetter

from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.hls.structure.flat import MOST_STATEMENTS, outgrows
from ppnsim.hls.structure.rewound import CALLED
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Frame, Loop, LoopProgram


def unmet(
    program: LoopProgram, nests: Sequence[ScheduledNest], cycles: int | None, directives: Directives
) -> list[str]:
    """Return each directive of a kernel that its schedule does not meet; ``cycles`` is None for a dataflow region."""
    return [*unmet_latencies(program, nests, cycles, directives), *unmet_flattening(nests, directives),
            *unmet_pipelines(program, nests, directives), *unmet_inside(program, nests, directives),
            *unmet_rewinds(nests, directives), *unmet_modules(program, nests, directives)]  # fmt: skip


def unmet_latencies(
    program: LoopProgram, nests: Sequence[ScheduledNest], cycles: int | None, directives: Directives
) -> list[str]:
    """Return each ``latency min`` that has no effect, with its place, and whether it belongs to a loop or a function.

    It has an effect on a pipelined loop and on a kernel that is pipelined as a whole. Another kernel may take that many
    cycles anyway.
    """
    iterations = {
        scope_of(loop): nest.body.depth for nest in nests for loop in nest.body.pipeline.loops
    }  # fmt: skip
    runs = {scope_of(frame): inf if cycles is None else cycles for frame in program.frames[:1]}
    found = []
    for part, asked, taken in (("loop", directives.loops, iterations), ("function", directives.functions, runs)):
        for scope, each in asked.items():
            if each.least > taken.get(scope, 0) and each.least_at:
                words = f"{each.least_at}: latency min={each.least} of a {part} that is not pipelined"
                found.append(words)
    return found


def unmet_flattening(nests: Sequence[ScheduledNest], directives: Directives) -> list[str]:
    """Return each loop with a ``loop_flatten`` that is not flattened with another loop, with its place."""
    flat = {scope_of(loop) for nest in nests if len(nest.body.pipeline.loops) > 1 for loop in
            nest.body.pipeline.loops}  # fmt: skip
    asked = sorted(scope for scope, each in directives.loops.items() if each.flatten and scope not in flat)
    return [
        f"{directives.places.get((scope, 'loop_flatten'), '{}:{}:{}'.format(*scope))}: "
        f"loop_flatten of the loop in line {scope[1]}: it stays a loop of its own" for scope in asked
    ]  # fmt: skip


def unmet_pipelines(program: LoopProgram, nests: Sequence[ScheduledNest], directives: Directives) -> list[str]:
    """Return each loop with a ``pipeline`` directive that is not pipelined because it grows too large (R1.3)."""
    made = {scope_of(nest.body.pipeline.loops[-1]) for nest in nests}
    asked = (loop for loop in all_loops(program.body) if directives.of(loop).pipeline and scope_of(loop) not in made)
    lines = {scope_of(loop): loop.position for loop in asked if outgrows(loop)}
    return [
        f"{directives.places.get((scope, 'pipeline'), at)}: pipeline of the loop in line {at.line}: with all loops in "
        f"it unrolled it has more than {MOST_STATEMENTS} statements; the cycles are those of the loops in it, one "
        "after the other, not of that pipeline" for scope, at in sorted(lines.items())
    ]  # fmt: skip


def unmet_rewinds(nests: Sequence[ScheduledNest], directives: Directives) -> list[str]:
    """Return each loop with a ``pipeline rewind`` that starts again only after its end, with the reason (R5.26)."""
    made = {scope_of(nest.body.pipeline.loops[-1]): nest.body.pipeline for nest in nests}
    found = []
    for scope in sorted(scope for scope, each in directives.loops.items() if each.rewind):
        pipeline = made.get(scope)
        if pipeline is not None and pipeline.rewind:
            continue
        reason = "it is no pipeline of its own" if pipeline is None else pipeline.unwound or CALLED
        at = directives.places.get((scope, "pipeline"), "{}:{}:{}".format(*scope))
        words = f"pipeline rewind of the loop in line {scope[1]}: {reason}"
        found.append(f"{at}: {words}, so that it ends before it starts again")
    return found


def unmet_modules(program: LoopProgram, nests: Sequence[ScheduledNest], directives: Directives) -> list[str]:
    """Return each ``allocation`` of a function whose calls take no turns: tasks, and calls without loops (R6.6)."""
    if not directives.modules:
        return []
    pipelined = dict[tuple[str, ...], int]()
    for nest in nests:
        loop = nest.body.pipeline.loops[0]
        paths = {step.statement.path for step in nest.body.pipeline.steps}
        for path in paths:
            for length in range(len(path_of(loop)) + 1, len(path) + 1):
                pipelined.setdefault(path[:length], loop.position.line)
    regions = {path_of(loop) for loop in all_loops(program.body) if directives.of(loop).dataflow}
    regions |= {each.path for each in program.frames if _is_region(each, directives)}
    looped = [path_of(loop) for loop in all_loops(program.body)]
    found = dict[str, None]()
    for path, of in sorted(directives.modules.items(), key=itemgetter(0)):
        words = ""
        if path in pipelined:
            words = f"whose calls have operators of their own in the pipelined loop in line {pipelined[path]}"
        elif path[:-1] in regions:
            words = "whose calls are tasks of a dataflow region, each of them a module of its own"
        elif not any(each[: len(path)] == path for each in looped):
            words = "whose calls have no loops, and operators of their own here"
        if words:
            found[f"{of.where}: allocation of a function, {words}"] = None
    return list(found)


def _is_region(frame: Frame, directives: Directives) -> bool:
    asked = directives.functions.get(scope_of(frame))
    return asked is not None and asked.dataflow


def unmet_inside(program: LoopProgram, nests: Sequence[ScheduledNest], directives: Directives) -> list[str]:
    """Return each ``pipeline``, and each ``unroll`` that is not complete, of a loop in a pipeline everywhere (R1.5)."""
    made = {scope_of(nest.body.pipeline.loops[-1]) for nest in nests}
    around = [loop for loop in all_loops(program.body) if scope_of(loop) in made and directives.of(loop).pipeline]
    places = {scope_of(inner): (loop.position.line, inner) for loop in around for inner in all_loops(loop.body)}
    inside = {id(inner) for loop in around for inner in all_loops(loop.body)}
    elsewhere = {scope_of(loop) for loop in all_loops(program.body) if id(loop) not in inside} | made
    found = []
    for scope, (line, inner) in sorted(places.items()):
        for words in _asked_of(inner, directives) if scope not in elsewhere else ():
            place = directives.places.get((scope, words.partition(" ")[0]))
            if place is not None:
                found.append(f"{place}: {words}, of a loop in the pipelined loop in line {line}, which unrolls it")
    return found


def _asked_of(loop: Loop, directives: Directives) -> Iterator[str]:
    """Yield what directives ask of a loop instead of unrolling it completely."""
    if (asked := directives.loops.get(scope_of(loop))) is None:
        return
    if asked.pipeline is not None and asked.unroll != 0:
        yield "pipeline"
    if 0 < (asked.unroll or 0) < (steady_trips(loop) or inf):
        yield "unroll that is not complete"
