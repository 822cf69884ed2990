"""Times of DRAM in memory clocks: as data sheets give them, and as distances between commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

# What data sheets and configuration files call the parameters; messages use these names.
TIMING_KEYS = {
    "cl": "CL", "cwl": "CWL", "al": "AL", "trcd_read": "tRCDRD", "trcd_write": "tRCDWR", "trp": "tRP", "tras": "tRAS",
    "trrd_s": "tRRD_S", "trrd_l": "tRRD_L", "tfaw": "tFAW", "tccd_s": "tCCD_S", "tccd_l": "tCCD_L", "trtp": "tRTP",
    "twr": "tWR", "twtr_s": "tWTR_S", "twtr_l": "tWTR_L", "trfc": "tRFC", "trefi": "tREFI", "trtrs": "tRTRS",
}  # fmt: skip


class Delays(NamedTuple):
    """The least distances between commands, in memory clocks, and the shape of a channel: what an engine needs.

    ``_l`` is the same bank group, ``_s`` another group of the rank, ``_o`` another rank.
    """

    channels: int
    ranks: int
    groups: int
    banks: int  # of a group
    bank_queue: int
    transaction_queue: int
    closed_page: bool
    dual_command: bool
    refresh_every: int
    refresh: int
    read_done: int
    act_read: int
    act_write: int
    act_pre: int
    act_act: int
    act_act_s: int
    act_act_l: int
    four_acts: int
    pre_act: int
    read_pre: int
    write_pre: int
    read_act: int  # closed page: the read precharges by itself
    write_act: int
    same_s: int  # read to read, write to write
    same_l: int
    same_o: int
    read_write: int
    write_read_s: int
    write_read_l: int
    write_read_o: int
    write_write_o: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DramTiming:
    """Data-sheet timings in memory clocks, named as in data sheets; ``trcd_read`` and ``trcd_write`` differ in HBM."""

    cl: int
    cwl: int
    trcd_read: int
    trcd_write: int
    trp: int
    tras: int
    trrd_s: int
    trrd_l: int
    tfaw: int
    tccd_s: int
    tccd_l: int
    trtp: int
    twr: int
    twtr_s: int
    twtr_l: int
    trfc: int
    trefi: int = 7800
    trtrs: int = 2
    al: int = 0
