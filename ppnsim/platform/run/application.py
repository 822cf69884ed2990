"""Runs an application on a platform in SimPy: the same stages that RATSS prices, executed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from simpy import Environment, Event

from ppnsim.errors import InputError, located
from ppnsim.messages.model.loggp import Duration
from ppnsim.platform.model.nodes import Interconnect
from ppnsim.platform.model.schedules import collective_schedule, message_sizes
from ppnsim.platform.model.stages import Application, Collective, Stage
from ppnsim.platform.model.system import System, check_application
from ppnsim.platform.run.links import BusLine, NetworkLine, Record, Steps, Ticks
from ppnsim.platform.run.marks import rank_spans, stage_times
from ppnsim.platform.run.record import Pass, PlatformRun, PlatformSpan
from ppnsim.platform.run.stage import Parts, StageRun, compute_seconds

_MOST_ITERATIONS = 10**6


def run_platform(
    system: System, application: Application, *, progress: Callable[[int, int], None] | None = None
) -> PlatformRun:
    """Run an application on a platform.

    Transfers over buses go block by block, collectives message by message over LogGP ranks (or fairly shared flows),
    nodes compute as pipelines behind their input ports, and stages iterate in step or double-buffered (P2.5).

    Parameters
    ----------
    progress : called with the stages done, and all of all iterations.

    Raises
    ------
    InputError
        If a stage names a part that the platform lacks, or a transfer has a size that its table lacks.

    Examples
    --------
    >>> from ppnsim.files import load
    >>> file = load("scenarios/platforms/image_filter.toml")
    >>> round(float(run_platform(file.system, file.application).times["filter.t_comp"]), 8)
    0.00524172
    """
    check_application(system, application)
    _check_iterations(application)
    sizes = {network.name: sorted(_sizes(system, application, network)) for network in system.networks}
    env, ticks, spans = Environment(), Ticks(_times(system, application, sizes)), []

    def record(where: str, kind: str, what: str, start: int, end: int) -> None:
        if end > start:
            spans.append(PlatformSpan(where, kind, what, ticks.seconds(start), ticks.seconds(end)))

    parts = _parts(env, system, ticks, record)
    runs = [_stage_run(parts, stage) for stage in application.stages]
    env.process(_application(env, application, runs, progress))
    env.run()
    makespan = max(ticks.seconds(int(env.now) if not runs else max(run.ended[-1] for run in runs)), Fraction(0))
    for network in parts.networks.values():
        spans += rank_spans(network, ticks, makespan)
    order = {span.where: index for index, span in reversed(list(enumerate(spans)))}
    spans.sort(key=lambda span: (order[span.where], span.start, span.end))
    times = {name: time for run in runs for name, time in stage_times(run, ticks).items()}
    software = application.software
    return PlatformRun(
        makespan=makespan, times=times | {"t_application": makespan}, spans=tuple(spans),
        passes=tuple(_passes(runs, ticks)),
        messages=sum(network.messages for network in parts.networks.values()),
        transfers=sum(line.transfers for line in {id(line): line for line in parts.buses.values()}.values()),
        speedup=software / makespan if software is not None and makespan else None,
    )  # fmt: skip


def _check_iterations(application: Application) -> None:
    for stage in application.stages:
        if (times := stage.iterations * application.iterations) > _MOST_ITERATIONS:
            rule = f"a run does each of them, {_MOST_ITERATIONS} at most; predict has no such limit"
            raise InputError(f"{times} iterations ({rule})", where=stage.where)


def _passes(runs: Iterable[StageRun], ticks: Ticks) -> list[Pass]:
    """Return when each stage was performed, in order."""
    found = [
        Pass(run.stage.name, ticks.seconds(begun), ticks.seconds(ended))
        for run in runs for begun, ended in zip(run.begun, run.ended, strict=True)
    ]  # fmt: skip
    return sorted(found, key=lambda each: each.start)


def _sizes(system: System, application: Application, network: Interconnect) -> set[int]:
    """Return the sizes of all messages over a network, where its G depends on them; each must be in its table."""
    found: set[int] = set()
    for stage in application.stages:
        for transfer in stage.transfers:
            if isinstance(transfer, Collective) and transfer.over == network.name and network.efficiency:
                sizes = message_sizes(transfer, len(system.ranks(transfer)))
                with located(f"{stage.where}: transfer '{transfer.name}'"):
                    for size in sorted(sizes):
                        network.byte_gap(size)
                found |= sizes
    return found


def _times(system: System, application: Application, sizes: Mapping[str, Iterable[int]]) -> Iterator[Duration]:
    """Yield every time that the run is made of."""
    for network in system.networks:
        yield from (network.latency, network.overhead, network.gap, network.per_byte)
        for size in sizes[network.name]:
            gap = network.byte_gap(size)
            yield from ((size - 1) * gap, size * gap)
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
            names, combining = parts.system.ranks(transfer), parts.ticks.of(transfer.combining)
            schedules[transfer.name] = (names, collective_schedule(transfer, len(names), combining))
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
