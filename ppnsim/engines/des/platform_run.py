"""Runs an application on a platform in SimPy: the same stages that RATSS prices, executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from simpy import Environment, Event

from ppnsim.engines.des.platform_links import BusLine, NetworkLine, Record, Steps
from ppnsim.engines.des.platform_stage import Parts, StageRun, compute_seconds
from ppnsim.engines.des.ticks import Ticks
from ppnsim.platform.run_record import PlatformRun, Span
from ppnsim.platform.stage_schedules import collective_schedule
from ppnsim.platform.stages import Application, Collective, Stage
from ppnsim.platform.system import System, check_application

_PORTS = {"port out": "out", "port in": "in"}


def run_platform(
    system: System, application: Application, *, progress: Callable[[int, int], None] | None = None
) -> PlatformRun:
    """Run an application on a platform.

    Transfers over buses go block by block, collectives message by message over LogGP ranks (or fairly shared flows),
    nodes compute as pipelines behind their input ports, and stages iterate in step or double-buffered.

    Parameters
    ----------
    progress : called with the stages done, and all of all iterations.

    Raises
    ------
    InputError
        If a stage speaks of what the platform does not have, or asks a bus for a size that its table lacks.

    Examples
    --------
    >>> from ppnsim.platform.examples import image_filter
    >>> round(float(run_platform(*image_filter()).times["filter.t_comp"]), 8)
    0.00524172
    """
    check_application(system, application)
    env, ticks, spans = Environment(), Ticks(_times(system, application)), []

    def record(where: str, kind: str, what: str, start: int, end: int) -> None:
        if end > start:
            spans.append(Span(where, kind, what, ticks.seconds(start), ticks.seconds(end)))

    parts = _parts(env, system, ticks, record)
    runs = [_stage_run(parts, stage) for stage in application.stages]
    env.process(_application(env, application, runs, progress))
    env.run()
    makespan = max(ticks.seconds(int(env.now) if not runs else max(run.ended[-1] for run in runs)), Fraction(0))
    for network in parts.networks.values():
        spans += _rank_spans(network, ticks, makespan)
    order = {span.where: index for index, span in reversed(list(enumerate(spans)))}
    spans.sort(key=lambda span: (order[span.where], span.start, span.end))
    times: dict[str, Fraction] = {}
    for run in runs:
        times |= _stage_times(run, ticks)
    times["t_application"] = makespan
    software = application.software
    return PlatformRun(
        makespan=makespan,
        times=times,
        spans=tuple(spans),
        messages=sum(network.messages for network in parts.networks.values()),
        transfers=sum(line.transfers for line in {id(line): line for line in parts.buses.values()}.values()),
        speedup=software / makespan if software is not None and makespan else None,
    )


def _times(system: System, application: Application) -> Iterator[Fraction]:
    """Yield every time that the run is made of."""
    for network in system.networks:
        yield from (network.latency, network.overhead, network.gap, network.per_byte)
    for stage in application.stages:
        yield from (stage.configuration, stage.preprocessing, stage.postprocessing, stage.microprocessor)
        yield compute_seconds(system, stage)[0]
        for transfer in stage.transfers:
            if isinstance(transfer, Collective):
                yield transfer.combining
                continue
            bus = system.bus(transfer.over, stage.where)
            for way in bus.directions(transfer.direction):
                yield way.delay
                yield from (way.gap(size) * size for size in sorted(set(transfer.blocks())))


def _parts(env: Environment, system: System, ticks: Ticks, record: Record) -> Parts:
    networks = {}
    for network in system.networks:
        members = [name for group in network.connects for name in system.group(group, network.where).instances()]
        networks[network.name] = NetworkLine(env, network, members, ticks, record)
    buses: dict[tuple[str, str], BusLine] = {}
    for bus in system.buses:
        lines: dict[str, BusLine] = {}
        for device in system.group(bus.device, bus.where).instances():
            end = system.host_of(device, bus) if bus.shared else device
            if end not in lines:
                lines[end] = BusLine(env, bus, ticks, f"{bus.name} {end}", record)
            buses[bus.name, device] = lines[end]
    return Parts(env=env, system=system, ticks=ticks, networks=networks, buses=buses, record=record)


def _stage_run(parts: Parts, stage: Stage) -> StageRun:
    schedules = {}
    for transfer in stage.transfers:
        if isinstance(transfer, Collective):
            names = parts.system.ranks(transfer)
            schedules[transfer.name] = (
                names,
                collective_schedule(transfer, len(names), parts.ticks.of(transfer.combining)),
            )
    return StageRun(parts, stage, schedules)


def _application(
    env: Environment, application: Application, runs: list[StageRun], progress: Callable[[int, int], None] | None
) -> Steps:
    """Perform all stages in turn, or each on its own share of the nodes, for one iteration behind the other."""
    total, done = len(runs) * application.iterations, 0

    def one(run: StageRun) -> Steps:
        nonlocal done
        yield from run.perform()
        done += 1
        if progress is not None:
            progress(done, total)

    if not application.pipelined:
        for _ in range(application.iterations):
            for run in runs:
                yield from one(run)
        return
    finished = [[env.event() for _ in range(application.iterations)] for _ in runs]

    def pipe(number: int, run: StageRun, before: list[Event] | None) -> Steps:
        for iteration in range(application.iterations):
            if before is not None:
                yield before[iteration]
            yield from one(run)
            finished[number][iteration].succeed()

    pipes = [pipe(number, run, finished[number - 1] if number else None) for number, run in enumerate(runs)]
    yield env.all_of([env.process(each) for each in pipes])


def _rank_spans(network: NetworkLine, ticks: Ticks, makespan: Fraction) -> Iterator[Span]:
    """Yield what the ranks of a network did; their idle time is told by the rest of the platform."""
    names = list(network.members)
    network.ranks.close()
    for rank, record in enumerate(network.ranks.records):
        for each in record.intervals(rank):
            start, end = ticks.seconds(each.start), min(ticks.seconds(each.end), makespan)
            if each.kind in _PORTS and start < end:
                yield Span(f"{names[rank]} {_PORTS[each.kind]}", "bytes", "port", start, end)
            elif each.kind not in ("wait", "compute") and start < end:
                yield Span(names[rank], each.kind, "rank", start, end)
            elif each.kind == "compute" and start < end:
                yield Span(names[rank], "software", "combine", start, end)


def _stage_times(run: StageRun, ticks: Ticks) -> dict[str, Fraction]:
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
    named |= {"t_comp": each["t_comp"], "t_comm": comm, "t_stage": whole}
    return {f"{stage.name}.{step}": time for step, time in named.items()}
