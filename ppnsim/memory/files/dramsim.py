"""DRAM configurations as DRAMsim3 spells them: three sections of keys, whose numbers may be texts."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, create_model, model_validator

from ppnsim.errors import InputError, located
from ppnsim.formats import values
from ppnsim.formats.quantities import one_of
from ppnsim.formats.schema import Keys, Text
from ppnsim.memory.model.dram import Dram, Protocol
from ppnsim.memory.model.timing import TIMING_KEYS, DramTiming

MISSPELT = (
    "timing key 'REFI' is not tREFI: the simulator that this file was written for passes over it and refreshes every "
    "7800 clocks; so does this run"
)
# Keys of timing that have no bearing on the bank queue: power-down, self-refresh, preambles.
_IDLE = ("tRFC2", "tRFC4", "tRFCb", "tREFIb", "tRPRE", "tWPRE", "tWR2", "tCKE", "tCKESR", "tCKSRE", "tXS", "tXP",
         "tRTP_S")  # fmt: skip
_DEFAULTS = {"trefi": 7800, "trtrs": 2, "al": 0}


def number(value: object, *, at: str = "") -> int:
    """Return a whole number, which configuration files write as a text."""
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and value.isascii() and len(value) < 20:
        return values.whole(int(value), at=at)
    return values.whole(value, at=at)


def decimal(value: object) -> Fraction:
    """Return a number as the decimal that was written, exactly."""
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float) or not isfinite(float(value)):
            raise ValueError
        exact = Fraction(str(value)).limit_denominator(10**9)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise values.rule("must be a number") from None
    values.real(float(exact))
    return exact


def count(value: object) -> int:
    """Return a whole number from 1 on."""
    found = number(value)
    if found < 1:
        raise values.rule("must be at least 1")
    return found


def _unified(value: object) -> str:
    # JSON has its own false; the files that these come from spell it False.
    if str(value) != "False":
        raise values.rule("must be False")
    return "False"


Number = Annotated[int, PlainValidator(number)]
Decimal = Annotated[Fraction, PlainValidator(decimal)]
Count = Annotated[int, PlainValidator(count)]
PagePolicy = Literal["OPEN_PAGE", "CLOSE_PAGE"]
QueueStructure = Literal["PER_BANK"]
RefreshPolicy = Literal["RANK_LEVEL_STAGGERED"]


class StructureKeys(Keys):
    """``dram_structure``; what has no bearing on the bank queue is not looked at."""

    protocol: Annotated[Protocol, one_of(Protocol)]
    bankgroups: Count
    banks_per_group: Count
    rows: Count
    columns: Count
    BL: Count
    device_width: Any = None
    num_dies: Any = None


class SystemKeys(Keys):
    """``system``; queues and refreshes have one way to go."""

    channel_size: Count
    channels: Count
    bus_width: Count
    address_mapping: Text
    trans_queue_size: Count
    cmd_queue_size: Count
    row_buf_policy: Annotated[PagePolicy, one_of(PagePolicy)] = "OPEN_PAGE"
    queue_structure: Annotated[QueueStructure, one_of(QueueStructure)] = "PER_BANK"
    refresh_policy: Annotated[RefreshPolicy, one_of(RefreshPolicy)] = "RANK_LEVEL_STAGGERED"
    unified_queue: Annotated[str, PlainValidator(_unified)] = "False"


def _timing_keys(name: str, own: dict[str, Any], *left_out: str) -> type[Keys]:
    """Return the keys of ``timing``, by field of `DramTiming`, in whole memory clocks; tCK is in ns."""
    given: dict[str, Any] = {
        field: (Number, Field(_DEFAULTS.get(field, ...), alias=key))
        for field, key in TIMING_KEYS.items()
        if field not in left_out
    }
    given |= {"tCK": (Decimal, ...), "REFI": (Any, None), **dict.fromkeys(_IDLE, (Any, None)), **own}
    return create_model(name, __base__=Keys, **given)


DdrTiming = _timing_keys("DdrTiming", {"trcd": (Number, Field(alias="tRCD")), "tRTP_L": (Any, None)}, "trcd_read",
                         "trcd_write")  # fmt: skip
# A precharge follows a read of the same bank, so tRTP_L is the time if there is no tRTP.
HbmTiming = _timing_keys("HbmTiming", {"trtp": (Number | None, Field(None, alias="tRTP")),
                                       "trtp_l": (Number | None, Field(None, alias="tRTP_L"))}, "trtp")  # fmt: skip


class _Configuration(Keys):
    """The sections of both kinds; power, thermal and other are not looked at."""

    dram_structure: StructureKeys
    system: SystemKeys
    power: Any = None
    thermal: Any = None
    other: Any = None
    timing: Any

    def build(self) -> tuple[Dram, tuple[str, ...]]:
        """Return the memory, checked, and notes about what the file may not mean."""
        is_misspelt = self.timing.REFI is not None and "trefi" not in self.timing.model_fields_set
        return self._dram(), (MISSPELT,) if is_misspelt else ()

    def _times(self) -> dict[str, Any]:
        """Return the times of the protocol, by field of `DramTiming`."""
        return {field: getattr(self.timing, field) for field in TIMING_KEYS if hasattr(self.timing, field)}

    def _row_bytes(self) -> int:
        """Return the bytes of a row: a column is one beat of the bus."""
        return self.dram_structure.columns * (self.system.bus_width // 8)

    def _dram(self) -> Dram:
        structure, system = self.dram_structure, self.system
        groups, banks, rows = structure.bankgroups, structure.banks_per_group, structure.rows
        beat = system.bus_width // 8
        capacity = system.channel_size << 20
        row_bytes = self._row_bytes()
        ranks = capacity // (row_bytes * groups * banks * rows) if row_bytes else 0
        if ranks < 1 or row_bytes < beat * structure.BL:
            rule = f"MiB must hold at least one rank of {groups} x {banks} banks x {rows} rows of a burst or more"
            raise InputError(f"channel_size = {system.channel_size} {rule}", where="dram.system")
        dram = Dram(
            protocol=structure.protocol, clock_ns=self.timing.tCK, channels=system.channels, ranks=ranks, groups=groups,
            banks=banks, rows=rows, columns=row_bytes // max(beat * structure.BL, 1), bus_bits=system.bus_width,
            burst_length=structure.BL, timing=DramTiming(**self._times()), mapping=system.address_mapping,
            closed_page=system.row_buf_policy == "CLOSE_PAGE", bank_queue=system.cmd_queue_size,
            transaction_queue=system.trans_queue_size,
        )  # fmt: skip
        with located("dram"):
            return dram.checked()


class DdrConfiguration(_Configuration):
    """A memory with DDR3 or DDR4 protocol."""

    timing: DdrTiming  # type: ignore[valid-type]

    def _times(self) -> dict[str, Any]:
        given: Any = self.timing
        return super()._times() | dict.fromkeys(("trcd_read", "trcd_write"), given.trcd)


class HbmConfiguration(_Configuration):
    """A memory with HBM protocol."""

    timing: HbmTiming  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _has_a_time_from_read_to_precharge(self) -> HbmConfiguration:
        given: Any = self.timing
        if given.trtp is None and given.trtp_l is None:
            raise values.sentence("timing has neither tRTP nor tRTP_L (give one)")
        return self

    def _times(self) -> dict[str, Any]:
        given: Any = self.timing
        return super()._times() | {"trtp": given.trtp_l if given.trtp is None else given.trtp}

    def _row_bytes(self) -> int:
        """Return what the size of the channel leaves for a row (M1.2)."""
        banks = self.dram_structure.bankgroups * self.dram_structure.banks_per_group
        return (self.system.channel_size << 20) // (banks * self.dram_structure.rows)
