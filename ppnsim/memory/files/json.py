"""The JSON of memories: a DRAM configuration, spelt as DRAMsim3 spells it, and traffic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import Discriminator, PlainValidator, Tag

from ppnsim.errors import InputError
from ppnsim.formats.complaints import validated
from ppnsim.formats.quantities import text_with
from ppnsim.formats.schema import Keys, Text
from ppnsim.formats.values import rule
from ppnsim.memory.files.dramsim import DdrConfiguration, Decimal, HbmConfiguration, Number, number
from ppnsim.memory.files.keys import PresetName
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import Preset
from ppnsim.memory.model.traffic import Port, Traffic
from ppnsim.units import clock_period

_SELF_AVERAGING = 100_000  # requests from which on one seed is enough


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryFile:
    """A file; ``traffic`` is None if it holds none.

    Random traffic is run with ``seeds`` seeds; ``notes`` say what the file may not mean.
    """

    dram: Dram
    traffic: Traffic | None
    seeds: int
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        traffic = "no traffic" if self.traffic is None else f"traffic {self.traffic.pattern}"
        return f"<MemoryFile: {self.dram.channels} x {self.dram.peak_gbps / self.dram.channels:.4g} GB/s, {traffic}>"


def _seeds(value: object) -> int:
    seeds = number(value)
    if not 1 <= seeds <= 1000:
        raise rule("must be from 1 to 1000")
    return seeds


class TrafficPortKeys(Keys):
    """``traffic.port``."""

    quanta: Number
    clock: Annotated[Fraction, text_with(clock_period, "300 MHz")]


class TrafficKeys(Keys):
    """``traffic``."""

    mode: Text
    pattern: Text
    Q: Number = 1
    banks: Number = 0
    burst: Number = 1
    rate: Decimal = Fraction(0)
    wfrac: Decimal = Fraction(0)
    requests: Number = 20_000
    seed: Number = 1
    seeds: Annotated[int, PlainValidator(_seeds)] | None = None
    port: TrafficPortKeys | None = None

    def traffic(self, dram: Dram) -> Traffic:
        """Return the traffic on a memory, checked."""
        unused = self.burst == 0 and self.pattern not in ("rowbuf", "chain")
        port = None if self.port is None else Port(quanta=self.port.quanta, clock_ns=self.port.clock)
        made = Traffic(
            mode=self.mode, pattern=self.pattern, outstanding=self.Q, banks=self.banks,  # type: ignore[arg-type]
            burst=1 if unused else self.burst, rate=self.rate, write_fraction=self.wfrac, requests=self.requests,
            seed=self.seed, port=port,
        )  # fmt: skip
        try:
            return made.checked(dram)
        except InputError as error:
            raise InputError(str(error).removeprefix("traffic: "), where="traffic") from None


def _protocol(data: object) -> str:
    """Return which keys describe a memory: those of a preset's name, or of a configuration by its protocol."""
    if isinstance(data, str | Preset):
        return "preset"
    structure = data.get("dram_structure") if isinstance(data, dict) else None
    protocol = structure.get("protocol") if isinstance(structure, dict) else None
    return "HBM" if str(protocol).startswith("HBM") else "DDR"


class MemoryJson(Keys):
    """A whole file."""

    dram: Annotated[
        Annotated[PresetName, Tag("preset")]
        | Annotated[DdrConfiguration, Tag("DDR")]
        | Annotated[HbmConfiguration, Tag("HBM")],
        Discriminator(_protocol),
    ]
    traffic: TrafficKeys | None = None


def parse_memory(data: object) -> MemoryFile:
    """Return the memory and the traffic of decoded JSON, checked.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that the memory or the traffic breaks.

    Examples
    --------
    >>> traffic = {"mode": "closed", "pattern": "seq", "Q": 4, "requests": 1000}
    >>> parse_memory({"dram": "DDR4-2400", "traffic": traffic}).traffic.outstanding
    4
    >>> parse_memory({"dram": "DDR4-2400", "traffic": traffic | {"wfrc": 0.5}})
    Traceback (most recent call last):
    ppnsim.errors.InputError: traffic: unknown key 'wfrc' (did you mean 'wfrac'?)
    """
    file = validated(MemoryJson, data)
    dram, notes = (file.dram.dram, ()) if isinstance(file.dram, Preset) else file.dram.build()
    if file.traffic is None:
        return MemoryFile(dram=dram, traffic=None, seeds=1, notes=notes)
    traffic = file.traffic.traffic(dram)
    is_random = traffic.pattern in ("rand", "rowbuf", "chain") or 0 < traffic.write_fraction < 1
    seeds = file.traffic.seeds or (5 if is_random and traffic.requests <= _SELF_AVERAGING else 1)
    return MemoryFile(dram=dram, traffic=traffic, seeds=seeds, notes=notes)
