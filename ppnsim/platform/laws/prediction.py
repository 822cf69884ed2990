"""RATSS applied to an application on a platform: transfers, stages and the whole, each with its equation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppnsim.errors import InputError, located
from ppnsim.platform.laws import equations
from ppnsim.platform.laws.equations import Time
from ppnsim.platform.model.nodes import Interconnect
from ppnsim.platform.model.stages import Application, BusTransfer, Collective, Stage
from ppnsim.platform.model.system import System, check_application


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedTime:
    """A time that an equation gives; ``name`` is ``STAGE.TRANSFER``, ``STAGE.t_comp`` and so on."""

    name: str
    seconds: Fraction
    equation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationPrediction:
    """Terms from the smallest to the whole application; ``speedup`` is None without a software time."""

    terms: tuple[PredictedTime, ...]
    speedup: Fraction | None

    @property
    def total(self) -> Fraction:
        """t_application in seconds."""
        return self.terms[-1].seconds

    def quantities(self) -> dict[str, Fraction]:
        """Return seconds by name."""
        return {term.name: term.seconds for term in self.terms}


def predict(system: System, application: Application) -> ApplicationPrediction:
    """Predict an application by Eq. 1-30, without an event loop.

    Raises
    ------
    InputError
        If a part is missing, or an equation does not hold for this platform (P no power of two in a binomial tree).

    Examples
    --------
    >>> from ppnsim.files import load
    >>> file = load("scenarios/platforms/pdf_2_nodes.toml")
    >>> result = predict(file.system, file.application)
    >>> {name: round(float(time), 3) for name, time in result.quantities().items() if "." not in name}
    {'t_application': 154.443}
    """
    check_application(system, application)
    terms: list[PredictedTime] = []
    stages: list[Fraction] = []
    for stage in application.stages:
        terms += _stage(system, stage)
        stages.append(terms[-1].seconds)
    total = equations.application_time(stages, iterations=application.iterations, pipelined=application.pipelined)
    how = "the slowest stage" if application.pipelined else "the sum of the stages"
    equation = f"Eq. 17, {how}{_often(application.iterations)}"
    terms.append(PredictedTime(name="t_application", seconds=total, equation=equation))
    speedup = application.software / total if application.software is not None and total else None
    return ApplicationPrediction(terms=tuple(terms), speedup=speedup)


def longest_way(transfer: Collective, ranks: int) -> list[int]:
    """Return the sizes of the messages whose bytes a closed form counts: of a tree those of its rounds, else one.

    Examples
    --------
    >>> tree = Collective(
    ...     name="s", over="net", pattern="scatter", algorithm="binomial", size=8, root="n", group="n"
    ... )
    >>> longest_way(tree, 8)
    [8, 16, 32]
    """
    if transfer.algorithm == "binomial" and transfer.pattern in ("scatter", "gather") and ranks > 1:
        return [transfer.size << step for step in range((ranks - 1).bit_length())]
    return [transfer.size]


def _stage(system: System, stage: Stage) -> list[PredictedTime]:
    times: list[Time] = []
    terms: list[PredictedTime] = []
    for transfer in stage.transfers:
        where = f"{stage.where}: transfer '{transfer.name}'"
        if isinstance(transfer, BusTransfer):
            time, equation = _bus(system, transfer, where)
        else:
            time, equation = _collective(system, transfer, where)
        times.append(time)
        terms.append(PredictedTime(name=f"{stage.name}.{transfer.name}", seconds=time.seconds, equation=equation))
    work, device = stage.compute, system.group(stage.compute.on, stage.where)
    fpga = equations.fpga_time(
        fill=work.fill, elements=work.elements, ops_per_element=work.ops_per_element,
        clock=device.frequency(), ops_per_cycle=work.ops_per_cycle,
    )  # fmt: skip
    # All nodes of a group do the same amount of work, so one of them is the slowest.
    comp = equations.compute_time(
        [fpga], before=stage.preprocessing, beside=stage.microprocessor, after=stage.postprocessing
    )  # fmt: skip
    comm = equations.communication_time(times, blocking=stage.blocking)
    whole = equations.stage_time(
        comp, comm, iterations=stage.iterations, configuration=stage.configuration, overlap=stage.overlap
    )
    named: dict[str, tuple[Fraction, str]] = {
        "t_fpga": (fpga, "Eq. 4"),
        "t_comp": (comp, "Eq. 12"),
        "t_comm": (comm, "Eq. 14, the sum" if stage.blocking else "Eq. 14, delays and the longest throughput"),
        "t_stage": (whole, f"Eq. 15, {'the larger' if stage.overlap else 'the sum'}{_often(stage.iterations)}"),
    }
    return terms + [
        PredictedTime(name=f"{stage.name}.{name}", seconds=seconds, equation=equation)
        for name, (seconds, equation) in named.items()
    ]


def _often(iterations: int) -> str:
    return f", {iterations} iterations" if iterations > 1 else ""


def _bus(system: System, transfer: BusTransfer, where: str) -> tuple[Time, str]:
    bus = system.bus(transfer.over, where)
    ways = bus.directions(transfer.direction)
    with located(where), located(bus.where):
        gaps = [way.gap(transfer.block) for way in ways]
    # Both directions at once share the medium: Eq. 10 with P = 2, the mean of the two gaps and the longer delay.
    gap, delay = sum(gaps, Fraction(0)) / len(gaps), max(way.delay for way in ways)
    time = equations.bus_time(delay=delay, gap=gap, size=transfer.size, directions=len(ways))
    return time, "Eq. 18" if len(ways) == 1 else "Eq. 10, P = 2"


def _collective(system: System, transfer: Collective, where: str) -> tuple[Time, str]:
    network, ranks = system.network(transfer.over, where), len(system.ranks(transfer))
    with located(where):
        # A quantity is priced by the G of the messages that it is sent in (section 3.2.2), here their mean.
        sizes = longest_way(transfer, ranks)
        per_byte = Fraction(sum(each * network.byte_gap(each) for each in sizes)) / sum(sizes)
        time, words = _closed_form(transfer, network, ranks, per_byte)
    return time, f"{words}, G by message size" if network.efficiency else words


def _closed_form(transfer: Collective, network: Interconnect, ranks: int, per_byte: Fraction) -> tuple[Time, str]:
    cost = transfer.cost / transfer.element if transfer.pattern == "reduce" else Fraction(0)
    link: dict[str, Any] = {"latency": network.latency, "per_byte": per_byte, "size": transfer.size}
    both = {**link, "overhead": network.overhead, "ranks": ranks}
    if transfer.algorithm == "ring":
        raise InputError("algorithm = 'ring' has no equation in RATSS (simulate it instead)")
    if transfer.algorithm == "serialised":
        if ranks < 2:
            raise InputError("P = 0 receivers")
        hidden = transfer.overlapped and transfer.pattern in ("gather", "reduce")
        words = "Eq. 27, overlapping" if hidden else f"Eq. {27 if transfer.pattern == 'gather' else 26}"
        time = equations.serialised_time(**link, receivers=ranks - 1, overlapped=hidden)
        return time, f"{words}, P = {ranks - 1} receivers"
    if transfer.algorithm == "linear":
        return equations.linear_time(**both, gap=network.gap, cost=cost), f"Eq. 6, {ranks - 1} messages"
    if transfer.pattern in ("scatter", "gather"):
        return equations.scatter_time(**both), f"Eq. 19, P = {ranks}"
    return equations.reduce_time(**both, cost=cost), f"Eq. 20, P = {ranks}"
