"""What is reported of a run on a platform: the activities of its ranks, and the time of every step of a stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ppnsim.platform.model.nodes import Interconnect
from ppnsim.platform.run.links import NetworkLine, Ticks
from ppnsim.platform.run.record import PlatformSpan
from ppnsim.platform.run.stage import StageRun, compute_seconds

_PORTS = {"port out": "out", "port in": "in"}


def rank_spans(line: NetworkLine, ticks: Ticks, makespan: Fraction) -> Iterator[PlatformSpan]:
    """Yield what the ranks of a network did; their idle time is told by the rest of the platform."""
    names, network = list(line.members), line.network
    line.ranks.close()
    idle = ("wait", "bytes") if network.receiving == "overhead" else ("wait",)  # a DMA engine takes the bytes
    for rank, record in enumerate(line.ranks.records):
        for each in record.intervals(rank):
            start, end, name = ticks.seconds(each.start), ticks.seconds(each.end), names[rank]
            if each.kind in _PORTS:
                at_port = f"{name} {_PORTS[each.kind]}"
                gap = _gap(network) if each.kind == "port out" else network.gap
                found = [
                    PlatformSpan(at_port, "bytes", "port", start, end - gap),
                    PlatformSpan(at_port, "gap", "port", end - gap, end),
                ]
            elif each.kind == "gap":
                # The port was held by the bytes of the message before, and at the end by its g.
                turn = max(start, end - _gap(network))
                found = [PlatformSpan(name, "port", "rank", start, turn), PlatformSpan(name, "gap", "rank", turn, end)]
            elif each.kind == "compute":
                found = [PlatformSpan(name, "software", "combine", start, end)]
            else:
                found = [PlatformSpan(name, each.kind, "rank", start, end)] if each.kind not in idle else []
            # The g after the last message ends after everything else.
            clipped = (span._replace(end=min(span.end, makespan)) for span in found)
            yield from (span for span in clipped if span.start < span.end)


def _gap(network: Interconnect) -> Fraction:
    """Return the part of a message's time at its port that is g; an exclusive port is held for o + L + B instead."""
    return Fraction(network.gap) if network.sharing == "fifo" else Fraction(0)


def stage_times(run: StageRun, ticks: Ticks) -> dict[str, Fraction]:
    """Return seconds per iteration by name of step.

    One after the other, a step takes from the end of the step before, at the last node, to its own end at the last
    node: the steps then add up to the stage. With double buffering or without blocking, it is the time of the step
    itself at its slowest node.
    """
    stage, marks = run.stage, run.marks
    steps = [*(each.name for each in stage.inputs), "t_comp", *(each.name for each in stage.outputs)]
    rounds = sorted({number for each in marks.values() for number in each})
    took: dict[str, int] = dict.fromkeys(steps, 0)
    for number in rounds:
        here = {step: marks[step][number] for step in steps if marks[step][number]}
        if stage.overlap:
            for step, each in here.items():
                took[step] += max(end - start for start, end in each)
        else:
            frontier = min(start for each in here.values() for start, _ in each)
            for step, each in here.items():
                own = max(end for _, end in each)
                if stage.blocking or step == "t_comp":
                    took[step] += max(own - frontier, 0)
                else:
                    took[step] += own - min(start for start, _ in each)
                frontier = max(frontier, own)
    return _named(run, ticks, steps, took, len(rounds))


def _named(run: StageRun, ticks: Ticks, steps: list[str], took: Mapping[str, int], rounds: int) -> dict[str, Fraction]:
    stage = run.stage
    each = {step: ticks.seconds(took[step]) / rounds for step in steps}
    transfers = [step for step in steps if step != "t_comp"]
    comm = sum((each[step] for step in transfers), Fraction(0))
    whole = sum((ticks.seconds(end - begun) for begun, end in zip(run.begun, run.ended, strict=True)), Fraction(0))
    whole /= len(run.begun)
    if not stage.overlap and not stage.blocking:
        comm = (whole - stage.configuration) / stage.iterations - each["t_comp"]
    named = {step: each[step] for step in transfers}
    named["t_fpga"] = compute_seconds(run.parts.system, stage)[0]
    named |= {"t_comp": each["t_comp"], "t_comm": comm, "t_stage": whole}
    return {f"{stage.name}.{step}": time for step, time in named.items()}
