"""The small input of memories: a DRAM configuration, spelt as DRAMsim3 spells it, and traffic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.small_json import table, whole
from ppnsim.formats.values import shown
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import preset
from ppnsim.memory.model.timing import TIMING_KEYS, DramTiming
from ppnsim.memory.model.traffic import Port, Traffic
from ppnsim.units import clock_period

_STRUCTURE = ("protocol", "bankgroups", "banks_per_group", "rows", "columns", "BL")
_SYSTEM = ("channel_size", "channels", "bus_width", "address_mapping", "trans_queue_size", "cmd_queue_size")
_PROTOCOLS = ("DDR3", "DDR4", "HBM", "HBM2")
# Settings with which the bank queue has one way to go, and that way.
_ONE_WAY = {"queue_structure": "PER_BANK", "refresh_policy": "RANK_LEVEL_STAGGERED", "unified_queue": "False"}
_PAGES = {"OPEN_PAGE": False, "CLOSE_PAGE": True}
# Keys of the configuration files that have no bearing on the bank queue: power-down, self-refresh, preambles.
_IDLE = {
    "dram_structure": ("device_width", "num_dies"),
    "timing": ("tRFC2", "tRFC4", "tRFCb", "tREFIb", "tRPRE", "tWPRE", "tWR2", "tCKE", "tCKESR", "tCKSRE", "tXS", "tXP",
               "tRTP_S"),
}  # fmt: skip
_SECTIONS = ("dram_structure", "timing", "system")
_IDLE_SECTIONS = ("power", "thermal", "other")
_OPTIONAL = {"trefi": "7800", "trtrs": "2", "al": "0"}
_TRAFFIC = ("mode", "pattern", "Q", "banks", "burst", "rate", "wfrac", "requests", "seed", "seeds", "port")
_SELF_AVERAGING = 100_000  # requests from which on one seed is enough
MISSPELT = (
    "timing key 'REFI' is not tREFI: the simulator that this file was written for passes over it and refreshes every "
    "7800 clocks; so does this run"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFile:
    """A file: random traffic is run with ``seeds`` seeds, ``notes`` say what the file may not mean."""

    dram: Dram
    traffic: Traffic
    seeds: int
    notes: tuple[str, ...]


def read(data: object, _: Path) -> MemoryFile:
    """Return the memory of a decoded file (see `parse_memory`)."""
    return parse_memory(data)


def parse_memory(data: object) -> MemoryFile:
    """Return the memory and the traffic of decoded JSON, checked.

    Raises
    ------
    InputError
        At the first fault, named by its key.

    Examples
    --------
    >>> traffic = {"mode": "closed", "pattern": "seq", "Q": 4, "requests": 1000}
    >>> parse_memory({"dram": "DDR4-2400", "traffic": traffic}).traffic.outstanding
    4
    >>> parse_memory({"dram": "DDR4-2400", "traffic": traffic | {"wfrc": 0.5}})
    Traceback (most recent call last):
    ppnsim.errors.InputError: traffic: unknown key 'wfrc' (did you mean 'wfrac'?)
    """
    file = table(data, where="the file", needed=("dram", "traffic"), known=("dram", "traffic"))
    dram, notes = parse_dram(file["dram"])
    given = table(file["traffic"], where="traffic", needed=("mode", "pattern"), known=_TRAFFIC)
    given = {key: value for key, value in given.items() if value is not None}
    try:
        traffic = _traffic(given).checked(dram)
    except InputError as error:
        raise InputError(str(error).removeprefix("traffic: "), where="traffic") from None
    is_random = traffic.pattern in ("rand", "rowbuf", "chain") or 0 < traffic.write_fraction < 1
    usual = 5 if is_random and traffic.requests <= _SELF_AVERAGING else 1
    seeds = _whole(given.get("seeds", usual), "traffic", "seeds")
    if not 1 <= seeds <= 1000:
        raise InputError(f"seeds = {seeds} must be from 1 to 1000", where="traffic")
    return MemoryFile(dram=dram, traffic=traffic, seeds=seeds, notes=notes)


def parse_dram(data: object) -> tuple[Dram, tuple[str, ...]]:
    """Return a configuration of three sections, or the preset that a text names, and notes about it."""
    if isinstance(data, str):
        try:
            return preset(data).dram, ()
        except InputError as error:
            raise InputError(str(error), where="dram") from None
    sections = table(data, where="dram", needed=_SECTIONS, known=(*_SECTIONS, *_IDLE_SECTIONS))
    where = {name: f"dram.{name}" for name in _SECTIONS}
    known = (*_STRUCTURE, *_IDLE["dram_structure"])
    structure = table(sections["dram_structure"], where=where["dram_structure"], needed=_STRUCTURE, known=known)
    known = (*_SYSTEM, *_ONE_WAY, "row_buf_policy")
    system = table(sections["system"], where=where["system"], needed=_SYSTEM, known=known)
    for key, way in _ONE_WAY.items():
        _choice(system.get(key, way), where["system"], key, (way,))
    page = _choice(system.get("row_buf_policy", "OPEN_PAGE"), where["system"], "row_buf_policy", tuple(_PAGES))
    stacked = _choice(structure["protocol"], where["dram_structure"], "protocol", _PROTOCOLS).startswith("HBM")
    clock, timing, notes = _timing(sections["timing"], stacked=stacked)
    groups, banks, rows, columns, length = (
        _positive(structure[key], where["dram_structure"], key) for key in _STRUCTURE[1:]
    )
    sizes = {key: _positive(system[key], where["system"], key) for key in _SYSTEM if key != "address_mapping"}
    beat = sizes["bus_width"] // 8
    in_mib = sizes["channel_size"]
    # A column is one beat of the bus; a row of HBM is what the size of the channel leaves for it (M1.2).
    row_bytes = (in_mib << 20) // (groups * banks * rows) if stacked else columns * beat
    ranks = (in_mib << 20) // (row_bytes * groups * banks * rows) if row_bytes else 0
    if ranks < 1 or row_bytes < beat * length:
        rule = f"MiB must hold at least one rank of {groups} x {banks} banks x {rows} rows of a burst or more"
        raise InputError(f"channel_size = {in_mib} {rule}", where=where["system"])
    dram = Dram(
        protocol=structure["protocol"], clock_ns=clock, channels=sizes["channels"], ranks=ranks, groups=groups,
        banks=banks, rows=rows, columns=row_bytes // max(beat * length, 1), bus_bits=sizes["bus_width"],
        burst_length=length, timing=timing, mapping=str(system["address_mapping"]), closed_page=_PAGES[page],
        bank_queue=sizes["cmd_queue_size"], transaction_queue=sizes["trans_queue_size"],
    )  # fmt: skip
    try:
        return dram.checked(), notes
    except InputError as error:
        raise InputError(str(error), where="dram") from None


def _timing(data: object, *, stacked: bool) -> tuple[Fraction, DramTiming, tuple[str, ...]]:
    keys = dict(TIMING_KEYS)
    if not stacked:
        keys |= {"trcd_read": "tRCD", "trcd_write": "tRCD"}
    elif isinstance(data, dict) and "tRTP" not in data:
        keys["trtp"] = "tRTP_L"  # a precharge follows a read of the same bank
    needed = ("tCK", *(key for field, key in keys.items() if field not in _OPTIONAL))
    known = ("tCK", *keys.values(), "tRTP_L", "REFI", *_IDLE["timing"])
    given = table(data, where="dram.timing", needed=needed, known=known)
    times = {
        field: _whole(given.get(key, _OPTIONAL.get(field)), "dram.timing", key) for field, key in keys.items()
    }  # fmt: skip
    notes = (MISSPELT,) if "REFI" in given and "tREFI" not in given else ()
    return _fraction(given["tCK"], "dram.timing", "tCK"), DramTiming(**times), notes


def _traffic(given: dict[str, Any]) -> Traffic:
    counts = {"Q": "outstanding", "banks": "banks", "burst": "burst", "requests": "requests", "seed": "seed"}
    values: dict[str, Any] = {
        field: _whole(given[key], "traffic", key) for key, field in counts.items() if key in given
    }
    shares = {"rate": "rate", "wfrac": "write_fraction"}
    values |= {field: _fraction(given[key], "traffic", key) for key, field in shares.items() if key in given}
    for key in ("mode", "pattern"):
        if not isinstance(given.get(key), str):
            raise InputError(f"{key} = {shown(given.get(key))} must be a text", where="traffic")
    if given["pattern"] not in ("rowbuf", "chain") and values.get("burst") == 0:
        del values["burst"]
    if "port" in given:
        port = table(given["port"], where="traffic.port", needed=("quanta", "clock"), known=("quanta", "clock"))
        if not isinstance(port["clock"], str):
            raise InputError(f"port.clock = {shown(port['clock'])} must be a text as '300 MHz'", where="traffic")
        try:
            clock = clock_period(port["clock"])
        except InputError as error:
            raise InputError(f"port.clock = {error}", where="traffic") from None
        values["port"] = Port(quanta=_whole(port["quanta"], "traffic", "port.quanta"), clock_ns=clock)
    return Traffic(mode=given["mode"], pattern=given["pattern"], **values)


def _choice(value: object, where: str, key: str, ways: tuple[str, ...]) -> str:
    # JSON has its own false; the files that these come from spell it False.
    text = str(value) if isinstance(value, str | bool) else None
    if text not in ways:
        near = did_you_mean(text, ways) if text and len(ways) > 1 else ""
        raise InputError(f"{key} = {shown(value)} must be {' or '.join(ways)}{near}", where=where)
    return text


def _whole(value: object, where: str, key: str) -> int:
    """Return a whole number, which configuration files write as a text."""
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and value.isascii() and len(value) < 20:
        value = int(value)
    return whole(value, where=where, name=key)


def _positive(value: object, where: str, key: str) -> int:
    number = _whole(value, where, key)
    if number < 1:
        raise InputError(f"{key} = {number} must be at least 1", where=where)
    return number


def _fraction(value: object, where: str, key: str) -> Fraction:
    """Return a number as the decimal that was written, exactly."""
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float) or not isfinite(float(value)):
            raise ValueError
        number = Fraction(str(value)).limit_denominator(10**9)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InputError(f"{key} = {shown(value)} must be a number", where=where) from None
    if abs(number) > 10**9:
        raise InputError(f"{key} = {shown(value)} is out of range (numbers up to 1e9 are taken)", where=where)
    return number
