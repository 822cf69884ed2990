"""Operator libraries: what an operator of a type costs in time and area on a device at a clock.

Tables are TOML files, those of ``devices/`` or the user's; every entry says where its numbers come from.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.library.types import Format

TABLES = Path(__file__).with_name("devices")
_Table = TypeVar("_Table")
_FAMILIES = ("integer", "fixed", "float", "double")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table: an operator for some types, up to ``max_bits`` wide (0: any width)."""

    name: str
    types: tuple[str, ...]
    max_bits: int = 0
    states: int = 0
    states_per_bit: int = 0
    entry: float = 0.0
    delay: float = 0.0
    per_bit: float = 0.0
    lut: float = 0.0
    lut_per_bit: float = 0.0
    ff: float = 0.0
    ff_per_bit: float = 0.0
    dsp: int = 0
    bram: int = 0
    ii: int = 1
    shared: bool = True
    hoisted: bool = True
    provenance: str = ""


@dataclass(frozen=True, slots=True)
class Device:
    """What a table says of a device beside its operators; times in ns at ``reference_clock_ns``."""

    name: str
    family: str = ""
    aliases: tuple[str, ...] = ()
    lut: int = 0
    ff: int = 0
    dsp: int = 0
    bram: int = 0
    resources_provenance: str = ""
    delay_scale: float = 1.0
    scale_provenance: str = ""
    reference_clock_ns: float = 10.0
    uncertainty: float = 0.27
    ram_ports: int = 2
    ram_ns: float = 3.254
    fifo_ns: float = 1.83
    mux_ns: float = 0.7
    forward_ns: float = 1.0
    writeback_ns: float = 1.6
    ternary_ns: float = 1.4
    mac_states: int = 3
    mac_ns: float = 2.1
    mac_bits: tuple[int, ...] = (25, 18)
    quotient_ns: float = 4.8
    sign_ns: float = 2.4


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of one width: ``states`` 0 is combinational; ``unit`` is "" if it is never shared.

    ``ii``: a unit takes new operands every so many cycles.
    """

    states: int
    entry: float
    delay: float
    unit: str
    lut: float
    ff: float
    dsp: int
    bram: int
    ii: int
    hoisted: bool

    @property
    def cost(self) -> tuple[float, float, int, int]:
        """What a unit takes of lookup tables, flip-flops, DSP blocks and block RAMs."""
        return self.lut, self.ff, self.dsp, self.bram


@dataclass(frozen=True, slots=True)
class Library:
    """The operators of a device at a clock; ``budget`` ns of each state can be used."""

    device: Device
    clock_ns: float
    entries: tuple[Entry, ...]
    _known: dict[tuple[str, Format], Operator] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def budget(self) -> float:
        """Nanoseconds of a state that logic may take: the clock without its uncertainty (R2)."""
        return self.clock_ns * (1 - self.device.uncertainty)

    def operator(self, name: str, format_: Format, where: str = "") -> Operator:
        """Return an operator; ``format_`` is that of its widest operand.

        Raises
        ------
        InputError
            If the table has no such operator for the type.
        """
        if (name, format_) not in self._known:
            self._known[name, format_] = self._operator(name, format_, where)
        return self._known[name, format_]

    def _operator(self, name: str, format_: Format, where: str) -> Operator:
        found = _entry(self, name, format_, where)
        bits, scale = format_.bits, self.device.delay_scale
        states = found.states
        if states:
            # Another clock cuts the same logic into slices of another length.
            reference = self.device.reference_clock_ns * (1 - self.device.uncertainty)
            states = max(1, math.ceil(states * reference * scale / self.budget - 1e-9))
        states += found.states_per_bit * bits
        entry, delay = min(found.entry * scale, self.budget), (found.delay + found.per_bit * bits) * scale
        if not states and delay > self.budget:
            # What does not fit a state is cut into several.
            states, entry, delay = math.ceil(delay / self.budget - 1e-9), self.budget, 0.0
        return Operator(
            states, entry, delay, f"{name}_{format_.family}{bits}" if states and found.shared else "",
            found.lut + found.lut_per_bit * bits, found.ff + found.ff_per_bit * bits, found.dsp, found.bram,
            max(1, found.ii), found.hoisted,
        )  # fmt: skip

    def ns(self, name: str) -> float:
        """Return a time of the device: ``ram``, ``fifo``, ``mux``, ``forward``, ``writeback``, ``ternary``, ``mac``."""
        time: float = getattr(self.device, f"{name}_ns")
        return time * self.device.delay_scale

    def states(self, name: str) -> int:
        """Return how many states something of the device takes that is not in the table of operators: ``mac``."""
        states: int = getattr(self.device, f"{name}_states")
        reference = self.device.reference_clock_ns * (1 - self.device.uncertainty)
        return max(1, math.ceil(states * reference * self.device.delay_scale / self.budget - 1e-9))

    def add_ns(self, bits: int) -> float:
        """Return the delay of an address adder."""
        return self.operator("add", Format("integer", bits)).delay


def _entry(library: Library, name: str, format_: Format, where: str) -> Entry:
    same = [entry for entry in library.entries if entry.name == name and format_.family in entry.types]
    fitting = [entry for entry in same if not entry.max_bits or format_.bits <= entry.max_bits]
    if not fitting:
        known = sorted({entry.name for entry in library.entries if format_.family in entry.types})
        message = f"device '{library.device.name}' has no operator '{name}' for {format_.family}"
        raise InputError(f"{message} of {format_.bits} bits{did_you_mean(name, known)}", where=where)
    return min(fitting, key=lambda entry: entry.max_bits or 1 << 30)


def devices() -> dict[str, Path]:
    """Return the tables that come with ppnsim, by device name and by alias."""
    found: dict[str, Path] = {}
    for path in sorted(TABLES.glob("*.toml")):
        found[path.stem] = path
        for alias in _table(path).get("device", {}).get("aliases", ()):
            found[alias] = path
    return found


def load_library(device: str, clock_ns: float) -> Library:
    """Return the library of a device, or of a table in TOML, at a clock.

    Raises
    ------
    InputError
        If there is no such device or file, a key is unknown, or a value is out of its range.

    Examples
    --------
    >>> load_library("xc7z020", 10).operator("mul", Format.of("ap_fixed<32,16>")).states
    2
    """
    if not 0 < clock_ns < math.inf:
        raise InputError(f"{clock_ns} ns is no clock period (a positive number)", where="--clock")
    described, entries = _described(device)
    library = Library(described, clock_ns, entries)
    if library.ns("ram") > library.budget:
        needed = library.ns("ram") / (1 - described.uncertainty)
        raise InputError(
            f"{clock_ns:g} ns is too fast for {described.name}: reading a memory takes {needed:.2f} ns of a state",
            where="--clock",
        )
    return library


def _described(device: str) -> tuple[Device, tuple[Entry, ...]]:
    """Return what the table of a device says, with what it takes over from another one."""
    known = devices()
    path = known.get(device.lower())
    if path is None and device.endswith(".toml"):
        path = Path(device)
    if path is None:
        raise InputError(f"no device '{device}'{did_you_mean(device.lower(), known)}", where="--device")
    table = _table(path)
    base = table.get("device", {}).get("like")
    entries: tuple[Entry, ...] = ()
    values: dict[str, Any] = {}
    if base is not None:
        if base not in known:
            raise InputError(f"like = '{base}' is no device{did_you_mean(base, known)}", where=str(path))
        parent, entries = _described(base)
        values = {each.name: getattr(parent, each.name) for each in fields(Device)}
        values["aliases"] = ()
    own = tuple(_read(Entry, line, f"{path}: operator {n + 1}") for n, line in enumerate(table.get("operator", ())))
    replaced = {(entry.name, family) for entry in own for family in entry.types}
    kept = tuple(e for e in entries if not any((e.name, family) in replaced for family in e.types))
    given = {key: value for key, value in table.get("device", {}).items() if key != "like"}
    described = _read(Device, {"name": path.stem, **values, **given}, f"{path}: device")
    return described, (*own, *kept)


@cache
def _table(path: Path) -> Mapping[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML: {error}", where=str(path)) from None
    for key in found:
        if key not in ("device", "operator"):
            raise InputError(f"no table '{key}'{did_you_mean(key, ('device', 'operator'))}", where=str(path))
    return found


def _read(kind: type[_Table], line: Mapping[str, Any], where: str) -> _Table:
    known = {each.name: each.type for each in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for key, value in line.items():
        if key not in known:
            raise InputError(f"no key '{key}'{did_you_mean(key, known)}", where=where)
        wanted = str(known[key])
        number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = {"int": number and isinstance(value, int), "float": number, "bool": isinstance(value, bool)}
        sequence = isinstance(value, list | tuple)
        fits |= {"str": isinstance(value, str), "tuple[str, ...]": sequence, "tuple[int, ...]": sequence}
        if not fits[wanted]:
            raise InputError(f"{key} = {value!r} is not of type {wanted}", where=where)
        if number and value < 0:
            raise InputError(f"{key} = {value} is negative", where=where)
        values[key] = tuple(value) if isinstance(value, list) else value
    if kind is Entry:
        for key in ("name", "types"):
            if key not in values:
                raise InputError(f"{key} is missing", where=where)
        for family in values["types"]:
            if family not in _FAMILIES:
                raise InputError(f"types: no '{family}'{did_you_mean(family, _FAMILIES)}", where=where)
    return kind(**values)
