"""The presets against their sources: DRAMsim3's files as recorded with its measurements, and a table typed again.

The table was typed from the data sheets' figures in clocks and not copied from ``memory/model/presets.py``: a figure
that changes has to change in two places.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ppnsim.memory.model.dram import Dram, MemoryGroup
from ppnsim.memory.model.presets import PRESETS, preset
from ppnsim.memory.report import described_rows, memory_rows

CONFIGS = json.loads((Path(__file__).parents[2] / "validation/dram/dram.json").read_text(encoding="utf-8"))["configs"]
STOCK = {"DDR3-1600": "DDR3_1600_stock", "DDR4-2400": "DDR4_2400_stock", "HBM2": "HBM2_8ch_stock"}


@pytest.mark.parametrize(("name", "stock"), STOCK.items())
def test_timings_and_geometry_are_those_of_dramsim3s_file(name: str, stock: str) -> None:
    structure, timing = CONFIGS[stock]["dram_structure"], CONFIGS[stock]["timing"]
    dram = PRESETS[name].dram
    assert {
        "groups": str(dram.groups), "banks": str(dram.banks), "rows": str(dram.rows), "BL": str(dram.burst_length),
        "channels": str(dram.channels), "bits": str(dram.bus_bits), "queue": str(dram.bank_queue),
        "transactions": str(dram.transaction_queue), "closed": dram.closed_page,
    } == {
        "groups": structure["bankgroups"], "banks": structure["banks_per_group"], "rows": structure["rows"],
        "BL": structure["BL"], "channels": CONFIGS[stock]["system"]["channels"],
        "bits": CONFIGS[stock]["system"]["bus_width"], "queue": CONFIGS[stock]["system"]["cmd_queue_size"],
        "transactions": CONFIGS[stock]["system"]["trans_queue_size"], "closed": False,
    }  # fmt: skip
    times = {
        "CL": "cl", "CWL": "cwl", "tRCD": "trcd_read", "tRCDRD": "trcd_read", "tRCDWR": "trcd_write", "tRP": "trp",
        "tRAS": "tras", "tRRD_S": "trrd_s", "tRRD_L": "trrd_l", "tFAW": "tfaw", "tCCD_S": "tccd_s", "tCCD_L": "tccd_l",
        "tRTP": "trtp", "tRTP_L": "trtp", "tWR": "twr", "tWTR_S": "twtr_s", "tWTR_L": "twtr_l", "tRFC": "trfc",
        "tREFI": "trefi", "REFI": "trefi", "tRTRS": "trtrs",
    }  # fmt: skip
    stated = {key: timing[key] for key in times if key in timing}
    assert {key: str(getattr(dram.timing, times[key])) for key in stated} == stated
    assert len(stated) >= 17


# Geometry: clock in ns, channels, ranks, groups, banks of a group, rows, bursts of a row, bits, burst, order of fields.
GEOMETRY: dict[str, tuple[Any, ...]] = {
    "DDR3-1600": ("5/4", 1, 1, 1, 8, 65536, 256, 64, 8, "rochrababgco"),
    "DDR4-2400": ("5/6", 1, 1, 4, 4, 65536, 128, 64, 8, "rorachcobabg"),
    "HBM2": ("1", 8, 1, 4, 4, 32768, 32, 128, 4, "rorabgbachco"),
    "DE5-Net": ("5/4", 2, 1, 1, 8, 32768, 256, 64, 8, "rochrababgco"),
    "AWS-F1": ("15/16", 4, 2, 4, 4, 65536, 128, 64, 8, "rorachcobabg"),
    "U280-DDR": ("5/6", 2, 2, 4, 4, 65536, 128, 64, 8, "rorachcobabg"),
    "U280-HBM": ("10/9", 32, 1, 4, 4, 16384, 32, 64, 4, "rorachcobabg"),
}
# Clocks: CL CWL tRCD(rd) tRCD(wr) tRP tRAS tRRD_S tRRD_L tFAW tCCD_S tCCD_L tRTP tWR tWTR_S tWTR_L tRFC tREFI tRTRS.
DDR3 = (11, 8, 11, 11, 11, 28, 6, 6, 32, 4, 4, 6, 12, 6, 6, 280, 6240, 1)
DDR4_2400 = (17, 12, 17, 17, 17, 39, 4, 6, 26, 4, 6, 9, 18, 3, 9, 420, 9360, 1)
TIMES = {
    "DDR3-1600": DDR3,
    "DDR4-2400": DDR4_2400,
    "HBM2": (14, 4, 14, 14, 14, 34, 4, 6, 30, 1, 2, 6, 16, 6, 8, 260, 3900, 2),
    "DE5-Net": DDR3,
    "AWS-F1": (15, 11, 15, 15, 15, 36, 4, 6, 23, 4, 6, 9, 18, 3, 9, 374, 8320, 1),
    "U280-DDR": DDR4_2400,
    "U280-HBM": (13, 4, 13, 13, 13, 31, 4, 6, 27, 1, 2, 6, 15, 6, 8, 234, 3510, 2),
}
PROTOCOLS = {"DDR3-1600": "DDR3", "DE5-Net": "DDR3", "HBM2": "HBM2", "U280-HBM": "HBM2"}  # the others are DDR4
# GiB, and GB/s at the peak: what the makers advertise. 2 x 12.8; 4 x 17.1; 2 x 19.2; 460 of PG276.
ADVERTISED = {"DE5-Net": (8, 25.6), "AWS-F1": (64, 68.3), "U280-DDR": (32, 38.4), "U280-HBM": (8, 460.8)}


def test_every_preset_is_typed_twice() -> None:
    assert set(PRESETS) == set(GEOMETRY) == set(TIMES)


@pytest.mark.parametrize("name", GEOMETRY)
def test_geometry(name: str) -> None:
    dram = preset(name).dram
    assert dram.protocol == PROTOCOLS.get(name, "DDR4")
    assert (
        str(dram.clock_ns), dram.channels, dram.ranks, dram.groups, dram.banks, dram.rows, dram.columns, dram.bus_bits,
        dram.burst_length, dram.mapping,
    ) == GEOMETRY[name]  # fmt: skip
    assert (dram.closed_page, dram.bank_queue, dram.transaction_queue) == (False, 8, 32)


@pytest.mark.parametrize("name", TIMES)
def test_times(name: str) -> None:
    timing = preset(name).dram.timing
    assert timing.al == 0
    assert (
        timing.cl, timing.cwl, timing.trcd_read, timing.trcd_write, timing.trp, timing.tras, timing.trrd_s,
        timing.trrd_l, timing.tfaw, timing.tccd_s, timing.tccd_l, timing.trtp, timing.twr, timing.twtr_s, timing.twtr_l,
        timing.trfc, timing.trefi, timing.trtrs,
    ) == TIMES[name]  # fmt: skip


@pytest.mark.parametrize(("name", "gib", "gbps"), [(name, *each) for name, each in ADVERTISED.items()])
def test_boards_have_the_size_and_the_peak_that_is_advertised(name: str, gib: int, gbps: float) -> None:
    dram = preset(name).dram
    assert dram.capacity == gib << 30
    assert round(dram.peak_gbps, 1) == gbps


def test_refresh_comes_every_7800_ns_and_takes_350() -> None:
    """DDR3 and DDR4 of 8 Gb, normal temperature: tREFI 7.8 us, tRFC 350 ns; AWS-F1 rounds clocks up."""
    for name in ("DDR3-1600", "DDR4-2400", "AWS-F1"):
        dram = preset(name).dram
        assert dram.timing.trefi * dram.clock_ns == 7800
        assert 350 <= dram.timing.trfc * dram.clock_ns < 350 + dram.clock_ns
    assert preset("U280-HBM").dram.timing.trefi * Fraction(10, 9) == 3900


def test_what_is_guessed_of_each_preset_is_said_and_all_else_is_of_its_data_sheet() -> None:
    controller = {"bank_queue", "closed_page", "mapping", "transaction_queue"}
    guessed: dict[str, set[str]] = {
        "DDR3-1600": set(), "DDR4-2400": set(), "HBM2": set(), "DE5-Net": {"rows", "timing"},
        "AWS-F1": {"ranks", "timing"}, "U280-DDR": {"ranks", "timing"}, "U280-HBM": {"timing"},
    }  # fmt: skip
    for name, found in PRESETS.items():
        asked = [each.name for each in fields(Dram)]
        assert {key for key in asked if found.provenance(key).kind == "guess"} == controller | guessed[name], name
    assert guessed.keys() == PRESETS.keys()


def test_what_is_told_of_a_parameter_is_its_provenance_and_its_source() -> None:
    """Times of one provenance are told together, in clocks; all else by itself, with its unit."""
    rows = list(memory_rows(MemoryGroup(name="m", on="fpga", dram=PRESETS["DDR4-2400"].dram, preset="DDR4-2400")))
    described = list(
        described_rows(MemoryGroup(name="m", on="fpga", dram=PRESETS["DDR4-2400"].dram, preset="DDR4-2400"))
    )
    told = {f"{row.provenance}: {row.source}" if row.source else row.provenance or "-" for row in described}
    assert {provenance for *_, provenance in rows} == told
    assert any(": " in provenance for provenance in told)
    times = [(values, provenance) for name, values, provenance in rows if name == "timing"]
    assert sum(values.count(",") + 1 for values, _ in times) == sum(row.unit == "clocks" for row in described)
    assert all(values.endswith(" clocks") for values, _ in times)
    bare = MemoryGroup(name="m", on="fpga", dram=PRESETS["DDR4-2400"].dram)
    assert {provenance for *_, provenance in memory_rows(bare)} == {"-"}


# Worked out by hand from the figures above: a read's data, ACT to RD, WR, PRE, ACT; ACT to other banks (near, same
# group), four of them; PRE to ACT; RD, WR to PRE; RD, WR to ACT of a closed page; RD to RD (other group, same, other
# rank); RD to WR; WR to RD (the same three); WR to WR of another rank; REF to REF and what it takes.
DISTANCES = {
    "DDR3-1600": "15 11 11 28 39 6 6 32 11 6 24 21 35 4 4 5 8 18 18 2 4 6240 280",
    "DDR4-2400": "21 17 17 39 56 4 6 26 17 9 34 30 51 4 6 5 10 19 25 0 4 9360 420",
    "HBM2": "16 14 14 34 48 4 6 30 14 6 22 22 36 2 2 4 14 12 14 0 2 3900 260",
    "DDR4-2400, two ranks, AL = 10": "31 7 7 39 56 4 6 26 17 19 44 40 61 4 6 5 10 29 35 0 4 4680 420",
}
ORDER = [
    "read_done",
    "act_read",
    "act_write",
    "act_pre",
    "act_act",
    "act_act_s",
    "act_act_l",
    "four_acts",
    "pre_act",
    "read_pre",
    "write_pre",
    "read_act",
    "write_act",
    "same_s",
    "same_l",
    "same_o",
    "read_write",
    "write_read_s",
    "write_read_l",
    "write_read_o",
    "write_write_o",
    "refresh_every",
    "refresh",
]


@pytest.mark.parametrize("name", DISTANCES)
def test_distances_between_commands(name: str) -> None:
    preset_name, _, changed = name.partition(", ")
    dram = PRESETS[preset_name].dram
    if changed:
        dram = replace(dram, ranks=2, timing=replace(dram.timing, al=10))
    assert [getattr(dram.delays, each) for each in ORDER] == [int(each) for each in DISTANCES[name].split()]
