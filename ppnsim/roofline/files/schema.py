"""The keys of accelerators in TOML, and what becomes of them in the model."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field, PlainValidator, model_validator

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError
from ppnsim.formats import values
from ppnsim.formats.quantities import one_of
from ppnsim.formats.schema import Keys, Measure, Names, Text, Whole, Wholes
from ppnsim.memory.files.keys import PresetName
from ppnsim.roofline.accelerator import DesignPoint, MemorySpec, Pattern
from ppnsim.units import clock_period


def _clock(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, str | float | int):
        raise values.rule('must be a clock (as "225 MHz" or "4 ns")')
    try:
        return clock_period(value if isinstance(value, str) else values.real(value))
    except InputError as error:
        raise values.rule(str(error).removeprefix(f"{values.shown(value)} ")) from None


class MetricKeys(Keys):
    """``[metric]``."""

    name: Text = "operations"
    results: Measure | None = None
    operators: Names = ()

    @model_validator(mode="after")
    def _one_way_to_count(self) -> MetricKeys:
        if self.operators and self.results is not None:
            raise values.sentence("either results or operators say what is counted, and only one of them")
        return self


class AreaKeys(Keys):
    """``[resources]``: what the device has for the kernel."""

    bram: Measure | None = None
    dsp: Measure | None = None
    ff: Measure | None = None
    lut: Measure | None = None

    def cost(self) -> dict[str, float]:
        """Return the amounts that are given, by resource."""
        return {kind: getattr(self, kind) for kind in RESOURCES if getattr(self, kind) is not None}


class OperatorKeys(AreaKeys):
    """``[[operator]]``: an operation and the resources of a unit, or its type in the device's operator table."""

    name: Text
    type: Text = ""
    count: Measure


class BankKeys(Keys):
    """``[memory.NAME]``: equal banks; what is not given follows from the preset."""

    preset: PresetName | None = None
    banks: Whole | None = None
    peak: Measure | None = Field(None, alias="peak_GBps")
    width: Whole | None = None
    random_per_us: Measure | None = None
    dependent_per_us: Measure | None = None
    latency_ns: Measure | None = None

    def build(self, name: str) -> MemorySpec:
        """Return the memory called ``name``."""
        dram = self.preset.dram if self.preset else None
        usual = dram.channels if dram else 1
        return MemorySpec(
            name=name, dram=dram, banks=usual if self.banks is None else self.banks, peak=self.peak,
            width=self.width, random=_per_ns(self.random_per_us), dependent=_per_ns(self.dependent_per_us),
            latency=self.latency_ns,
        )  # fmt: skip


class ArgumentKeys(Keys):
    """``[argument.NAME]``."""

    memory: Text
    bank: Whole = 0
    bytes: Measure | None = None
    quanta: Whole = 64
    pattern: Annotated[Pattern, one_of(Pattern)] = "stream"
    locality: Whole = 0
    outstanding: Whole = 0
    chains: Whole = 1


class PointKeys(Keys):
    """``[[point]]``: performance per second."""

    name: Text
    performance: Measure
    intensity: Measure | None = None

    def build(self) -> DesignPoint:
        """Return the design."""
        return DesignPoint(name=self.name, performance=self.performance / 1e9, intensity=self.intensity)


class SourceKeys(Keys):
    """``[kernel]``: a C source, and how it is read."""

    file: Text = ""
    function: Text | None = None
    define: Names = ()
    set: Wholes = Field(default_factory=dict)


class RooflineToml(Keys):
    """A whole file."""

    name: Text | None = None
    device: Text = ""
    clock: Annotated[Fraction, PlainValidator(_clock)]
    allowance: Measure = 0.8
    metric: MetricKeys = MetricKeys()
    resources: AreaKeys = AreaKeys()
    operator: list[OperatorKeys] = Field(default_factory=list)
    memory: dict[Text, BankKeys] = Field(default_factory=dict)
    argument: dict[Text, ArgumentKeys] = Field(default_factory=dict)
    point: list[PointKeys] = Field(default_factory=list)
    kernel: SourceKeys = SourceKeys()

    @model_validator(mode="after")
    def _one_thing_is_computed(self) -> RooflineToml:
        if bool(self.kernel.file) == bool(self.operator):
            raise values.sentence("either kernel.file or [[operator]] says what is computed, and only one of them")
        for name, keys in self.argument.items():
            if not self.kernel.file and keys.bytes is None:
                raise values.sentence(f"argument '{name}': bytes is missing (0 for one that moves nothing)")
        return self


def _per_ns(per_us: float | None) -> float | None:
    return None if per_us is None else per_us / 1000
