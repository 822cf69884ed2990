"""Why a simulated time is not the predicted one: the assumption behind each part of the difference, in seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ppnsim.messages.model.loggp import Duration
from ppnsim.platform.laws.equations import fpga_time
from ppnsim.platform.laws.prediction import longest_way
from ppnsim.platform.model.nodes import pipeline_cycles
from ppnsim.platform.model.stages import Application, BusTransfer, Collective, Stage, Transfer
from ppnsim.platform.model.system import System


class Reason(NamedTuple):
    """An assumption of an equation that does not hold, and the seconds that it costs or saves."""

    assumption: str
    seconds: Duration


_REST = {
    "transfer": "nodes begin and end at different times: parts of it hide behind its neighbours, or wait for them",
    "t_comp": "nodes begin at different times, so part of it hides behind transfers",
    "t_comm": "transfers hide behind each other and behind computation, or wait for each other",
    "t_stage": "nodes are not in step: one computes or transfers while another waits",
    "overlap": "double buffering fills and drains; inputs and outputs share a bus, or pass on full-duplex ports",
    "t_application": "stages are not in step",
    "pipelined": "the pipeline of stages fills before its first and drains after its last iteration",
}


def reasons(
    system: System, application: Application, predicted: Mapping[str, Fraction], simulated: Mapping[str, Fraction]
) -> dict[str, list[Reason]]:
    """Return for every time in both why they differ; the seconds of a time's reasons add up to its difference.

    Examples
    --------
    >>> from ppnsim.platform.laws.prediction import predict
    >>> from ppnsim.files import load
    >>> file = load("scenarios/platforms/pdf_2_nodes.toml")
    >>> case = file.system, file.application
    >>> formula = predict(*case).quantities()
    >>> paid = formula | {"estimate.read": formula["estimate.read"] + 4095 * Fraction("32e-6")}
    >>> [(reason.assumption, float(reason.seconds)) for reason in reasons(*case, formula, paid)["estimate.read"]]
    [('Eq. 18 pays L + o once, the bus for each of 4096 blocks', 0.13104)]
    """
    found: dict[str, list[Reason]] = {}
    closed: dict[str, list[Reason]] = {}
    for stage in application.stages:
        comm: list[Reason] = []
        for transfer in stage.transfers:
            known = _transfer(system, transfer)
            comm += known
            found[f"{stage.name}.{transfer.name}"] = [*known, Reason(_REST["transfer"], Fraction(0))]
        fpga = _fpga(system, stage)
        comp = _unhidden(fpga, predicted[f"{stage.name}.t_fpga"], stage.microprocessor)
        both = _scaled(comm + comp, stage.iterations) if not stage.overlap else []
        closed[f"{stage.name}.t_fpga"] = [reason for reason in fpga if reason.seconds]
        found[f"{stage.name}.t_comp"] = [*comp, Reason(_REST["t_comp"], Fraction(0))]
        found[f"{stage.name}.t_comm"] = [*comm, Reason(_REST["t_comm"], Fraction(0))]
        rest = _REST["overlap" if stage.overlap else "t_stage"]
        found[f"{stage.name}.t_stage"] = [*both, Reason(rest, Fraction(0))]
    for name, listed in found.items():
        closed[name] = _closed(listed, simulated[name] - predicted[name])
    stages = [reason for stage in application.stages for reason in closed[f"{stage.name}.t_stage"]]
    scaled = [] if application.pipelined else _scaled(stages, application.iterations)
    last = Reason(_REST["pipelined" if application.pipelined else "t_application"], Fraction(0))
    total = "t_application"
    return closed | {total: _closed([*scaled, last], simulated[total] - predicted[total])}


def _transfer(system: System, transfer: Transfer) -> list[Reason]:
    if isinstance(transfer, BusTransfer):
        bus, blocks = system.bus(transfer.over, ""), len(transfer.blocks())
        if bus.latency == "once":
            return []
        delay = max(way.delay for way in bus.directions(transfer.direction))
        return [Reason(f"Eq. 18 pays L + o once, the bus for each of {blocks} blocks", (blocks - 1) * delay)]
    return _collective(system, transfer)


def _collective(system: System, transfer: Collective) -> list[Reason]:
    link, ranks = system.network(transfer.over, ""), len(system.ranks(transfer))
    first = "the first byte of a message takes no G"
    if link.sharing != "fifo" or transfer.algorithm in ("linear", "ring"):
        return []
    if transfer.algorithm == "binomial":
        rounds = (ranks - 1).bit_length()
        if transfer.pattern in ("reduce", "broadcast"):
            return [Reason(first, -link.byte_gap(transfer.size) * rounds)]
        words = "Eq. 19 has 2o once, each round of messages pays it"
        gaps = [link.byte_gap(size) for size in longest_way(transfer, ranks)]
        return [Reason(first, -sum(gaps, Fraction(0))), Reason(words, 2 * link.overhead * (rounds - 1))]
    messages = 1 if transfer.overlapped and transfer.pattern in ("gather", "reduce") else ranks - 1
    return [
        Reason(first, -link.byte_gap(transfer.size) * messages),
        Reason("messages follow each other by g, which Eq. 26 leaves out", link.gap * (messages - 1)),
        Reason("Eq. 26 has no o", 2 * link.overhead),
    ]


def _fpga(system: System, stage: Stage) -> list[Reason]:
    work, device = stage.compute, system.group(stage.compute.on, stage.where)
    formula = {"elements": work.elements, "ops_per_element": work.ops_per_element, "fill": work.fill}
    predicted = fpga_time(**formula, clock=device.frequency(), ops_per_cycle=work.ops_per_cycle)
    operations = work.elements * work.ops_per_element
    words = Fraction(0) if device.port is None else Fraction(stage.arriving()) / device.port
    alone, _ = pipeline_cycles(operations, work.ops_per_cycle, fill=work.fill)
    cycles, _ = pipeline_cycles(operations, work.ops_per_cycle, fill=work.fill, words=words)
    reasons = [Reason("a pipeline runs for whole cycles", alone / device.frequency() - predicted)]
    if cycles > alone and device.port is not None:
        text = f"Eq. 4 knows no input port: {stage.arriving()} bytes at {float(device.port):g} bytes per cycle"
        reasons.append(Reason(f"{text} take longer than the operations", (cycles - alone) / device.frequency()))
    return reasons


def _unhidden(fpga: list[Reason], predicted: Fraction, beside: Fraction) -> list[Reason]:
    """Return what is left of the reasons of t_fpga in t_comp, where a microprocessor's time beside it is longer."""
    if beside <= predicted:
        return fpga
    simulated = predicted + sum((reason.seconds for reason in fpga), Fraction(0))
    return [Reason(fpga[-1].assumption, max(simulated - beside, Fraction(0)))]


def _scaled(listed: Iterable[Reason], times: int) -> list[Reason]:
    return [Reason(reason.assumption, reason.seconds * times) for reason in listed]


def _closed(listed: list[Reason], difference: Fraction) -> list[Reason]:
    """Return the reasons, equal ones added up, the last one with what is left of the difference."""
    *known, rest = listed
    total: dict[str, Fraction] = {}
    for reason in known:
        total[reason.assumption] = total.get(reason.assumption, Fraction(0)) + Fraction(reason.seconds)
    total[rest.assumption] = difference - sum(total.values(), Fraction(0))
    return [Reason(words, seconds) for words, seconds in total.items() if seconds]
