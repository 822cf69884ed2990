"""The bank queue: two engines with the same clocks, the rules one by one, ports, and every bad input in its words."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simpy import Environment
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.memory.files.dramsim import MISSPELT
from ppnsim.memory.files.json import parse_memory
from ppnsim.memory.model.dram import FIELDS, Dram
from ppnsim.memory.model.presets import PRESETS, preset
from ppnsim.memory.model.timing import TIMING_KEYS
from ppnsim.memory.model.traffic import Port, Traffic
from ppnsim.memory.run.bank_queue import BankQueue, BankState, Transaction
from ppnsim.memory.run.system import MemorySystem
from ppnsim.memory.run.traffic import run_memory
from tests.helpers.by_seed import by_seed
from tests.helpers.memory_files import CONFIGURATION, changed, stacked, without

DDR4 = preset("DDR4-2400").dram
ENDLESS = 2**40


def timed(dram: Dram, **times: int) -> Dram:
    return replace(dram, timing=replace(dram.timing, **times))


CALM = timed(DDR4, trefi=ENDLESS)  # no refresh


@by_seed
def drams(draw: st.DrawFn) -> Dram:
    """Small memories of all kinds; times so short and refreshes so frequent that every rule comes up soon."""
    dram = draw(st.sampled_from([preset(name).dram for name in ("DDR3-1600", "DDR4-2400", "HBM2")]))
    times = {
        "trefi": draw(st.sampled_from([900, 2000, ENDLESS])), "trfc": draw(st.integers(1, 90)),
        "tfaw": draw(st.integers(0, 40)), "trtp": draw(st.integers(0, 12)), "twtr_l": draw(st.integers(0, 12)),
        "tras": draw(st.integers(5, 45)),
    }  # fmt: skip
    return replace(
        timed(dram, **times), channels=draw(st.sampled_from([1, 2, 4])), ranks=draw(st.sampled_from([1, 2, 4])),
        rows=draw(st.sampled_from([4, 64])), closed_page=draw(st.booleans()),
        bank_queue=draw(st.sampled_from([1, 2, 8])), transaction_queue=draw(st.sampled_from([1, 9, 32])),
        mapping="".join(draw(st.permutations(FIELDS))),
    ).checked()  # fmt: skip


@by_seed
def traffics(draw: st.DrawFn) -> Traffic:
    pattern = draw(st.sampled_from(["rand", "seq", "stride4096", "rowbuf", "chain"]))
    is_open = pattern != "chain" and draw(st.booleans())
    is_paced = pattern != "chain" and not is_open and draw(st.booleans())
    clock = Fraction(draw(st.integers(1, 9000)), 700)
    return Traffic(
        mode="open" if is_open else "closed", pattern=pattern, outstanding=draw(st.integers(1, 40)),
        banks=draw(st.integers(0, 8)) if pattern == "rand" else 0, burst=draw(st.integers(1, 9)),
        rate=Fraction(draw(st.integers(1, 300)), draw(st.sampled_from([100, 9000]))) if is_open else Fraction(0),
        write_fraction=draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)])), requests=300,
        seed=draw(st.integers(0, 99)),
        port=Port(quanta=draw(st.sampled_from([16, 64, 200])), clock_ns=clock) if is_paced else None,
    )  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(drams(), traffics())
def test_both_engines_give_every_request_the_same_clocks(dram: Dram, traffic: Traffic) -> None:
    compiled, definition = (run_memory(dram, traffic, engine=engine) for engine in ("compiled", "des"))
    assert compiled.taken.tolist() == definition.taken.tolist()
    assert compiled.done.tolist() == definition.done.tolist()


@settings(max_examples=20, deadline=None)
@given(drams(), traffics())
def test_nothing_is_completed_before_its_data_can_have_come(dram: Dram, traffic: Traffic) -> None:
    run = run_memory(dram, traffic)
    completed = run.done >= 0
    least = np.where(run.requests.write == 1, 1, dram.delays.read_done + 1)
    assert completed.sum() >= traffic.requests
    assert (run.taken[completed] >= 0).all()
    assert (run.done - run.taken >= least)[completed].all()


@settings(max_examples=20, deadline=None)
@given(drams(), traffics())
def test_the_limit_of_requests_under_way_holds_in_every_clock(dram: Dram, traffic: Traffic) -> None:
    if traffic.mode == "open":
        return
    run = run_memory(dram, traffic)
    limit = traffic.outstanding * (traffic.burst if traffic.pattern == "chain" else 1)
    taken, done = np.sort(run.taken[run.taken >= 0]), np.sort(run.done[run.done >= 0])
    # A slot freed at t is reused at t + 1.
    under_way = np.arange(1, len(taken) + 1) - np.searchsorted(done, taken, side="left")
    assert under_way.max() <= limit


@settings(max_examples=20, deadline=None)
@given(drams(), traffics())
def test_the_data_bus_carries_one_burst_at_a_time(dram: Dram, traffic: Traffic) -> None:
    log: list[tuple[int, int, bool]] = []
    latency = {False: dram.delays.read_done - dram.burst, True: dram.timing.al + dram.timing.cwl}

    class Watched(BankQueue):
        def _access(self, bank: BankState, entry: Transaction, now: int) -> None:
            log.append((id(self), now + latency[entry.write], entry.write))
            super()._access(bank, entry, now)

    env = Environment()
    memory = MemorySystem(env, dram)
    memory._channels = [Watched(dram.delays) for _ in range(dram.channels)]
    port, requests = memory.port(), traffic.draw(dram, 200)
    asked = [port.request(int(b), int(r), write=bool(w)) for b, r, w in zip(*requests, strict=True)]
    env.run()
    assert all(request.completed.processed for request in asked)
    # Every burst crossed the bus, once; a few writes stay in the buffers.
    assert len(asked) - 8 * dram.channels <= len(log) <= len(asked)
    assert sum(not write for _, _, write in log) == sum(not request.access.write for request in asked)
    for channel in {entry[0] for entry in log}:
        starts = sorted(start for own, start, _ in log if own == channel)
        assert all(after - before >= dram.burst for before, after in pairwise(starts))


@pytest.mark.parametrize(("rows", "clocks"), [((0,), 39), ((0, 0), 22), ((0, 1), 56)])
def test_unloaded_reads_take_what_rule_8_says(rows: tuple[int, ...], clocks: int) -> None:
    env = Environment()
    memory = MemorySystem(env, CALM)
    port, taken = memory.port(), []

    def reader() -> Any:
        for row in rows:
            request = port.request(bank=0, row=row)
            yield request.completed
            taken.append(request.done - request.taken)

    env.process(reader())
    env.run()
    assert taken[-1] == clocks  # CL 17 + burst 4 + 1; + tRCD 17 closed; + tRP 17 in conflict


def test_a_stream_fills_the_bus_where_the_mapping_goes_round_the_groups() -> None:
    run = run_memory(CALM, Traffic(pattern="seq", outstanding=32, requests=5000))
    assert run.bandwidth_gbps == pytest.approx(CALM.peak_gbps, rel=1e-9)
    assert run.done.max() == 20_035


def test_a_stream_within_a_bank_group_pays_tccd_l() -> None:
    one_group = replace(CALM, mapping="rorababgcoch")
    run = run_memory(one_group, Traffic(pattern="seq", outstanding=6, requests=5000))
    assert run.bandwidth_gbps == pytest.approx(CALM.peak_gbps * 4 / 6, rel=0.03)
    assert run.done.max() == 30_597


def test_one_bank_of_random_rows_gives_a_row_cycle_each() -> None:
    run = run_memory(CALM, Traffic(banks=1, outstanding=16, requests=5000))
    assert run.bandwidth_gbps == pytest.approx(64 / (56 * float(CALM.clock_ns)), rel=0.001)  # tRAS 39 + tRP 17
    assert run.done.max() == 279_983


def test_two_ranks_have_a_four_activate_window_each() -> None:
    one, two = (run_memory(replace(CALM, ranks=ranks), Traffic(outstanding=64)) for ranks in (1, 2))
    assert one.bandwidth_gbps == pytest.approx(64 * 4 / 26 / float(CALM.clock_ns), rel=0.01)
    assert two.bandwidth_gbps > 1.5 * one.bandwidth_gbps
    assert (one.done.max(), two.done.max()) == (130_133, 86_558)


@pytest.mark.parametrize("ranks", [1, 2])
def test_refresh_takes_its_share_of_a_full_bus(ranks: int) -> None:
    refreshed, calm = (
        run_memory(replace(dram, ranks=ranks), Traffic(banks=1, outstanding=8, requests=20_000))
        for dram in (DDR4, CALM)
    )
    assert refreshed.bandwidth_gbps / calm.bandwidth_gbps == pytest.approx(1 - 420 / 9360, abs=0.006)
    assert (refreshed.done.max(), calm.done.max()) == (1_174_218 + ranks, 1_119_703)


@given(st.integers(1, 30), st.integers(0, 50))
@settings(max_examples=25, deadline=None)
def test_in_a_single_closed_bank_a_deeper_queue_never_completes_anything_later(limit: int, seed: int) -> None:
    # Served in order with one constant time each: nothing that the scheduler could do worse.
    dram = replace(CALM, closed_page=True)
    shallow, deep = (
        run_memory(dram, Traffic(banks=1, outstanding=each, requests=200, seed=seed)).done[:200]
        for each in (limit, limit + 1)
    )
    assert (deep <= shallow).all()


def test_a_chain_waits_for_all_of_its_burst() -> None:
    run = run_memory(DDR4, Traffic(pattern="chain", outstanding=1, burst=7, requests=700))
    taken, done = run.taken[:700].reshape(-1, 7), run.done[:700].reshape(-1, 7)
    assert (taken[1:].min(axis=1) == done[:-1].max(axis=1) + 1).all()


@given(st.integers(1, 4000), st.sampled_from([32, 64, 128]), st.integers(1, 32))
@settings(max_examples=20, deadline=None)
def test_a_port_never_exceeds_its_rate(period: int, quanta: int, limit: int) -> None:
    port = Port(quanta=quanta, clock_ns=Fraction(period, 400))
    traffic = Traffic(pattern="seq", outstanding=limit, port=port, requests=400)
    run = run_memory(CALM, traffic)
    taken = run.taken[run.taken >= 0]
    gap = port.gap(CALM)
    for distance in (1, 2, 10, 100):
        # One clock of grace: requests are rounded up to the memory's clock.
        assert (taken[distance:] - taken[:-distance]).min() > distance * gap - 1


def test_a_paced_port_gets_its_rate_from_an_idle_memory() -> None:
    port = Port(quanta=64, clock_ns=Fraction(1000, 225))  # 14.4 GB/s, 5.33 clocks of the memory
    run = run_memory(CALM, Traffic(pattern="seq", outstanding=32, port=port, requests=10_000))
    assert run.bandwidth_gbps == pytest.approx(14.4, rel=1e-3)
    assert run.done.max() == 53_350


def test_a_process_reads_at_its_own_clock_through_a_bounded_fifo() -> None:
    env = Environment()
    memory = MemorySystem(env, CALM, tick=CALM.clock_ns * 1000)  # the environment counts ps
    port = memory.port(gap=Fraction(5) / CALM.clock_ns)  # 64 bytes per cycle of 200 MHz: 6 clocks
    requests: list[Any] = []

    def reader() -> Any:
        for number in range(64):
            if number >= 4:
                yield requests[number - 4].completed
            requests.append(port.request(number % 16, 0))

    env.process(reader())
    env.run()
    taken = [request.taken for request in requests]
    assert all(after - before >= 6 for before, after in pairwise(taken))
    assert all(requests[n].taken > requests[n - 4].done for n in range(4, 64))


def test_clocks_of_the_component_lie_at_rounded_multiples_of_the_tick() -> None:
    env, times = Environment(), []
    memory = MemorySystem(env, CALM, tick=Fraction(2500, 3))
    port = memory.port()

    def reader() -> Any:
        yield env.timeout(100)  # clock 1 is the next edge
        yield port.request(0, 0).completed
        times.append(env.now)

    env.process(reader())
    env.run()
    assert times == [round(40 * Fraction(2500, 3))]


def test_addresses_are_split_by_the_mapping_bit_by_bit() -> None:
    dram = preset("HBM2").dram  # ro ra bg ba ch co: 5 bits column, 3 channel, 2 bank, 2 group, 15 row
    address = (((9 << 2 | 3) << 2 | 1) << 3 | 6) << 5 | 17
    bank, row = dram.place(np.array([address * dram.request_bytes + 5]))
    assert (bank.tolist(), row.tolist()) == ([6 * 16 + 3 * 4 + 1], [9])


def test_some_banks_are_taken_from_groups_first_then_ranks_then_banks() -> None:
    dram = replace(DDR4, ranks=2)
    used = np.unique(Traffic(banks=9, requests=5000).draw(dram, 5000).bank)
    assert used.tolist() == [0, 1, 4, 8, 12, 16, 20, 24, 28]


def test_a_seed_means_the_same_requests_on_every_machine() -> None:
    drawn = Traffic(seed=7, write_fraction=Fraction(1, 2)).draw(DDR4, 8)
    assert drawn.row.tolist() == GOLDEN_ROWS
    assert drawn.write.tolist() == GOLDEN_WRITES


# Made by this code; they hold other machines to it.
GOLDEN_ROWS = [24923, 36411, 28959, 48839, 26771, 55671, 9678, 14427]
GOLDEN_WRITES = [0, 1, 0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets_run_and_every_parameter_has_a_provenance(name: str) -> None:
    found = preset(name)
    assert run_memory(found.dram, Traffic(outstanding=8, requests=500)).bandwidth_gbps > 0
    kinds = {found.provenance(parameter).kind for parameter in ("timing", "mapping", "clock_ns", "channels")}
    assert kinds <= {"measured", "data sheet", "guess"}
    assert all(found.provenance(parameter).source for parameter in ("timing", "mapping", "rows"))


def test_a_configuration_file_gives_geometry_and_times() -> None:
    held = parse_memory({"dram": CONFIGURATION})
    dram, notes = held.dram, held.notes
    assert (dram.ranks, dram.columns, dram.request_bytes, notes) == (2, 128, 64, ())
    assert dram.capacity == 16 << 30
    stack = parse_memory({"dram": stacked()}).dram
    assert (stack.ranks, stack.columns, stack.timing.trtp) == (1, 32, 6)


def test_a_misspelt_refresh_interval_is_said_and_taken_as_its_tool_took_it() -> None:
    file = without(changed("timing", REFI="6240"), "timing", "tREFI")
    held = parse_memory({"dram": file})
    dram, notes = held.dram, held.notes
    assert (dram.timing.trefi, notes) == (7800, (MISSPELT,))


TRAFFIC = {"mode": "closed", "pattern": "rand", "Q": 8, "requests": 1000}
BAD_DRAM: dict[str, tuple[Callable[[], Any], str]] = {
    "no preset": (lambda: "DDR4-2401", "dram = 'DDR4-2401' is not a preset of a memory (did you mean 'DDR4-2400'?)"),
    "no table": (lambda: 5, "dram = 5 must be a table of keys"),
    "missing section": (
        lambda: {key: value for key, value in CONFIGURATION.items() if key != "system"},
        "dram: system is missing",
    ),
    "misspelt time": (
        lambda: changed("timing", tFWA="26"), "dram.timing: unknown key 'tFWA' (did you mean 'tFAW'?)"
    ),
    "missing clock": (
        lambda: without(CONFIGURATION, "timing", "tCK"),
        "dram.timing: tCK is missing",
    ),
    "clock of zero": (lambda: changed("timing", tCK="0"), "dram: tCK = 0.0 must be above 0 ns"),
    "clock in words": (lambda: changed("timing", tCK="fast"), "dram.timing: tCK = 'fast' must be a number"),
    "half a clock": (lambda: changed("timing", CL="16.5"), "dram.timing: CL = '16.5' must be a whole number"),
    "negative time": (lambda: changed("timing", tFAW=-1), f"dram: tFAW = -1 must be from 0 to {2**40} clocks"),
    "refresh without end": (
        lambda: changed("timing", tREFI="400"), "dram: tREFI = 400 must leave time beside the refreshes (tRFC)"
    ),
    "protocol": (
        lambda: changed("dram_structure", protocol="DDR5"),
        "dram.dram_structure: protocol = 'DDR5' is none of DDR3, DDR4, HBM, HBM2 (did you mean 'DDR4'?)",
    ),
    "three groups": (
        lambda: changed("dram_structure", bankgroups="3"), "dram: bankgroups = 3 must be a power of two"
    ),
    "no banks": (
        lambda: changed("dram_structure", banks_per_group="0"),
        "dram.dram_structure: banks_per_group = '0' must be at least 1",
    ),
    "small channel": (
        lambda: changed("system", channel_size="4096"),
        "dram.system: channel_size = 4096 MiB must hold at least one rank of 4 x 4 banks x 65536 rows of a burst or "
        "more",
    ),
    "mapping": (
        lambda: changed("system", address_mapping="rochrababg"),
        "dram: address_mapping = 'rochrababg' must name each of ro, ch, ra, ba, bg, co once (as rochrababgco)",
    ),
    "page policy": (
        lambda: changed("system", row_buf_policy="OPEN"),
        "dram.system: row_buf_policy = 'OPEN' is none of OPEN_PAGE, CLOSE_PAGE (did you mean 'OPEN_PAGE'?)",
    ),
    "queue structure": (
        lambda: changed("system", queue_structure="PER_RANK"),
        "dram.system: queue_structure = 'PER_RANK' must be PER_BANK",
    ),
    "no queue": (
        lambda: changed("system", trans_queue_size="0"), "dram.system: trans_queue_size = '0' must be at least 1"
    ),
}  # fmt: skip
BAD_TRAFFIC: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"bank": 2}, "unknown key 'bank' (did you mean 'banks'?)"),
    "mode": ({"mode": "opn"}, "mode = 'opn' is not a mode (did you mean 'open'?)"),
    "pattern": ({"pattern": "random"}, "pattern = 'random' is not a pattern (did you mean 'rand'?)"),
    "pattern of a number": ({"pattern": 7}, "pattern = 7 must be a text of printable characters"),
    "nothing under way": ({"Q": 0}, "Q = 0 must be from 1 to 2**20 requests under way"),
    "many banks": ({"banks": 33}, "banks = 33 must be from 0 (all) to the 32 banks of a channel"),
    "banks of a stream": ({"banks": 2, "pattern": "seq"}, "banks = 2 is for the pattern rand alone (else 0)"),
    "empty burst": (
        {"burst": 0, "pattern": "chain"}, "burst = 0 must be from 1 request to the 268435456 of the memory"
    ),
    "share": ({"wfrac": 1.5}, "wfrac = 1.5 must be a share from 0 to 1"),
    "share in words": ({"wfrac": "half"}, "wfrac = 'half' must be a number"),
    "few requests": ({"requests": 4}, "requests = 4 must be from 5 to 50000000"),
    "rate of zero": (
        {"mode": "open", "rate": 0},
        "rate = 0.0 must be above 0 requests per memory clock (and at most 65536) in an open loop",
    ),
    "rate of a closed loop": ({"rate": 0.1}, "rate = 0.1 is for the mode open alone (else 0)"),
    "open chain": (
        {"mode": "open", "rate": 0.1, "pattern": "chain"},
        "pattern = chain waits for its own data, so it needs the mode closed",
    ),
    "no seeds": ({"seeds": 0}, "seeds = 0 must be from 1 to 1000"),
    "empty quanta": (
        {"port": {"quanta": 0, "clock": "300 MHz"}}, "quanta = 0 moves nothing (1 byte per cycle or more)"
    ),
    "clock of a port": (
        {"port": {"quanta": 64, "clock": 300}}, "clock = 300 must be a text like '300 MHz'"
    ),
    "paced chain": (
        {"pattern": "chain", "port": {"quanta": 64, "clock": "1 GHz"}},
        "port paces a closed stream (no open loop, no chains)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_DRAM)
def test_a_bad_configuration_is_refused_in_its_own_words(name: str) -> None:
    make, words = BAD_DRAM[name]
    with pytest.raises(InputError) as error:
        parse_memory({"dram": make(), "traffic": TRAFFIC})
    assert str(error.value) == words


@pytest.mark.parametrize("name", BAD_TRAFFIC)
def test_bad_traffic_is_refused_in_its_own_words(name: str) -> None:
    change, words = BAD_TRAFFIC[name]
    with pytest.raises(InputError) as error:
        parse_memory({"dram": CONFIGURATION, "traffic": TRAFFIC | change})
    assert str(error.value) == f"traffic{'.port' if name == 'clock of a port' else ''}: {words}"


def test_run_answers_the_small_input(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"dram": CONFIGURATION, "traffic": TRAFFIC | {"burst": 0, "rate": 0, "wfrac": 0}}))
    answers = [CliRunner().invoke(app, ["run", str(file), "--engine", each, "--json", "-"]) for each in ("auto", "des")]
    assert [answer.exit_code for answer in answers] == [0, 0]
    compiled, definition = (json.loads(answer.stdout) for answer in answers)
    assert (compiled["engine"], definition["engine"]) == ("compiled", "des")
    assert len(compiled["seeds"]) == 5
    same = ("bandwidth_GBps", "latency_ns", "seeds")
    assert [compiled[key] for key in same] == [definition[key] for key in same]


def test_run_refuses_a_bad_memory_with_exit_code_2(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"dram": changed("timing", tFWA="26"), "traffic": TRAFFIC}))
    answer = CliRunner().invoke(app, ["run", str(file)])
    assert answer.exit_code == 2
    assert answer.stderr.strip() == f"{file}: dram.timing: unknown key 'tFWA' (did you mean 'tFAW'?)"


def test_memory_command_writes_its_points_as_json_csv_and_picture(tmp_path: Path) -> None:
    table, picture = tmp_path / "points.csv", tmp_path / "points.svg"
    options = ["--vary", "banks", "--requests", "500", "--csv", str(table), "--plot", str(picture), "--json", "-"]
    answer = CliRunner().invoke(app, ["memory", "ddr4-2400", *options])
    assert answer.exit_code == 0
    points = json.loads(answer.stdout)["points"]
    assert [point["value"] for point in points] == [1, 2, 4, 8, 16]
    with table.open() as lines:
        assert [float(row["simulated_GBps"]) for row in csv.DictReader(lines)] == [
            point["predicted_GBps"] + point["difference_GBps"] for point in points
        ]
    assert picture.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["DDR9"], "'DDR9' is not a preset of a memory"),
        (["--vary", "banks"], "--vary: needs a preset or a file"),
        (["HBM2", "--plot", "a.svg"], "--plot: 'a.svg' would be empty: points come from --vary"),
        (["HBM2", "--vary", "banks", "--plot", "a.gif"], "--plot a.gif: '.gif' is none of .svg, .png, .pdf"),
        (["HBM2", "--vary", "banks", "--requests", "5"], "--requests: 5 must be from 100 to 10000000 requests"),
        (["HBM2", "--vary", "banks", "--csv", "no/a.csv"], "--csv no/a.csv: there is no directory 'no'"),
        (["HBM2", "--vary", "banks", "--csv", "a.png", "--plot", "./a.png"], "--plot: 'a.png' is also given to --csv"),
        (["HBM2", "--vary", "banks", "--json", "a.svg", "--plot", "a.svg"], "--plot: 'a.svg' is also given to --json"),
    ],
)
def test_memory_command_refuses_what_it_cannot_do(arguments: list[str], words: str) -> None:
    answer = CliRunner().invoke(app, ["memory", *arguments])
    assert answer.exit_code == 2 or isinstance(answer.exception, InputError)
    assert words in (answer.stderr + str(answer.exception))


def test_memory_command_keeps_the_file_that_it_reads(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text('{"dram": "HBM2"}')
    for option in ("--csv", "--json"):
        answer = CliRunner().invoke(app, ["memory", str(file), "--vary", "banks", option, str(file)])
        assert f"{option}: '{file}' is the input itself" in str(answer.exception)
    assert file.read_text() == '{"dram": "HBM2"}'


def test_memory_command_refuses_a_key_that_means_nothing(tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    file.write_text('{"dram": "HBM2", "trafic": {}}')
    answer = CliRunner().invoke(app, ["memory", str(file)])
    assert answer.exit_code == 2 and "unknown key 'trafic' (did you mean 'traffic'?)" in answer.stderr


def test_the_help_of_memory_shows_its_table_of_sweeps_line_by_line() -> None:
    shown = CliRunner().invoke(app, ["memory", "--help"]).stdout
    assert "\\b" not in shown
    assert [line.split()[0] for line in shown.splitlines() if "Eq. 8" in line or "Eq. 9" in line] == [
        "frequency", "locality"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["bank_queue", "transaction_queue"])
@pytest.mark.parametrize(("entries", "holds"), [(0, False), (1, True), (4096, True), (4097, False)])
def test_queues_have_from_1_to_4096_entries(name: str, entries: int, holds: bool) -> None:
    changes: dict[str, Any] = {name: entries}
    queue = replace(DDR4, **changes)
    if holds:
        assert queue.checked() is queue
    else:
        with pytest.raises(InputError, match=f"= {entries} must be from 1 to 4096 entries$"):
            queue.checked()


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({"burst_length": 1}, False), ({"burst_length": 2}, True), ({"bus_bits": 4}, False), ({"bus_bits": 8}, True),
        ({"clock_ns": Fraction(0)}, False), ({"clock_ns": Fraction(1, 10**6)}, True), ({"rows": 0}, False),
        ({"rows": 1}, True), ({"rows": 3}, False), ({"ranks": 2}, True), ({"columns": 6}, False),
    ],
)  # fmt: skip
def test_the_least_of_each_count_is_taken(change: dict[str, Any], holds: bool) -> None:
    dram = replace(DDR4, **change)
    if holds:
        assert dram.checked() is dram
    else:
        with pytest.raises(InputError, match=" must be "):
            dram.checked()


@pytest.mark.parametrize("name", TIMING_KEYS)
def test_times_begin_at_0_or_1_and_end_at_2_to_the_40(name: str) -> None:
    least = 1 if name in ("cl", "cwl", "tras", "trp", "trefi") else 0
    calm = timed(DDR4, trefi=2, trfc=1)
    assert timed(calm, **{name: least + (name == "trefi")}).checked()
    with pytest.raises(InputError, match=f"{TIMING_KEYS[name]} = {least - 1} must be from {least} to {2**40} clocks"):
        timed(calm, **{name: least - 1}).checked()
    with pytest.raises(InputError, match=f"{TIMING_KEYS[name]} = {2**40 + 1} must be from {least} to {2**40} clocks"):
        timed(calm, **{name: 2**40 + 1}).checked()


def test_refreshes_leave_time_in_every_rank() -> None:
    assert timed(DDR4, trefi=421).checked()
    for ranks, least in ((1, 421), (2, 842)):
        dram = replace(DDR4, ranks=ranks)
        assert timed(dram, trefi=least).checked()
        with pytest.raises(InputError, match=f"tREFI = {least - 1} must leave time beside the refreshes"):
            timed(dram, trefi=least - 1).checked()
