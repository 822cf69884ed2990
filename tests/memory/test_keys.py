"""Memories described in files: presets, what is changed of them, and memories from scratch, in both kinds of files."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ppnsim.errors import InputError
from ppnsim.formats.decode import decode_toml
from ppnsim.memory.files.keys import dram_table
from ppnsim.memory.model.dram import Dram, MemoryGroup
from ppnsim.memory.model.presets import PRESETS, preset
from ppnsim.memory.model.timing import DramTiming
from ppnsim.placed.files.toml import parse_placement
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.files.dump import dump_platform
from ppnsim.platform.files.toml import parse_platform
from ppnsim.platform.model.nodes import NodeGroup
from ppnsim.platform.model.provenance import parameters_of
from ppnsim.platform.model.system import System

DDR4 = preset("DDR4-2400").dram
WHOLE = dram_table(DDR4, "")


def placed(memory: dict[str, Any], **reads: Any) -> dict[str, Any]:
    """Return a file with one process that reads 200 bursts."""
    port = {"memory": "m", "bytes": 64, "outstanding": 8} | reads
    return {
        "node": {"n": {"clock": "300 MHz"}}, "memory": {"m": memory},
        "process": {"p": {"firings": 200, "node": "n", "reads": port}},
    }  # fmt: skip


def dram_of(memory: dict[str, Any]) -> Dram:
    """Return the memory in such a file; it is the one that a platform file with the same keys has."""
    found = parse_placement(placed(memory)).memories[0].dram
    system, _ = parse_platform({"node": {"n": {"kind": "fpga"}}, "memory": {"m": {**memory, "on": "n"}}})
    assert system.memories[0].dram == found
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_written_out_is_the_preset(name: str) -> None:
    assert dram_of(dram_table(PRESETS[name].dram, "")) == PRESETS[name].dram
    assert dram_of({"preset": name}) == PRESETS[name].dram
    assert dram_table(PRESETS[name].dram, name) == {}


def test_a_memory_from_scratch_runs_as_the_preset_that_it_describes() -> None:
    own, known = (run_placed(parse_placement(placed(keys))) for keys in (WHOLE, {"preset": "DDR4-2400"}))
    assert np.array_equal(own.asked["p reads m"].done, known.asked["p reads m"].done)


def test_single_parameters_change_a_preset() -> None:
    changed = {"preset": "DDR4-2400", "channels": 2, "trans_queue_size": 4, "timing": {"tRCD": 20, "tRP": 19}}
    timing = replace(DDR4.timing, trcd_read=20, trcd_write=20, trp=19)
    assert dram_of(changed) == replace(DDR4, channels=2, transaction_queue=4, timing=timing)


def test_times_with_a_unit_are_rounded_up_to_whole_clocks_of_the_memory() -> None:
    # 1200 MHz: 15 ns are 18 clocks, 15.1 ns are 18.12; at 800 MHz they are 12 and 12.08.
    assert dram_of({"preset": "DDR4-2400", "timing": {"tRP": "15 ns", "tWR": "15.1 ns"}}).timing.trp == 18
    assert dram_of({"preset": "DDR4-2400", "timing": {"tRP": "15.1 ns"}}).timing.trp == 19
    slow = dram_of({"preset": "DDR4-2400", "clock": "800 MHz", "timing": {"tRP": "15 ns", "tWR": "15.1 ns"}})
    assert (slow.clock_ns, slow.timing.trp, slow.timing.twr) == (Fraction(5, 4), 12, 13)
    assert slow.timing.tras == DDR4.timing.tras  # clocks stay clocks


def test_a_slower_memory_is_slower_and_a_closed_page_pays_for_every_row() -> None:
    def finish(**changes: Any) -> int:
        found = run_placed(parse_placement(placed({"preset": "DDR4-2400", **changes}, outstanding=1))).finish
        assert found is not None
        return found

    assert finish(timing={"CL": 40}) > finish()
    assert finish(closed_page=True) > finish()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"preset": "DDR4-2400", "chanels": 2}, "memory 'm': unknown key 'chanels' (did you mean 'channels'?)"),
    ({"preset": 4}, "memory 'm': preset = 4 must be a text like 'DDR4-2400'"),
    ({"preset": "DDR4-2400", "timing": {"tFAV": 3}}, "timing.tFAV = 3 is not a time of a memory (did you mean 'tFAW'"),
    ({"preset": "DDR4-2400", "timing": {"tRP": "3 cycles"}}, "timing.tRP = '3 cycles' must be whole clocks, or a time"),
    ({"preset": "DDR4-2400", "timing": {"tRP": 3.5}}, "memory 'm': timing.tRP = 3.5 must be a whole number"),
    ({"preset": "DDR4-2400", "timing": {"tRP": "-3 ns"}}, "memory 'm': tRP = -3 must be from 1 to"),
    ({"preset": "DDR4-2400", "timing": 3}, "memory 'm': timing = 3 must be a table of times"),
    ({"preset": "DDR4-2400", "bankgroups": 3}, "memory 'm': bankgroups = 3 must be a power of two"),
    ({"preset": "DDR4-2400", "address_mapping": "rorabgbacoco"}, "memory 'm': address_mapping = 'rorabgbacoco' must"),
    ({"preset": "DDR4-2400", "clock": "0 MHz"}, "memory 'm': clock = '0 MHz' must be a frequency above 0 Hz"),
    ({"preset": "DDR4-2400", "clock": 0.8}, "memory 'm': clock = 0.8 must be a text like '1200 MHz' or '0.75 ns'"),
    ({"preset": "DDR4-2400", "protocol": "DDR5"}, "protocol = 'DDR5' is none of DDR3, DDR4, HBM, HBM2"),
    ({key: value for key, value in WHOLE.items() if key not in ("rows", "clock")},
     "memory 'm': clock, rows are missing, and no preset lies under it"),
    (WHOLE | {"timing": {key: value for key, value in WHOLE["timing"].items() if key != "tFAW"}},
     "memory 'm': tFAW is missing, and no preset lies under it"),
]  # fmt: skip


@pytest.mark.parametrize(("memory", "words"), BAD, ids=[words[:40] for _, words in BAD])
def test_what_is_no_memory_is_told_by_both_kinds_of_files(memory: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        parse_placement(placed(memory))
    assert words in str(error.value)
    with pytest.raises(InputError) as error:
        parse_platform({"node": {"n": {"kind": "fpga"}}, "memory": {"m": {**memory, "on": "n"}}})
    assert words in str(error.value)


def test_platforms_with_memories_read_back_as_what_was_written() -> None:
    told = {"preset": "data sheet: a board", "timing.tRP": "measured: on the bench", "channels": "guess: half of it"}
    changed = replace(DDR4, channels=2, closed_page=True, clock_ns=Fraction(5, 4), timing=replace(DDR4.timing, trp=21))
    system = System(
        name="s",
        nodes=(NodeGroup(name="n", kind="fpga"),),
        memories=(
            MemoryGroup(name="changed", on="n", dram=changed, preset="DDR4-2400", provenance=told),
            MemoryGroup(name="own", on="n", dram=changed),
        ),
    )
    assert parse_platform(decode_toml(dump_platform(system))) == (system, None)


def test_every_parameter_of_a_memory_can_have_a_provenance() -> None:
    group = MemoryGroup(name="m", on="n", dram=DDR4)
    known = parameters_of(group)
    assert len(known) == len(fields(Dram)) + len(fields(DramTiming)) + len(["on", "preset"])
    replace(group, provenance=dict.fromkeys(known, "guess: a test"))
    system = System(name="s", nodes=(NodeGroup(name="n", kind="fpga"),))
    with pytest.raises(InputError, match=r"^memory 'm': provenance: 'timing.tRPP' is not a parameter \(did you mean"):
        replace(system, memories=(replace(group, provenance={"timing.tRPP": "guess"}),))


def test_what_a_memory_from_scratch_lacks_is_listed() -> None:
    """One thing is missing, several are; a preset under it would have had them."""
    one = {key: value for key, value in WHOLE.items() if key != "rows"}
    two = {key: value for key, value in one.items() if key != "columns"}
    for table, words in ((one, "rows is missing"), (two, "rows, columns are missing")):
        with pytest.raises(InputError) as error:
            dram_of(table)
        assert str(error.value) == f"memory 'm': {words}, and no preset lies under it"
