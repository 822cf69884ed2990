"""What a model is asked: one point of a sweep, and what is modelled there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from ppnsim.comparison.model import Setting, point_name
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Traffic
from ppnsim.opencl.design import Design
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.roofline.accelerator import Accelerator

Number = int | float | Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One point, or one part of it.

    Attributes
    ----------
    values, series : as of `ComparedPoint`.
    settings : of parameters that do not vary.
    held : what is modelled: a network, a platform file, or one of the classes below.
    """

    values: Mapping[str, Setting]
    series: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    held: Any

    @property
    def name(self) -> str:
        """Its values in one line."""
        return point_name(self.values, self.series)


class DesignedKernel(NamedTuple):
    """An OpenCL kernel as it is in its file, and the design that is applied to it."""

    file: OpenclFile
    design: Design


class PortCase(NamedTuple):
    """An argument of an accelerator, by its name."""

    accelerator: Accelerator
    argument: str


class TrafficCase(NamedTuple):
    """Traffic on a channel of a memory, and its law in GB/s."""

    dram: Dram
    traffic: Traffic
    law: float


class SizedKernel(NamedTuple):
    """A scheduled kernel for some sizes; ``formula`` gives the cycles that were learned from smaller ones."""

    sizes: Mapping[str, int]
    formula: Callable[[Mapping[str, int]], int]


KINDS = {
    "network": "a network",
    "placed": "a network across nodes",
    "platform": "a platform",
    "kernel": "an OpenCL kernel",
    "accelerator": "an accelerator",
    "memory": "a memory",
    "schedule": "a kernel in C, scheduled",
}
"""What can be compared: the word by which a user's model asks for it, and how it is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionModel:
    """A model: it gives a number for a point, in the unit of what is simulated.

    Attributes
    ----------
    name : by which it is chosen.
    takes : the kinds (`KINDS`) that it can be asked about; empty = all.
    assumes : what it takes for granted, in a sentence.
    predict : the number, None where there is none. `InputError` says why a point is outside of the model.
    own : whether it is a user's: nobody knows what it takes into account until it is asked.
    """

    name: str
    takes: tuple[str, ...]
    assumes: str
    predict: Callable[[Case], Number | None]
    own: bool = False
