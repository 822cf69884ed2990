"""Platforms: the model, its TOML, and applications run on it."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.boards.files import load_board
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.shipped import shipped
from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.run.schedules import run_schedule
from ppnsim.platform.files.dump import dump_platform
from ppnsim.platform.files.tables import with_value
from ppnsim.platform.files.toml import PlatformFile, parse_platform
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.nodes import Bus, BusDirection, Interconnect, NodeGroup
from ppnsim.platform.model.presets import card, preset_names, preset_system
from ppnsim.platform.model.provenance import ORIGINS
from ppnsim.platform.model.schedules import collective_schedule
from ppnsim.platform.model.stages import Application, BusTransfer, Collective, Compute, Stage
from ppnsim.platform.model.system import NNUS, UNNS, System
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import covered, shares, utilisation
from validation.ratss.examples import image_filter, molecular_dynamics, pdf_estimation

CASES = {
    "pdf_2_nodes": pdf_estimation(2), "pdf_4_nodes": pdf_estimation(4), "pdf_8_nodes": pdf_estimation(8),
    "image_filter": image_filter(), "molecular_dynamics": molecular_dynamics(),
}  # fmt: skip
SHIPPED = {platform.name: platform.path for platform in shipped()["platform"]}
US = Fraction(1, 10**6)


# -- the model ---------------------------------------------------------------------------------------------------------


def test_the_two_classes_of_systems_are_told_apart() -> None:
    assert (preset_system("nallatech-h101").category, preset_system("src6").category) == (NNUS, UNNS)


def test_every_parameter_of_a_preset_says_where_it_comes_from() -> None:
    numbers = {"clock", "port", "latency", "overhead", "gap", "per_byte", "preset", "resources"}
    for name in preset_names():
        for part in preset_system(name).parts:
            told = part.provenance
            assert all(words.startswith(ORIGINS) for words in told.values())
            needed = {field.name for field in fields(part)} & numbers
            needed = {key for key in needed if getattr(part, key)}
            if isinstance(part, Bus):
                needed |= {f"{way}.{key}" for way in ("write", "read") for key in ("delay", "rate", "efficiency")}
            assert needed <= set(told), (name, part.name)


def test_the_graph_routes_through_hosts_and_networks() -> None:
    cluster = preset_system("nallatech-h101", 2)
    assert cluster.graph.number_of_nodes() == 5
    assert cluster.route("fpga[1]", "cpu[0]") == ["fpga[1]", "cpu[1]", "ethernet", "cpu[0]"]
    with pytest.raises(InputError, match=r"^there is no node 'fpga\[7\]'"):
        cluster.route("fpga[7]", "cpu[0]")
    alone = replace(cluster, networks=())
    with pytest.raises(InputError, match=r"^no network or bus leads from 'cpu\[0\]' to 'cpu\[1\]'$"):
        alone.route("cpu[0]", "cpu[1]")


def test_efficiency_is_linear_in_the_logarithm_of_the_size() -> None:
    way = BusDirection(
        delay=US, rate=Fraction(10**9), efficiency=((1024, Fraction(1, 10)), (16384, Fraction(1, 2))), clamp=False
    )
    assert [way.share(1024 * 2**step) for step in range(5)] == [Fraction(step + 1, 10) for step in range(5)]
    with pytest.raises(InputError, match=r"^the efficiency table has no 512 bytes \(from 1024 to 16384 bytes"):
        way.share(512)
    clamped = replace(way, clamp=True)
    assert (clamped.share(1), clamped.share(2**30)) == (Fraction(1, 10), Fraction(1, 2))


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_a_case_reads_back_as_what_was_written(name: str) -> None:
    assert parse_platform(decode_toml(dump_platform(*CASES[name]))) == CASES[name]


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_reads_back_as_what_was_written(name: str) -> None:
    system, application = parse_platform(decode_toml(dump_platform(preset_system(name))))
    assert (system, application) == (preset_system(name), None)


def test_shipped_platforms_are_the_cases_built_in_python() -> None:
    assert sorted(SHIPPED) == sorted(CASES)
    for name, path in SHIPPED.items():
        held = load_as(path, PlatformFile)
        assert (replace(held.system, name=CASES[name][0].name), held.application) == CASES[name]


def test_a_number_of_nodes_scales_hosts_devices_and_shares() -> None:
    held = load_as(SHIPPED["pdf_2_nodes"], PlatformFile, changes={"node.cpu.count": 8})
    assert (replace(held.system, name=CASES["pdf_8_nodes"][0].name), held.application) == CASES["pdf_8_nodes"]


TABLES: dict[str, Any] = decode_toml(SHIPPED["pdf_2_nodes"].read_text(encoding="utf-8"))
BAD = [
    ("node.fpga.clok", "1 GHz", "node 'fpga': unknown key 'clok' (did you mean 'clock'?)"),
    ("network.ethernet.latency", "108 bytes", "latency = '108 bytes' must be a number and a unit: s, ms, us, ns, ps"),
    ("network.ethernet.per_byte", "9.56 ns", "per_byte = '9.56 ns' must end in '/byte'"),
    ("network.ethernet.sharing", "fiffo", "is none of fifo, exclusive, fair (did you mean 'fifo'?)"),
    (
        "network.ethernet.provenance",
        {"latency": "heard"},
        "network 'ethernet': provenance of latency = 'heard' must begin with measured, data sheet, guess",
    ),
    ("bus.pcix.write.rate", "0 MB/s", "bus 'pcix': write: rate = 0 bytes/s: without bandwidth nothing is ever"),
    ("bus.pcix.write.efficiency", [["32 KiB", 0.0]], "efficiency at 32768 bytes = 0 is not above 0 and at most 1"),
    ("bus.pcix.device", "gpu", "bus 'pcix': there is no node 'gpu' (did you mean 'cpu'?)"),
    ("node.fpga.count", 3, "bus 'pcix': 3 nodes 'fpga' cannot be shared out to 2 nodes 'cpu'"),
    ("stage.estimate.compute.on", "fgpa", "stage 'estimate': compute: there is no node 'fgpa' (did you mean 'fpga'?)"),
    ("stage.estimate.input.0.over", "snap", "input 'scatter X': over = 'snap' is neither a network nor a bus"),
    ("stage.estimate.input.0.group", "fpga", "network 'ethernet' joins 'cpu', and 'fpga' is not reached"),
    ("stage.estimate.input.0.direction", "write", "input 'scatter X': direction is not for a transfer over a network"),
    ("stage.estimate.input.2.bytes", 4, "input 'write X': give either bytes of each node or the total of all 2"),
    ("stage.estimate.compute.ops_per_cycle", 0, "ops_per_cycle = 0 must be above 0"),
    ("network.ethernet.connects", ["cpu", "cpu"], "network 'ethernet': connects names a group twice (cpu, cpu)"),
    ("node.cpu.count", 0, "node 'cpu': count = 0 is not from 1 to 65536"),
    ("stage.estimate.overlap", "yes", "stage 'estimate': overlap = 'yes' must be true or false"),
    ("stage.estimate.preprocessing", "-1 s", "stage 'estimate': preprocessing = -1 s is negative"),
    ("stage.estimate.configuration", "-1 s", "stage 'estimate': configuration = -1 s is negative"),
    ("stage.estimate.iterations", 0, "stage 'estimate': iterations = 0 is below 1"),
    ("stage.estimate.compute.fill", -1, "stage 'estimate': compute: fill = -1 is negative"),
    ("stage.estimate.output.reduce.cost", "-1 ns/byte", "output 'reduce': cost = -1e-09 s per element is negative"),
    ("stage.estimate.input.write X.name", "t_comp", "stage 'estimate': a transfer is called 't_comp' (not one of"),
    ("network.ethernet.provenance", {"latncy": "guess"}, "'latncy' is not a parameter (did you mean 'latency'?)"),
    ("bus.pcix.provenance", {"write.dely": "guess"}, "'write.dely' is not a parameter (did you mean 'write.delay'?)"),
    ("memory", {"ddr": {"on": "fpga", "preset": "DDR9"}}, "memory 'ddr': preset = 'DDR9' is not a preset of a memory"),
]


@pytest.mark.parametrize(("path", "value", "words"), BAD, ids=[path for path, *_ in BAD])
def test_what_breaks_a_rule_is_told_with_its_place(path: str, value: Any, words: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(SHIPPED["pdf_2_nodes"].read_text(encoding="utf-8"))
    with pytest.raises(InputError) as error:
        load_as(file, PlatformFile, changes={path: value})
    assert words in str(error.value)
    assert all(line.startswith(f"{file}: ") for line in str(error.value).split("\n"))


def test_a_missing_clock_is_told() -> None:
    system, _ = CASES["pdf_2_nodes"]
    nodes = tuple(replace(group, clock=None) for group in system.nodes)
    with pytest.raises(InputError, match=r"^node 'fpga': clock is missing, and without it no computation has a time$"):
        predict(replace(system, nodes=nodes), CASES["pdf_2_nodes"][1])


def test_a_size_that_the_gap_table_lacks_is_told_by_prediction_and_run() -> None:
    tables = with_value(TABLES, "stage.estimate.input.2.block", "16 KiB")
    system, application = parse_platform(tables)
    assert application is not None
    for work in (predict, run_platform):
        with pytest.raises(InputError, match=r"the efficiency table has no 16384 bytes \(from 32768 to 32768 bytes"):
            work(system, application)


@pytest.mark.parametrize("name", ["", "a\nb", "a[0]", "a.b", " a"])
def test_a_name_that_could_be_another_ones_path_is_told(name: str) -> None:
    with pytest.raises(InputError, match=r"^platform 'platform': a part is called '.*' \(names are of printable"):
        parse_platform({"node": {name: {"kind": "fpga"}}})
    stages = {name: TABLES["stage"]["estimate"]}
    with pytest.raises(InputError, match=r"^application: a stage is called '.*' \(names are of printable"):
        parse_platform(TABLES | {"stage": stages})


def test_what_a_file_changes_of_a_preset_has_no_longer_its_provenance() -> None:
    own = {"latency": "1 us", "provenance": {"gap": "measured: here"}, "gap": "2 us"}
    tables = {"platform": {"preset": "nallatech-h101"}, "network": {"ethernet": own}}
    told = parse_platform(tables)[0].networks[0].provenance
    assert "latency" not in told
    assert told["gap"] == "measured: here"
    assert told["overhead"] == "measured: RATSS Table III"
    way = {"bus": {"pcix": {"write": {"delay": "1 us"}}}}
    told = parse_platform({"platform": {"preset": "nallatech-h101"}, **way})[0].buses[0].provenance
    assert "write.delay" not in told
    assert told["read.delay"] == "measured: RATSS Table II"


def test_a_changed_value_has_no_longer_the_provenance_of_the_file() -> None:
    system = load_as(SHIPPED["pdf_2_nodes"], PlatformFile, changes={"node.fpga.clock": "150 MHz"}).system
    assert set(system.group("fpga", "").provenance) == {"device", "resources"}


def test_transfers_go_by_name_or_by_place() -> None:
    by_name, by_place = (with_value(TABLES, f"stage.estimate.input.{key}.bytes", 7) for key in ("write X", "2"))
    assert by_name == by_place != TABLES
    with pytest.raises(InputError, match=r"leads nowhere: there is no 'write Z' \(did you mean 'write [XY]'\?\)$"):
        with_value(TABLES, "stage.estimate.input.write Z.bytes", 7)


def test_a_path_that_leads_nowhere_is_told() -> None:
    with pytest.raises(InputError, match=r"^'stage.estimat.fill' leads nowhere: there is no 'estimat' \(did you mean"):
        with_value(TABLES, "stage.estimat.fill", 3)


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pdf_2_nodes", "image_filter", "molecular_dynamics"])
def test_steps_of_a_serial_stage_add_up_to_it(name: str) -> None:
    system, application = CASES[name]
    times = run_platform(system, application).times
    stage = application.stages[0]
    steps = [times[f"{stage.name}.{each.name}"] for each in stage.transfers] + [times[f"{stage.name}.t_comp"]]
    assert sum(steps) == times[f"{stage.name}.t_stage"] == times["t_application"]


def test_a_collective_on_idle_nodes_is_the_schedule_of_its_messages() -> None:
    system, application = CASES["pdf_8_nodes"]
    stage = application.stages[0]
    transfer = stage.inputs[0]
    assert isinstance(transfer, Collective)
    alone = replace(stage, inputs=(transfer,), outputs=(), compute=replace(stage.compute, elements=0, fill=0))
    run = run_platform(system, replace(application, stages=(alone,)))
    ps = LogGP(latency=108_000_000, overhead=6_750_000, gap=16_400_000, per_byte=9_560)
    schedule = run_schedule(collective_schedule(transfer, 8, 0), ps)
    assert schedule.completion is not None
    assert run.times["estimate.scatter X"] == Fraction(schedule.completion, 10**12)
    assert run.messages == 7


def pair(**bus: Any) -> System:
    way = BusDirection(delay=10 * US, rate=Fraction(10**9), efficiency=((1, Fraction(1)), (2**20, Fraction(1))))
    return System(
        name="pair",
        nodes=(
            NodeGroup(name="cpu", kind="microprocessor"),
            NodeGroup(name="fpga", kind="fpga", clock=Fraction(10**9)),
        ),
        buses=(Bus(name="bus", host="cpu", device="fpga", write=way, read=way, **bus),),
    )


def streams(*transfers: BusTransfer, **stage: Any) -> Application:
    work = Compute(on="fpga", elements=stage.pop("elements", 1000), ops_per_element=1, ops_per_cycle=Fraction(1))
    inputs = tuple(each for each in transfers if each.direction != "read")
    outputs = tuple(each for each in transfers if each.direction == "read")
    return Application(stages=(Stage(name="s", compute=work, inputs=inputs, outputs=outputs, **stage),))


def move(name: str, direction: Any, size: int = 1000, block: int = 100) -> BusTransfer:
    return BusTransfer(name=name, over="bus", direction=direction, size=size, block=block)


@pytest.mark.parametrize(("latency", "delays"), [("once", 1), ("per transfer", 10)])
def test_blocks_pay_the_delay_once_or_each(latency: str, delays: int) -> None:
    run = run_platform(pair(latency=latency), streams(move("in", "write")))
    assert run.times["s.in"] == (delays * 10 + 1) * US
    assert run.transfers == 10


@pytest.mark.parametrize(
    ("sharing", "micros"),
    # Two streams of one block of 1000 bytes (1 us) each, delay 10 us: pipelined 10 + 2; held 2 x 11; shared 10 + 2.
    [("fifo", 12), ("exclusive", 22), ("fair", 12)],
)
def test_streams_that_meet_on_a_bus_share_it_as_it_says(sharing: str, micros: int) -> None:
    both = streams(move("a", "write", block=1000), move("b", "write", block=1000), blocking=False)
    run = run_platform(pair(sharing=sharing), both)
    assert run.times["s.t_comm"] == micros * US


def test_a_fair_bus_lets_a_short_stream_pass_a_long_one() -> None:
    both = streams(move("long", "write", 3000, 3000), move("short", "write", 1000, 1000), blocking=False)
    fair, fifo = (run_platform(pair(sharing=sharing), both).times for sharing in ("fair", "fifo"))
    assert (fair["s.short"], fifo["s.short"]) == (12 * US, 14 * US)
    assert fair["s.long"] == 14 * US


def test_both_directions_take_twice_one() -> None:
    once = pair(latency="once")
    application = streams(move("both", "both"))
    assert predict(once, application).quantities()["s.both"] == 12 * US
    assert run_platform(once, application).times["s.both"] == 12 * US


def test_software_runs_before_beside_and_after_the_fpga() -> None:
    software = {"preprocessing": 3 * US, "microprocessor": 7 * US, "postprocessing": 2 * US, "configuration": 50 * US}
    run = run_platform(pair(), streams(**software))
    assert run.times["s.t_comp"] == 12 * US
    assert run.times["s.t_stage"] == 62 * US
    assert shares(run.spans, run.makespan)["cpu[0]"] == {
        "software": 12 * US, "configuration": 50 * US, "waiting": Fraction(0)
    }  # fmt: skip


@given(st.integers(1, 12), st.integers(0, 40_000), st.integers(100, 3000), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_double_buffering_is_between_the_larger_and_the_sum(n: int, elements: int, size: int, buffers: int) -> None:
    parts = move("in", "write", size), move("out", "read", size)
    serial = streams(*parts, elements=elements, iterations=n)
    overlap = streams(*parts, elements=elements, iterations=n, overlap=True, buffers=buffers)
    held = pair(sharing="exclusive")  # with fifo, the delay of one direction hides behind the other
    slow, fast = (run_platform(held, each).makespan for each in (serial, overlap))
    assert predict(held, overlap).total <= fast <= slow == predict(held, serial).total


def test_a_pipeline_of_stages_fills_once() -> None:
    first, second = (streams(elements=elements).stages[0] for elements in (3000, 5000))
    stages = replace(first, name="a"), replace(second, name="b")
    application = Application(stages=stages, iterations=10, pipelined=True)
    assert predict(pair(), application).total == 50 * US
    assert run_platform(pair(), application).makespan == 53 * US
    assert run_platform(pair(), replace(application, pipelined=False)).makespan == 80 * US


@given(st.integers(2, 9), st.sampled_from(["binomial", "linear"]), st.sampled_from(["fifo", "exclusive", "fair"]))
@settings(max_examples=30, deadline=None)
def test_a_faster_network_never_makes_a_scatter_slower(ranks: int, algorithm: Any, sharing: Any) -> None:
    def makespan(per_byte: int) -> Fraction:
        node = NodeGroup(name="n", kind="fpga", count=ranks, clock=Fraction(10**9))
        link = Interconnect(
            name="net", connects=("n",), latency=5 * US, overhead=US, gap=2 * US,
            per_byte=Fraction(per_byte, 10**9), sharing=sharing,
        )  # fmt: skip
        scatter = Collective(
            name="x", over="net", pattern="scatter", algorithm=algorithm, size=1000, root="n", group="n"
        )
        work = Compute(on="n", elements=0, ops_per_element=0, ops_per_cycle=Fraction(1))
        stage = Stage(name="s", compute=work, inputs=(scatter,))
        return run_platform(System(name="t", nodes=(node,), networks=(link,)), Application(stages=(stage,))).makespan

    times = [makespan(per_byte) for per_byte in (1, 2, 10)]
    assert times == sorted(times)
    assert times[0] < times[-1]


def test_parts_are_never_used_beyond_the_makespan_and_a_port_by_one_message_at_a_time() -> None:
    run = run_platform(*CASES["image_filter"])
    for name, share in utilisation(run.spans, run.makespan).items():
        assert 0 <= share <= 1
        if name.endswith((" in", " out")):
            own = [span for span in run.spans if span.where == name]
            assert covered(own) == sum(span.end - span.start for span in own)


def test_a_run_is_the_same_every_time() -> None:
    first, second = (run_platform(*CASES["image_filter"]) for _ in range(2))
    assert first == second


def test_a_card_is_what_its_board_says() -> None:
    """Banks, device, clock and resources are those of the board, and each says where it is from."""
    board = load_board("aws-f1")
    (ddr,) = board.memories
    half = replace(board, memories=(replace(ddr, banks=2), replace(ddr, name="spare", banks=1, provenance="")))
    system = card(half, nodes=3)
    assert [(each.name, each.on, each.preset, each.dram.channels) for each in system.memories] == [
        ("ddr", "fpga", "AWS-F1", 2), ("spare", "fpga", "AWS-F1", 1),
    ]  # fmt: skip
    assert [dict(each.provenance) for each in system.memories] == [{"preset": ddr.provenance}, {}]
    assert [(node.name, node.kind, node.count) for node in system.nodes] == [
        ("host", "microprocessor", 3), ("fpga", "fpga", 3),
    ]  # fmt: skip
    fpga = system.nodes[1]
    assert (fpga.clock, fpga.device) == (Fraction(280_000_000), "XCVU9P")
    assert fpga.resources == board.resources
    assert fpga.provenance["clock"] == board.clock_provenance
    assert {fpga.provenance[key] for key in ("device", "resources")} == {"data sheet: XCVU9P"}
    with pytest.raises(InputError) as error:
        card(replace(board, host=None))
    assert str(error.value) == "device 'aws-f1' has no link to a host"
