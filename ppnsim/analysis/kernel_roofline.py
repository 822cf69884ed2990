"""The roofline's accelerator from a loop program: its operators, its results, and what its arguments move."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ppnsim.affine.program import LoopProgram
from ppnsim.analysis.locality_walls import Wall, locality_walls
from ppnsim.analysis.operator_mix import operator_mix, results_of
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.directives import Directives
from ppnsim.hls.library import Library
from ppnsim.hls.machine import scheduled
from ppnsim.platform.accelerator import RESOURCES, Accelerator, Argument, DesignPoint

METRICS = ("auto", "operations", "flops", "results")


def kernel_accelerator(
    base: Accelerator, program: LoopProgram, library: Library, *, marks: Sequence[tuple[str, int, int]] = (),
    metric: str = "auto", given: Collection[str] = (), quanta: int = 64,
) -> Accelerator:  # fmt: skip
    """Return an accelerator whose operators, results and traffic are those of a program.

    Arguments that ``base`` does not place go to the banks of its first memory, one after the other; of those in
    ``given`` the bytes stay. Data subscripts make an argument random.

    Parameters
    ----------
    marks : see `results_of`.
    metric : ``operations`` counts all, ``flops`` the floating-point ones, ``results`` those of the marks; ``auto`` the
        results if there are marks.

    Raises
    ------
    InputError
        If an argument is none of the program's, or results are asked for and none are marked.
    """
    results = results_of(program, marks)
    if metric == "results" and results is None:
        raise InputError("the metric 'results' needs a #pragma ppnsim result in the source")
    if metric in ("operations", "flops"):
        results = None
    mix = operator_mix(program, library, floating_only=metric == "flops")
    for argument in base.arguments:
        if argument.name not in mix.bytes and argument.name not in given:
            known = did_you_mean(argument.name, mix.bytes)
            raise InputError(f"the kernel accesses no array argument of that name{known}",
                             where=f"argument '{argument.name}'")  # fmt: skip
    placed = [
        each if each.name in given else replace(each, bytes=mix.bytes[each.name]) for each in base.arguments
    ]  # fmt: skip
    names = {each.name for each in placed}
    for name, moved in mix.bytes.items():
        if name not in names and base.memories:
            placed.append(
                Argument(
                    name=name,
                    memory=base.memories[0].name,
                    bank=len(placed) % base.memories[0].banks,
                    bytes=moved,
                    quanta=quanta,
                    pattern="random" if name in mix.irregular else "stream",
                )
            )  # fmt: skip
    name = base.metric
    if name == "operations":
        name = "flop" if metric == "flops" else "operations" if results is None else "results"
    device = {kind: float(getattr(library.device, kind)) for kind in RESOURCES}
    return replace(
        base, available={**device, **base.available}, operators=mix.operators, arguments=tuple(placed), metric=name,
        results=base.results if base.results is not None else results,
    )  # fmt: skip


def walls_of(program: LoopProgram) -> tuple[tuple[Wall, ...], str]:
    """Return the locality walls, or none and why."""
    try:
        return locality_walls(program), ""
    except InputError as reason:
        return (), f"no locality walls: {reason}"


def scheduled_point(
    accelerator: Accelerator, program: LoopProgram, library: Library, directives: Directives
) -> tuple[DesignPoint | None, str]:
    """Return the design that the source is as it stands, all arrays on chip; or none and why."""
    try:
        cycles = scheduled(program, library, directives).cycles
    except InputError as reason:
        return None, f"no estimate of the source as it stands: {reason}"
    rate = accelerator.work / (max(cycles, 1) * float(accelerator.clock_ns))
    return DesignPoint(name=f"as written, {cycles} cycles on chip", performance=rate), ""
