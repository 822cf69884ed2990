"""Sources of high-level synthesis as people write them: what bounds each loop, worked out by hand (xc7z020, 10 ns).

Times in ns are those of `xc7z020.toml`: of a state 7.3 can be used, a memory is read or written in 3.254, an
adder of w bits takes 1.6 + 0.027 w, the second of two 1.4, a comparison 1.45 + 0.032 w, a multiplexer 0.7, a FIFO 1.83.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.hls.region.accesses import clocked
from tests.helpers.hls_sources import loops_of, schedule_of

SOURCES = Path(__file__).parents[1] / "sources" / "hls"
KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"


def test_a_filter_that_is_a_pipelined_function_takes_a_sample_every_cycle() -> None:
    # Seven taps are not 0. Products go into the blocks of adders, whose sums are ready in state 3 (R2.9), and those on
    # top of them in state 4, as a chain of blocks takes a state each (R9.33): the last one is shifted and stored.
    machine = schedule_of(SOURCES / "fir.cpp")
    assert loops_of(machine) == [("fir", 1, "one per cycle", 5)]
    assert machine.cycles == 5 - 1


def test_a_filter_over_a_stream_takes_a_token_every_cycle() -> None:
    # Of the taps 1 -3 8 22 22 8 -3 1 four are wiring, and products with the new sample none at all: its tap is 1. The
    # products of older samples start in state 0 and are there in state 2, where they are added and put, which takes two
    # states (R3.8).
    machine = schedule_of(SOURCES / "fir_stream.cpp")
    assert loops_of(machine) == [("n", 1, "one per cycle", 4)]
    assert machine.cycles == (4 + 1023) - 1


def test_tiles_are_multiplied_at_the_rate_of_the_partitions() -> None:
    # 16 elements of a row and of a column come from 8 memories of two ports each: one product of tiles per cycle. The
    # sum is a chain of 16 adders of 5 states, because floating point is not associative: 3 + 4 + 16 * 5, and the store.
    loops = loops_of(schedule_of(SOURCES / "matmul_tiled.cpp"))
    assert loops[3] == ("ii.jj", 1, "one per cycle", 3 + 4 + 16 * 5 + 1)
    assert [(name, ii) for name, ii, _, _ in loops] == [
        ("ii.jj", 1), ("i_2.j_2", 1), ("i_2.j_2", 1), ("ii.jj", 1), ("ii.jj", 1)
    ]  # fmt: skip


def test_a_histogram_waits_for_its_bin_and_a_register_for_the_last_one_does_not() -> None:
    # The bin is loaded in state 1 and stored in state 3: what the iteration before stored comes from a register, and
    # what the one before that stored has to be in the memory, 1 + 2 II >= 3 + 1.
    assert loops_of(schedule_of(SOURCES / "histogram.cpp", "histogram_plain")) == [
        ("i", 2, "hist[?] through memory", 4)
    ]
    # Its pragmas say that nothing comes again through the memory; the sum goes through adder and multiplexer.
    assert loops_of(schedule_of(SOURCES / "histogram.cpp", "histogram"))[0][:3] == ("i", 1, "one per cycle")


def test_all_cells_of_a_systolic_array_work_in_every_cycle() -> None:
    # A row of A and a column of B have a memory each, and C is registers: 144 multipliers, fed in each iteration.
    machine = schedule_of(SOURCES / "systolic.cpp")
    assert loops_of(machine)[2][:3] == ("k", 1, "one per cycle")
    products = [n for n in machine.nests[2].body.graph.nodes if n.kind == "op" and n.name == "mul"]
    assert len(products) == 144


def test_packets_pass_through_in_a_state() -> None:
    # Taken at 1.83, compared by 4.30, chosen by 5.00, put by 6.83.
    machine = schedule_of(SOURCES / "stream_filter.cpp")
    assert loops_of(machine) == [("i", 1, "one per cycle", 2)]
    assert machine.cycles == (2 + 639) - 1


def test_line_buffers_and_a_window_of_registers_take_a_pixel_per_cycle() -> None:
    machine = schedule_of(SOURCES / "conv2d.cpp")
    name, ii, bound, depth = loops_of(machine)[0]
    assert (name, ii, bound) == ("row.col", 1, "one per cycle")
    assert machine.cycles == depth + 64 * 96 - 1 - 1
    times = clocked(machine)
    assert len(times.of(("src", "take"))) == 64 * 96
    assert len(times.of(("dst", "put"))) == 62 * 94  # where the window is full


def test_butterflies_load_and_store_two_numbers_through_two_ports() -> None:
    # Two loads and two stores of elements, each a word of both parts (R6.22): II 2. The product is there after 3 + 4
    # states, two adders later 17 (the imaginary part, whose multipliers are shared, a state later), stored in the
    # second interval after that. The nest is one: between its loops only variables are computed, in a state of their
    # own (R1.4).
    assert loops_of(schedule_of(SOURCES / "fft_stage.cpp")) == [("stage.n", 2, "ports of X", 22)]


def test_a_sparse_product_waits_for_its_adder_and_counts_as_often_as_it_says() -> None:
    # An index, then the element that it chooses: 0..1, 1..2, product 3..6, sum 7..11, written back in 12.
    machine = schedule_of(SOURCES / "spmv.cpp")
    assert loops_of(machine) == [("k", 5, "recurrence through y0", 13)]
    assert [(nest.visits, nest.iterations) for nest in machine.nests] == [(256, 256 * 8)]
    # Around each visit: both bounds are loaded in two states before the loop starts, and its sum is stored after.
    assert machine.cycles == 1 + 256 * (13 + 7 * 5 + 4) + 1 - 1


def test_prefix_sums_wait_for_an_adder() -> None:
    # Through memory: the element beside is what the iteration before has just added (5 states of a float adder).
    assert loops_of(schedule_of(SOURCES / "prefix_sum.cpp", "prefix_memory"))[0][:3] == (
        "i", 5, "recurrence through out[i]",
    )  # fmt: skip
    # Four adders one after the other, 2.46 ns each, are two states; each sum is stored, so that they are no tree.
    assert loops_of(schedule_of(SOURCES / "prefix_sum.cpp", "prefix_register"))[0][:3] == (
        "i", 2, "recurrence through A",
    )  # fmt: skip


def test_a_sorting_network_takes_a_block_per_cycle() -> None:
    # Stages of a comparison (2.09) and a multiplexer: one after the loads (3.25 + 2.79), two in each state after it.
    machine = schedule_of(SOURCES / "sorting_network.cpp")
    assert loops_of(machine) == [("block", 1, "one per cycle", 2 + 3 + 1)]


def test_rounds_of_table_look_ups_are_not_bound_by_the_ports_of_the_table() -> None:
    # R9.30: sixteen look-ups in copies of the table; the state goes round in a memory.
    name, ii, bound, _ = loops_of(schedule_of(SOURCES / "aes_round.cpp"))[0]
    assert (name, ii) == ("round", 3) and "state[0]" in bound


def test_a_dot_product_in_fixed_point_takes_four_products_per_cycle() -> None:
    # Loaded in 0..1; the product of 16 bits goes into the block of its sum: from 1 on, there in 4.
    machine = schedule_of(SOURCES / "dot_fixed.cpp")
    assert loops_of(machine) == [("i", 1, "one per cycle", 5)]
    assert [nest.iterations for nest in machine.nests] == [1024 // 4]


def test_words_are_counted_at_the_rate_at_which_lengths_can_be() -> None:
    # A plain histogram loads its address first; here that is a counter, but the load is behind a test of the character
    # (R4.16), which arrives in state 1: loaded in state 1, stored in state 3.
    assert loops_of(schedule_of(SOURCES / "word_count.cpp")) == [("i", 2, "lengths[?] through memory", 4)]


def test_blocks_overlap_on_double_buffers() -> None:
    # Loading and storing take 256 cycles a block and computing 514, which sets the pace of 16 blocks.
    machine = schedule_of(SOURCES / "double_buffer.cpp")
    assert [(task.name, task.cycles) for task in machine.tasks] == [("load", 256), ("compute", 514), ("store", 256)]
    assert machine.cycles == 256 + 16 * 514 + 256


def test_tasks_with_fifos_run_at_the_same_time() -> None:
    # A token is put in cycle 1 of its loop, taken in 2 (the second state, R3.11) and put in 2 again, taken in 3.
    machine = schedule_of(SOURCES / "vadd_dataflow.cpp")
    assert [(task.start, task.end, task.waited) for task in machine.tasks] == [
        (0, 4096, 0), (0, 4096, 0), (0, 4098, 1), (0, 4099, 3),
    ]  # fmt: skip
    assert machine.cycles == 4099


@pytest.mark.parametrize("path", sorted(SOURCES.glob("*.cpp")), ids=lambda path: path.stem)
def test_the_command_reads_every_source(path: Path) -> None:
    done = CliRunner().invoke(app, ["schedule", str(path)])
    assert done.exit_code == 0, done.stderr
    assert "skipped" not in done.stderr


@pytest.mark.parametrize("name", ["2mm", "bicg", "cholesky", "doitgen", "durbin", "lu", "nussinov", "trisolv"])
def test_walking_through_the_states_takes_the_cycles_that_are_counted(name: str) -> None:
    # The sum over regions and loops against a walk, visit by visit, which dataflow regions need for their tokens.
    machine = schedule_of(KERNELS / f"{name}.c")
    assert clocked(machine).cycles == machine.cycles


def test_a_source_with_structs_and_calls_is_explored() -> None:
    done = CliRunner().invoke(app, ["explore-directives", str(SOURCES / "fft_stage.cpp"), "--json", "-"])
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["final"]["cycles"] < result["plain"]["cycles"]
