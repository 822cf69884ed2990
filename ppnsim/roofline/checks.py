"""The rules that an accelerator keeps, whoever made it: a file, a source, or a program in Python."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError, did_you_mean
from ppnsim.roofline.accelerator import PATTERNS, Accelerator, Argument, OperatorUse


def check_accelerator(accelerator: Accelerator) -> None:
    """Check an accelerator.

    Raises
    ------
    InputError
        With the first rule that is broken.

    Examples
    --------
    >>> from fractions import Fraction
    >>> check_accelerator(Accelerator(
    ...     name="k", clock_ns=Fraction(4), available={"dsp": 8}, memories=(),
    ...     operators=(OperatorUse(name="mul", count=20, cost={"bram": 1}),)))
    Traceback (most recent call last):
    ppnsim.errors.InputError: operator 'mul': needs 1 bram, of which the device has none
    """
    for value, words, where in _numbers(accelerator):
        if not (isfinite(value) and value > 0):
            raise InputError(f"{words} = {value:g} must be above 0", where=where)
    if accelerator.allowance > 1:
        raise InputError(f"allowance = {accelerator.allowance:g} must be above 0 and at most 1 (0.8 is the paper's)")
    for use in accelerator.operators:
        _check_operator(use, accelerator)
    if not accelerator.work > 0:
        raise InputError(f"no operation counts for the metric '{accelerator.metric}': the performance would be 0")
    if not any(use.count * use.cost.get(kind, 0) > 0 for use in accelerator.operators for kind in RESOURCES):
        raise InputError("no operator needs any resource, so nothing bounds the peak performance")
    for argument in accelerator.arguments:
        _check_argument(argument, accelerator)


def _numbers(accelerator: Accelerator) -> Iterator[tuple[float, str, str]]:
    """Yield the numbers that must be above 0, with their names and the tables that they stand in."""
    yield float(accelerator.clock_ns), "clock", ""
    yield accelerator.allowance, "allowance", ""
    if accelerator.results is not None:
        yield accelerator.results, "results", "metric"
    for memory in accelerator.memories:
        values = {
            "banks": memory.banks, "peak_GBps": memory.peak, "width": memory.width, "random_per_us": memory.random,
            "dependent_per_us": memory.dependent, "latency_ns": memory.latency,
        }  # fmt: skip
        yield from ((value, word, f"memory '{memory.name}'") for word, value in values.items() if value is not None)
    for argument in accelerator.arguments:
        yield argument.quanta, "quanta", f"argument '{argument.name}'"
        yield argument.chains, "chains", f"argument '{argument.name}'"
    for point in accelerator.points:
        yield point.performance, "performance", f"point '{point.name}'"
    for point in accelerator.points:
        if point.intensity is not None:
            yield point.intensity, "intensity", f"point '{point.name}'"


def _check_argument(argument: Argument, accelerator: Accelerator) -> None:
    where = f"argument '{argument.name}'"
    banks = {memory.name: memory.banks for memory in accelerator.memories}
    if argument.memory not in banks:
        raise InputError(f"'{argument.memory}' is not a memory{did_you_mean(argument.memory, banks)}", where=where)
    most = banks[argument.memory] - 1
    if not 0 <= argument.bank <= most:
        raise InputError(f"bank = {argument.bank}: memory '{argument.memory}' has 0 to {most}", where=where)
    if argument.pattern not in PATTERNS:
        words = f"pattern = '{argument.pattern}' is not a pattern{did_you_mean(argument.pattern, PATTERNS)}"
        raise InputError(words, where=where)
    for value, word in ((argument.bytes, "bytes"), (argument.outstanding, "outstanding")):
        if not 0 <= value < inf:
            raise InputError(f"{word} = {value:g} must be 0 or more", where=where)
    if argument.locality and argument.locality < argument.quanta:
        words = f"locality = {argument.locality} is less than the {argument.quanta} bytes of one quantum"
        raise InputError(words, where=where)


def _check_operator(use: OperatorUse, accelerator: Accelerator) -> None:
    where = f"operator '{use.name}'"
    if not (isfinite(use.count) and use.count > 0):
        raise InputError(f"count = {use.count:g} must be above 0", where=where)
    for kind, value in use.cost.items():
        if kind not in RESOURCES:
            raise InputError(f"'{kind}' is not a resource{did_you_mean(kind, RESOURCES)}", where=where)
        if not 0 <= value < inf:
            raise InputError(f"{kind} = {value:g} must be 0 or more", where=where)
        if value and not accelerator.available.get(kind, 0) > 0:
            raise InputError(f"needs {value:g} {kind}, of which the device has none", where=where)
