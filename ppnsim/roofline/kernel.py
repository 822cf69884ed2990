"""The roofline's accelerator from a loop program: its operators, its results, and what its arguments move."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.loops.program import LoopProgram
from ppnsim.roofline.accelerator import Accelerator, Argument, DesignPoint, OperatorUse
from ppnsim.roofline.mix import Mix, operator_mix, results_of
from ppnsim.roofline.walls import Wall, locality_walls


def kernel_accelerator(
    base: Accelerator, program: LoopProgram, library: Library, *, marks: Sequence[tuple[str, int, int]] = (),
    metric: str = "auto", counted: Collection[str] = (), given: Collection[str] = (), quanta: int = 64,
) -> Accelerator:  # fmt: skip
    """Return an accelerator whose operators, results and traffic are those of a program.

    Arguments that ``base`` does not place go to the banks of its first memory, one after the other. Arguments in
    ``given`` keep their bytes. An argument whose subscripts are data is random, and its quantum is one element: the
    kernel does not use the neighbours of an element.

    Parameters
    ----------
    marks : see `results_of`.
    metric : ``operations`` counts all operations, ``flops`` the floating-point ones, ``results`` the results of
        ``base`` or of the marks; ``auto`` counts the results if any are known, else the operators in ``counted``,
        else all operations.

    Raises
    ------
    InputError
        If the program has no such argument or counted operator, or if nothing tells the results that are asked for.
    """
    mix = operator_mix(program, library, floating_only=metric == "flops")
    name, results, operators = base.metric, base.results, mix.operators
    if metric in ("operations", "flops"):
        name, results = "flop" if metric == "flops" else "operations", None
    elif counted and metric == "auto":
        operators = _counting(operators, counted)
    elif results is None:
        results = results_of(program, marks)
    if metric == "results" and results is None:
        raise InputError("the metric 'results' needs a #pragma ppnsim result in the source")
    if name == "operations" and results is not None:
        name = "results"
    return replace(
        base, available={**library.device.available, **base.available}, operators=operators,
        arguments=_arguments(base, mix, given, quanta), metric=name, results=results, device=library.device.name,
    )  # fmt: skip


def _arguments(base: Accelerator, mix: Mix, given: Collection[str], quanta: int) -> tuple[Argument, ...]:
    """Return the arguments with the bytes that a program moves; those that ``base`` does not place come last."""
    for argument in base.arguments:
        if argument.name not in mix.bytes and argument.name not in given:
            words = f"the kernel accesses no array argument of that name{did_you_mean(argument.name, mix.bytes)}"
            raise InputError(words, where=f"argument '{argument.name}'")
    placed = [each if each.name in given else replace(each, bytes=mix.bytes[each.name]) for each in base.arguments]
    names = {each.name for each in placed}
    for name, moved in mix.bytes.items():
        if name not in names and base.memories:
            memory, element = base.memories[0], mix.irregular.get(name)
            made = Argument(name=name, memory=memory.name, bank=len(placed) % memory.banks, bytes=moved, quanta=quanta)
            if element:
                made = replace(made, quanta=min(quanta, element), pattern="random")
            placed.append(made)
    return tuple(placed)


def _counting(operators: Sequence[OperatorUse], counted: Collection[str]) -> tuple[OperatorUse, ...]:
    """Return the operators; only the named ones count."""
    known = [use.name for use in operators]
    for name in counted:
        if name not in known:
            words = f"operators: the kernel has no operator '{name}'{did_you_mean(name, known)}"
            raise InputError(words, where="metric")
    return tuple(replace(use, counted=use.name in counted) for use in operators)


def walls_of(program: LoopProgram) -> tuple[tuple[Wall, ...], str]:
    """Return the locality walls, or none and the reason."""
    try:
        return locality_walls(program), ""
    except InputError as reason:
        return (), f"no locality walls: {reason}"


def scheduled_point(
    accelerator: Accelerator, program: LoopProgram, library: Library, directives: Directives
) -> tuple[DesignPoint | None, str]:
    """Return the design of the source as it is written, with all arrays on chip; or none and the reason."""
    try:
        cycles = schedule_kernel(program, library, directives).cycles
    except InputError as reason:
        return None, f"no estimate of the source as it stands: {reason}"
    rate = accelerator.work / (max(cycles, 1) * float(accelerator.clock_ns))
    return DesignPoint(name=f"as written, {cycles:,} cycles on chip", performance=rate), ""
