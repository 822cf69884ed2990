"""Ports of accelerators and channels of memories: bandwidths through the bank queue beside their laws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ppnsim.comparison.laws.case import Case, PortCase, TrafficCase
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why, check_whole_numbers, plain_axis
from ppnsim.comparison.run.taken_away import NOT_A_LIMIT, Freed, alone
from ppnsim.errors import InputError, did_you_mean
from ppnsim.explore.sweep.parameters import Axis
from ppnsim.memory.curve_laws import SWEEPS
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.run.curves import AGREES, explain, without_limits
from ppnsim.memory.run.traffic import run_memory
from ppnsim.roofline.accelerator import Accelerator
from ppnsim.roofline.checks import check_accelerator
from ppnsim.roofline.laws import roofline
from ppnsim.roofline.run import simulated_ports

_REQUESTS = 10_000


@dataclass(kw_only=True)
class PortSubject:
    """The ports of an accelerator, a series each; ``load`` reads it with other values of its keys."""

    name: str
    vary: Sequence[str]
    load: Callable[[dict[str, Any]], Accelerator]
    settings: Mapping[str, Setting] = field(default_factory=dict)
    kind: str = "accelerator"
    quantity: str = "bandwidth of a port"
    unit: str = "GB/s"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [plain_axis(text) for text in self.vary]

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return a case for every port on a memory that can be simulated."""
        accelerator = self.load(dict(values))
        check_accelerator(accelerator)
        ports = [each for each in accelerator.arguments if accelerator.memory(each.memory).dram is not None]
        if not ports:
            raise InputError("no argument is on a memory with a preset, so nothing can be simulated", where=self.name)
        for each in ports:
            yield Case(values=values, series=each.name, settings=self.settings, held=PortCase(accelerator, each.name))

    def simulate(self, case: Case) -> Outcome:
        """Run the port's traffic through its bank."""
        accelerator = case.held.accelerator
        arguments = tuple(each for each in accelerator.arguments if each.name == case.held.argument)
        ports = tuple(port for port in roofline(accelerator).ports if port.argument == case.held.argument)
        (done,) = simulated_ports(replace(accelerator, arguments=arguments), ports, requests=_REQUESTS)
        return Outcome(done.bandwidth, done)

    def causes(self, at: Difference) -> Why:
        """Return the limit of the memory whose loss changes most; of another model, how far the roofline itself is."""
        if at.ask is not None:
            done, held = at.outcome.run, at.case.held
            (pattern,) = (each.pattern for each in held.accelerator.arguments if each.name == held.argument)
            said = f"the roofline says {done.ceiling:.6g} GB/s (accesses: {pattern})"
            return Why(told=(f"{said}: {done.because}" if done.because else f"{said}, as the simulation does",))
        return Why((Cause(at.outcome.run.because, None),) if at.outcome.run.because else ())


@dataclass(kw_only=True)
class MemorySubject:
    """A channel of a memory along one of its sweeps (`SWEEPS`), by the name of the sweep."""

    name: str
    vary: Sequence[str]
    dram: Dram
    kind: str = "memory"
    quantity: str = "bandwidth"
    unit: str = "GB/s"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [plain_axis(text) for text in self.vary]
        known = ", ".join(f"{each.name} ({each.x})" for each in SWEEPS.values())
        if len(self.axes) != 1:
            raise InputError(f"of a memory one thing varies at a time: {known}", where="--vary")
        (axis,) = self.axes
        if axis.name not in SWEEPS:
            hint = did_you_mean(axis.name, SWEEPS)
            hint = hint if "did you mean" in hint else ""
            raise InputError(f"'{axis.name}' does not vary of a memory{hint} (there are {known})", where="--vary")
        check_whole_numbers(axis, least=1)
        self.dram = replace(self.dram, channels=1)

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return a case for every series of the sweep."""
        ((name, value),) = values.items()
        for series, _, traffic, law in SWEEPS[name].points(self.dram, _REQUESTS, [int(value)]):
            yield Case(values=values, series=series, held=TrafficCase(self.dram, traffic, law))

    def simulate(self, case: Case) -> Outcome:
        """Run the traffic."""
        done = run_memory(case.held.dram, case.held.traffic)
        return Outcome(done.bandwidth_gbps, done)

    def causes(self, at: Difference) -> Why:
        """Return the limit of the memory whose loss changes most, beside the law.

        A model of one's own is asked about the memory without each of its limits: what it knows of is no cause.
        """
        held, bandwidth = at.case.held, at.outcome.value
        assert bandwidth is not None
        limited = "outstanding" in at.case.values
        if at.ask is not None and at.predicted is not None:
            freed = (
                Freed(words, run_memory(dram, traffic).bandwidth_gbps, at.said(
                    replace(at.case, held=TrafficCase(dram, traffic, held.law))
                ))
                for words, dram, traffic, _ in without_limits(held.dram, held.traffic, limited=limited)
            )  # fmt: skip
            found = alone(bandwidth, at.predicted, freed)
            law = f"the law of this program says {held.law:.6g} GB/s"
            return Why(found, told=(law,) if found else (NOT_A_LIMIT, law))
        if abs(bandwidth / held.law - 1) <= AGREES:
            return Why()
        words = explain(held.dram, held.traffic, float(bandwidth), held.law, limited=limited)
        return Why((Cause(words, None),))
