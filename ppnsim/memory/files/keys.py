"""The keys of ``[memory.NAME]``: a preset, single parameters of it changed, or a memory described from scratch.

Parameters are called what ``ppnsim memory PRESET`` lists them as; ``[memory.NAME.timing]`` holds the data sheet's times
in memory clocks, or with a unit ("13.75 ns"), which is rounded up to whole clocks as controllers are programmed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from math import ceil
from typing import Annotated, Any, cast

from pydantic import Field, PlainValidator

from ppnsim.errors import InputError, did_you_mean, located
from ppnsim.formats import values
from ppnsim.formats.quantities import Flag, Provenance, one_of, period_text, seconds, text_with
from ppnsim.formats.schema import Keys, Text, Whole
from ppnsim.memory.model.dram import KEYS, Dram, MemoryGroup, Protocol
from ppnsim.memory.model.presets import Preset, preset
from ppnsim.memory.model.timing import TIMING_KEYS, DramTiming
from ppnsim.units import clock_period

_BOTH = {"tRCD": ("trcd_read", "trcd_write")}  # what DDR has once and HBM twice
_FIELD = {key: field for field, key in KEYS.items()}
_TIMES = {key: (field,) for field, key in TIMING_KEYS.items()} | _BOTH


def _timing(value: object) -> dict[str, int | Fraction]:
    """Return times by field of `DramTiming`: whole clocks, or fractions of a second."""
    if not isinstance(value, dict):
        raise values.rule("must be a table of times")
    found: dict[str, int | Fraction] = {}
    for key, time in cast("dict[str, object]", value).items():
        if key not in _TIMES:
            raise values.rule(f"is not a time of a memory{did_you_mean(key, _TIMES)}", at=f".{key}", value=time)
        if isinstance(time, str):
            try:
                read: int | Fraction = seconds(time)
            except ValueError:
                raise values.rule("must be whole clocks, or a time with a unit", at=f".{key}", value=time) from None
        else:
            read = values.whole(time, at=f".{key}")
        found |= dict.fromkeys(_TIMES[key], read)
    return found


PresetName = Annotated[Preset, text_with(preset, "DDR4-2400")]
Period = Annotated[Fraction, text_with(clock_period, "1200 MHz' or '0.75 ns")]
Times = Annotated[Mapping[str, int | Fraction], PlainValidator(_timing)]


class DramKeys(Keys):
    """What describes a memory; without a preset every parameter is needed that has no default."""

    preset: PresetName | None = None
    protocol: Annotated[Protocol, one_of(Protocol)] | None = None
    clock: Period | None = None
    channels: Whole | None = None
    ranks: Whole | None = None
    bankgroups: Whole | None = None
    banks_per_group: Whole | None = None
    rows: Whole | None = None
    columns: Whole | None = None
    bus_width: Whole | None = None
    BL: Whole | None = None
    address_mapping: Text | None = None
    closed_page: Flag | None = None
    cmd_queue_size: Whole | None = None
    trans_queue_size: Whole | None = None
    timing: Times | None = None

    def dram(self, where: str) -> Dram:
        """Return the memory; ``where`` names it.

        Raises
        ------
        InputError
            If a parameter is missing, or breaks a rule of `Dram`.

        Examples
        --------
        >>> keys = DramKeys.model_validate({"preset": "DDR4-2400", "channels": 2, "timing": {"tRP": "15 ns"}})
        >>> keys.dram("memory 'm'").timing.trp
        18
        """
        under = self.preset.dram if self.preset else None
        given: dict[str, Any] = {
            _FIELD.get(key, key): value for key, value in self if key in _PLAIN and value is not None
        }
        if self.clock is not None:
            given["clock_ns"] = self.clock
        times = self.timing or {}
        if under is None:
            _check_complete(given, times, where)
        clock = given["clock_ns"] if under is None else given.get("clock_ns", under.clock_ns)
        whole = {name: _clocks(time, clock) for name, time in times.items()}
        timing = DramTiming(**whole) if under is None else replace(under.timing, **whole)
        dram = Dram(**given, timing=timing) if under is None else replace(under, **given, timing=timing)
        with located(where):
            return dram.checked()


class MemoryGroupKeys(DramKeys):
    """``[memory.NAME]`` of a platform: what the memory is; whose it is stands in a key of the platform's own."""

    provenance: Provenance = Field(default_factory=dict)

    def group(self, name: str, on: str | None) -> MemoryGroup:
        """Return the memory called ``name`` of a node."""
        under = self.preset.name if self.preset else ""
        dram = self.dram(f"memory '{name}'")
        return MemoryGroup(name=name, on=on, dram=dram, preset=under, provenance=self.provenance)


_PLAIN = [name for name in DramKeys.model_fields if name not in ("preset", "clock", "timing")]


def dram_table(dram: Dram, under: str) -> dict[str, Any]:
    """Return the keys that make a memory of its preset; of no preset ("") all that are not defaults.

    Examples
    --------
    >>> ddr4 = preset("DDR4-2400").dram
    >>> dram_table(replace(ddr4, channels=2, timing=replace(ddr4.timing, trp=20)), "DDR4-2400")
    {'channels': 2, 'timing': {'tRP': 20}}
    """
    base = preset(under).dram if under else None
    table = _changed(dram, base)
    if "clock_ns" in table:
        table["clock"] = period_text(table.pop("clock_ns"))
    times = _changed(dram.timing, base.timing if base else None)
    return table | ({"timing": times} if times else {})


def _changed(thing: Dram | DramTiming, base: Dram | DramTiming | None) -> dict[str, Any]:
    table = {}
    for field in fields(thing):
        value = getattr(thing, field.name)
        usual = field.default if base is None else getattr(base, field.name)
        if field.name != "timing" and value != usual:
            table["clock_ns" if field.name == "clock_ns" else KEYS.get(field.name, field.name)] = value
    return table


def _check_complete(given: Mapping[str, Any], times: Mapping[str, Any], where: str) -> None:
    missing = [
        "clock" if field.name == "clock_ns" else KEYS.get(field.name, field.name)
        for thing, known in ((Dram, given), (DramTiming, times))
        for field in fields(thing)
        if field.default is MISSING and field.name not in known and field.name != "timing"
    ]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise InputError(f"{', '.join(missing)} {verb} missing, and no preset lies under it", where=where)


def _clocks(time: int | Fraction, clock_ns: Fraction) -> int:
    return time if isinstance(time, int) else ceil(time * 10**9 / clock_ns)
