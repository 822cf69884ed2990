"""The FPGA roofline: peak, banks, walls against brute force, the simulated ports, and the exploration's steps."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.formats.shipped import shipped
from ppnsim.hls.library.library import load_library
from ppnsim.loops.points import iteration_points, iterators_of
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.memory.model.presets import preset
from ppnsim.roofline.accelerator import Accelerator, Argument, MemorySpec, OperatorUse
from ppnsim.roofline.ceilings import bank_of, grouped
from ppnsim.roofline.files.toml import RooflineFile
from ppnsim.roofline.kernel import kernel_accelerator
from ppnsim.roofline.laws import peak_performance, roofline, selected
from ppnsim.roofline.mix import operator_mix, results_of
from ppnsim.roofline.run import simulated_ports
from ppnsim.roofline.walls import locality_walls

KERNELS = {each.name: str(each.path) for each in shipped()["kernel"]}
ROOFLINES = {each.name: each.path for each in shipped()["roofline"]}
DDR = MemorySpec(name="ddr", banks=4, peak=19.2, width=64, random=0.15, latency=50.0)
MUL = OperatorUse(name="mul", count=20, cost={"dsp": 4, "lut": 100})


def accelerator(*arguments: Argument, memory: MemorySpec = DDR) -> Accelerator:
    return Accelerator(
        name="k", clock_ns=Fraction(4), available={"dsp": 160, "lut": 10_000}, operators=(MUL,), memories=(memory,),
        arguments=arguments, results=10,
    )  # fmt: skip


def kernel(name: str, **sizes: int) -> LoopProgram:
    return load_kernels(KERNELS[name], defines={key: str(value) for key, value in sizes.items()}).programs[0]


@given(st.integers(1, 50), st.integers(1, 9), st.integers(1, 9), st.integers(100, 10_000))
def test_the_scarcest_resource_is_used_up_and_no_other_is_exceeded(count: int, dsp: int, lut: int, have: int) -> None:
    device = {"dsp": float(have), "lut": 2.0 * have}
    peak = peak_performance([replace(MUL, count=count, cost={"dsp": dsp, "lut": lut})], device, 0.25, work=count)
    taken = {kind: peak.units["mul"] * cost for kind, cost in (("dsp", dsp), ("lut", lut))}
    assert taken[peak.bound] == pytest.approx(device[peak.bound])
    assert all(taken[kind] <= device[kind] * (1 + 1e-9) for kind in taken)
    assert peak.performance == pytest.approx(0.8 * 0.25 * peak.units["mul"])


def test_two_ports_on_one_bank_share_it_and_on_two_they_do_not() -> None:
    near = roofline(accelerator(*(Argument(name=n, memory="ddr", bytes=100, quanta=64) for n in "ab")))
    apart = roofline(accelerator(*(Argument(name=n, memory="ddr", bank=b, bytes=100) for b, n in enumerate("ab"))))
    assert near.banks[0].reached == 19.2  # two times 16 GB/s asked, one bank
    assert apart.together is not None and apart.together.reached == 32
    assert near.attainable == pytest.approx(19.2 * 10 / 200)
    assert apart.attainable == pytest.approx(16 * 10 / 100)


def test_a_bank_waits_for_the_slowest_of_its_ports() -> None:
    chain = Argument(name="b", memory="ddr", bytes=100, pattern="dependent")
    found = roofline(accelerator(Argument(name="a", memory="ddr", bytes=900), chain))
    # Eq. 10: 1 / (1 / 16 + 50 / 64) = 1.185 GB/s, so its 100 bytes take 84.375 ns; the other's 900 take 56.25.
    assert found.banks[0].reached == pytest.approx(1000 / 84.375)
    assert found.attainable == pytest.approx(10 / 84.375)


def test_a_bank_that_is_named_twice_counts_once() -> None:
    found = roofline(accelerator(Argument(name="a", memory="ddr", bytes=100)))
    assert selected(found, ["ddr[0]", "ddr[0]"], 10) == replace(found.banks[0], name="ddr[0]")


def test_every_resource_may_be_the_scarcest() -> None:
    mix = [replace(MUL, count=30, cost={"dsp": 1, "bram": 2}), replace(MUL, name="add", count=10, cost={"dsp": 2})]
    peak = peak_performance(mix, {"dsp": 100, "bram": 20}, 0.5, work=40, allowance=1)
    # Eq. 1 to 4: 50 DSPs and 60 block RAMs, which is 3 times what is there; 10 and 10/3 units, 0.5 results each.
    assert (peak.needed["dsp"], peak.needed["bram"], peak.bound, peak.scale) == (50, 60, "bram", 3)
    assert peak.operations == peak.performance == pytest.approx((10 + 10 / 3) * 0.5)


def test_a_group_adds_up_bytes_and_bandwidths() -> None:
    found = roofline(
        accelerator(*(Argument(name=n, memory="ddr", bank=b, bytes=50 * (b + 1)) for b, n in enumerate("abc")))
    )
    pair = selected(found, ["ddr[0]", "ddr[2]"], 10)
    assert (pair.bytes, pair.arguments, pair.peak) == (200, ("a", "c"), 38.4)
    assert pair.intensity == 10 / 200
    assert grouped("all", found.banks, 10, found.peak.performance) == replace(found.together, name="all")  # type: ignore[type-var]
    with pytest.raises(InputError, match=r"no argument is on a bank 'ddr\[3\]'"):
        selected(found, ["ddr[3]"], 10)


def test_a_short_queue_bounds_a_port_by_littles_law() -> None:
    found = roofline(accelerator(Argument(name="a", memory="ddr", bytes=100, outstanding=5)))
    assert found.ports[0].reached == 5 * 64 / 50
    assert found.ports[0].queue == 13  # 16 GB/s x 50 ns / 64 B, rounded up


def test_the_advised_chains_reach_what_they_promise_and_one_less_does_not() -> None:
    port = roofline(accelerator(Argument(name="a", memory="ddr", bytes=100, pattern="dependent"))).ports[0]
    reached = [
        roofline(accelerator(Argument(name="a", memory="ddr", bytes=100, pattern="dependent", chains=chains))).ports[0]
        for chains in (port.chains - 1, port.chains)
    ]
    assert reached[0].reached < 0.9 * port.configured <= reached[1].reached * (1 + 1e-9)


def naive_walls(program: LoopProgram) -> dict[tuple[str, int], int]:
    """Bytes behind a scratchpad in front of each loop, visit by visit with sets of elements."""
    arrays = {array.name: array for array in program.arrays}
    loops = {("", 0): ()} | {
        (loop.iterator, loop.position.line): place[: depth + 1]
        for _, around, place in program.placed()
        for depth, loop in enumerate(part for part in around if isinstance(part, Loop))
    }
    moved = {}
    for name, prefix in loops.items():
        total, elements = 0, set()
        for statement, around, place in program.placed():
            names = iterators_of(around)
            inside = place[: len(prefix)] == prefix
            for write, accesses in ((False, statement.reads), (True, statement.writes)):
                for access in dict.fromkeys(accesses):
                    array = arrays[access.array]
                    if array.role != "parameter" or not array.shape:
                        continue
                    for point in iteration_points(around).tolist():
                        at = dict(zip(names, point, strict=True))
                        index = tuple(s.value(at) for s in access.subscripts)
                        if inside:
                            elements.add((tuple(point[: max(len(prefix) - 1, 0)]), write, access.array, index))
                        else:
                            total += array.bits // 8
        moved[name] = total + sum(arrays[array].bits // 8 for _, _, array, _ in elements)
    return moved


ONE_PATTERN = ("gemm.c", "jacobi_1d.c", "mvt.c")


@pytest.mark.parametrize("name", ["gemm.c", "trmm.c", "syrk.c", "jacobi_1d.c", "lu.c", "mvt.c"])
def test_walls_are_those_of_counting_every_element(name: str) -> None:
    sizes = dict.fromkeys(("N", "M", "NI", "NJ", "NK"), 7) | {"TSTEPS": 3}
    program = kernel(name, **sizes)
    naive = naive_walls(program)
    for wall in locality_walls(program):
        exact = naive[wall.loop, wall.line]
        # Accesses that depend on different outer iterators count one by one: never too little, equal for the kernel.
        assert wall.moved >= exact
        if not wall.loop or name in ONE_PATTERN:
            assert wall.moved == exact


def test_what_is_cached_further_out_moves_no_more() -> None:
    walls = locality_walls(kernel("gemm.c", NI=5, NJ=6, NK=7))
    bytes_ = [wall.moved for wall in walls if wall.loop in ("", "i", "k")]
    assert bytes_ == sorted(bytes_)


GATHER = """
void gather(float x[64], int c[256], float y[256]) {
    for (int t = 0; t < 8; t++)
        for (int i = 0; i < 4; i++)
            y[i] = y[i] + x[c[i]] * 3.0f;
}
"""


def gather(folder: Path) -> LoopProgram:
    (folder / "gather.c").write_text(GATHER, encoding="utf-8")
    return load_kernels(str(folder / "gather.c"), policy=HARDWARE).programs[0]


def test_a_scratchpad_for_data_subscripts_takes_in_no_more_than_is_accessed(tmp_path: Path) -> None:
    walls = {wall.loop: wall for wall in locality_walls(gather(tmp_path))}
    assert walls[""].bytes["x"] == 4 * 32  # 8 x 4 accesses, fewer than its 64 elements
    assert walls["i"].cache["x"] == 4 * 64  # any element may be wanted


def test_what_data_chooses_comes_an_element_at_a_time(tmp_path: Path) -> None:
    base = replace(accelerator(memory=replace(DDR, banks=3)), metric="operations", results=None)
    found = kernel_accelerator(base, gather(tmp_path), load_library("xcvu9p", 4))
    assert {each.name: (each.quanta, each.pattern) for each in found.arguments} == {
        "c": (64, "stream"), "x": (4, "random"), "y": (64, "stream")
    }  # fmt: skip


DECIDED = """
void decided(float x[64], float y[64], int n[64]) {
    for (int i = 0; i < 64; i++) {
        if (i < 16) x[i] = x[i] * 2.0f;
        if (n[i] > 3) y[i] = y[i] + 1.0f; else y[i] = y[i] - x[i];
    }
}
"""


def test_both_sides_of_what_data_decides_count(tmp_path: Path) -> None:
    (tmp_path / "decided.c").write_text(DECIDED, encoding="utf-8")
    program = load_kernels(str(tmp_path / "decided.c"), policy=HARDWARE).programs[0]
    mix = operator_mix(program, load_library("xcvu9p", 5))
    counts = {use.name: use.count for use in mix.operators}
    assert (counts["add float"], counts["mul float"]) == (2 * 64, 16)  # what is known at compile time counts exactly
    assert locality_walls(program)[0].bytes["y"] == 4 * (64 + 64)


def test_the_metric_of_a_source_may_be_some_of_its_operators() -> None:
    base, library = replace(accelerator(), results=None), load_library("xcvu9p", 4)
    program = kernel("gemm.c", NI=2, NJ=2, NK=2)
    assert kernel_accelerator(base, program, library, counted=["add double"]).work == 2 * 2 * 2
    with pytest.raises(InputError, match=r"metric: operators: the kernel has no operator 'add dbl' \(did you mean"):
        kernel_accelerator(base, program, library, counted=["add dbl"])


@pytest.mark.parametrize(("metric", "name", "work"), [("auto", "pairs", 7), ("flops", "flop", 28)])
def test_a_chosen_metric_has_its_own_name_and_work(metric: str, name: str, work: int) -> None:
    base = replace(accelerator(), results=7, metric="pairs")
    program = kernel("gemm.c", NI=2, NJ=2, NK=2)
    found = kernel_accelerator(base, program, load_library("xcvu9p", 4), metric=metric)
    assert (found.metric, found.work) == (name, work)


def test_operations_are_those_of_the_mathematics() -> None:
    mix = operator_mix(kernel("gemm.c", NI=3, NJ=4, NK=5), load_library("xc7vx690t", 10))
    counts = {use.name: use.count for use in mix.operators}
    # beta C, and alpha A B + C for every k.
    assert counts == {"add double": 60, "mul double": 12 + 2 * 60}


def test_result_marks_count_executions() -> None:
    text = ROOFLINES["nbody.c"].read_text(encoding="utf-8")
    program = load_kernels(str(ROOFLINES["nbody.c"]), defines={"N": "6"}).programs[0]
    marks = Pragmas({str(ROOFLINES["nbody.c"]): text}).results()
    assert results_of(program, marks) == 36
    assert results_of(program, [(*marks[0][:2], 5)]) == 180
    assert results_of(program, []) is None
    with pytest.raises(InputError, match=r"nbody\.c:1000:1: #pragma ppnsim result stands before no statement"):
        results_of(program, [(marks[0][0], 1000, 1)])


@pytest.mark.parametrize("text", ["result(0)", "result(x)"])
def test_a_result_mark_needs_a_number(text: str) -> None:
    with pytest.raises(InputError, match=rf"^k\.c:1:1: {re.escape(text)} needs a whole number of results from 1 on$"):
        Pragmas({"k.c": f"#pragma ppnsim {text}\n"})


def test_figures_of_a_dram_follow_and_may_be_overruled() -> None:
    dram = preset("DDR4-2400").dram
    found = bank_of(MemorySpec(name="m", banks=1, dram=dram, latency=99.0))
    assert (found.latency, found.width) == (99.0, 64)
    assert found.peak < dram.peak_gbps  # refreshes
    with pytest.raises(InputError, match="memory 'm': needs random_per_us, or a preset"):
        bank_of(MemorySpec(name="m", banks=1, peak=10, width=64, latency=50))


def test_simulated_ports_keep_to_their_ceilings() -> None:
    board = MemorySpec(name="hbm", banks=32, dram=preset("U280-HBM").dram)
    own = replace(
        accelerator(
            Argument(name="slow", memory="hbm", bytes=1, quanta=32),
            Argument(name="random", memory="hbm", bank=1, bytes=1, quanta=32, pattern="random"),
            Argument(name="chain", memory="hbm", bank=2, bytes=1, quanta=32, pattern="dependent"),
            memory=board,
        ),
        clock_ns=Fraction(5),
    )  # fmt: skip
    found = {each.argument: each for each in simulated_ports(own, roofline(own).ports, requests=4000)}
    assert found["slow"].bandwidth == pytest.approx(6.4, rel=0.02)  # paced by the port
    assert found["chain"].bandwidth == pytest.approx(found["chain"].ceiling, rel=0.02)
    assert found["random"].bandwidth <= found["random"].ceiling * 1.02
    assert found["chain"].bandwidth < found["random"].bandwidth
    ours = {"slow": 6.480101251582056, "random": 3.916036372907283, "chain": 0.6209614931105346}
    assert {name: each.bandwidth for name, each in found.items()} == pytest.approx(ours, rel=1e-12)


def test_a_chain_is_not_faster_through_a_port_wider_than_the_memory() -> None:
    """Its port has taken a segment before the memory has the next one: 64 B in 10/3 ns are the DRAM's 19.2 GB/s."""
    board = MemorySpec(name="ddr", banks=1, dram=preset("DDR4-2400").dram)

    def simulated(clock: Fraction) -> float:
        chain = Argument(name="a", memory="ddr", bytes=100, quanta=64, pattern="dependent")
        own = replace(accelerator(chain, memory=board), clock_ns=clock)
        return next(iter(simulated_ports(own, roofline(own).ports, requests=2000))).bandwidth

    as_wide = simulated(Fraction(10, 3))
    assert simulated(Fraction(1)) == pytest.approx(as_wide)
    assert simulated(Fraction(20, 3)) < 0.98 * as_wide


def test_a_port_that_no_memory_can_be_simulated_with_is_named() -> None:
    board = MemorySpec(name="hbm", banks=32, dram=preset("U280-HBM").dram)
    own = accelerator(Argument(name="wide", memory="hbm", bytes=1, quanta=10**9), memory=board)
    with pytest.raises(InputError, match="argument 'wide': it cannot be simulated: Q = 2000000000 must be"):
        list(simulated_ports(own, roofline(own).ports))


@pytest.mark.parametrize("name", [name for name in ROOFLINES if name.endswith(".toml")])
def test_shipped_files_are_read(name: str) -> None:
    given_ = load_as(ROOFLINES[name], RooflineFile)
    assert given_.accelerator.memories and (given_.kernel or roofline(given_.accelerator).attainable > 0)


FILE = """clock = "200 MHz"
[resources]
dsp = 100
[[operator]]
name = "f"
count = 10
dsp = 2
[memory.ddr]
peak_GBps = 19.2
width = 64
random_per_us = 150
latency_ns = 50
[argument.a]
memory = "ddr"
bytes = 640
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("peak_GBps = 19.2", "peak_GBps = -1", "memory 'ddr': peak_GBps = -1 must be at least 0"),
        ("width = 64", "width = 0", "memory 'ddr': width = 0 must be above 0"),
        ("width = 64", "widht = 64", "memory 'ddr': unknown key 'widht' (did you mean 'width'?)"),
        ('memory = "ddr"', 'memory = "hbm"', "argument 'a': 'hbm' is not a memory (known: ddr)"),
        ("bytes = 640", "bytes = 640\nbank = 1", "argument 'a': bank = 1: memory 'ddr' has 0 to 0"),
        ("bytes = 640", "bytes = -1", "argument 'a': bytes = -1 must be at least 0"),
        (
            "bytes = 640",
            'bytes = 640\npattern = "rnd"',
            "'a': pattern = 'rnd' is none of stream, random, dependent",
        ),
        ("count = 10", "count = 0", "operator 'f': count = 0 must be above 0"),
        ("dsp = 2\n", "bram = 2\n", "operator 'f': needs 2 bram, of which the device has none"),
        ("dsp = 2\n", 'type = "float"\n', "operator 'f float': needs lut, ff, dsp or bram, or a type of the device's"),
        ('clock = "200 MHz"', 'clock = "200 MHz"\ndevice = "xc9"', "device: no device 'xc9'"),
        ('clock = "200 MHz"', 'clock = "200 MHz"\nallowance = 1.5', "allowance = 1.5 must be above 0 and at most 1"),
        ("peak_GBps = 19.2", 'preset = "DDR9"', "memory 'ddr': preset = 'DDR9' is not a preset of a memory"),
        ("peak_GBps = 19.2", "peak_GBps = 1e300", "memory 'ddr': peak_GBps = 1e+300 is out of range (numbers up"),
        ("dsp = 2\n", "dsp = 1e-300\n", "operator 'f': dsp = 1e-300 is out of range"),
        ("bytes = 640", f"bytes = 640\nquanta = {10**400}", "argument 'a': quanta = 1000"),
        ("bytes = 640\n", "", "argument 'a': bytes is missing (0 for one that moves nothing)"),
        ("latency_ns = 50\n", "", "memory 'ddr': needs latency_ns, or a preset"),
        ("dsp = 2\n", 'dsp = 2\n[[operator]]\nname = "f"\ncount = 5\ndsp = 9\n', "operator 'f': is there twice"),
        ("dsp = 2\n", 'dsp = 2\n[metric]\nresults = 4\noperators = ["f"]\n', "metric: either results or operators"),
        ('[[operator]]\nname = "f"\ncount = 10\ndsp = 2\n', "", "either kernel.file or [[operator]] says what"),
    ],
)
def test_a_wrong_value_has_its_own_message(old: str, new: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        roofline(load_as(file, RooflineFile).accelerator)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ('define = "N=4"', "kernel: define = 'N=4' must be a list of names"),
        ('set = ["N=4"]', "kernel: set = ['N=4'] must be a table of whole numbers"),
        ("set.N = 1.5", "kernel: set.N = 1.5 must be a whole number"),
        ("function = 3", "kernel: function = 3 must be a text"),
    ],
)
def test_a_wrong_setting_of_a_source_has_its_own_message(key: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(f'clock = "200 MHz"\n[kernel]\nfile = "k.c"\n{key}\n', encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_as(file, RooflineFile)
    assert message in str(raised.value)


def test_the_file_these_start_from_is_right(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(FILE, encoding="utf-8")
    found = roofline(load_as(file, RooflineFile).accelerator)
    # 10 operations on 50 units at 200 MHz, 80 %; 640 bytes at 12.8 GB/s.
    assert found.peak.performance == pytest.approx(8) and found.attainable == pytest.approx(0.2)


def test_an_argument_keeps_the_bytes_that_its_file_gives_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("void k(int a[64], int b[64]) { for (int i = 0; i < 64; i++) b[i] = a[i]; }\n")
    file = tmp_path / "a.toml"
    file.write_text(
        'device = "xcvu9p"\nclock = "200 MHz"\n[kernel]\nfile = "k.c"\n[memory.ddr]\npreset = "DDR3-1600"\n'
        '[argument.a]\nmemory = "ddr"\nbytes = 7\n[argument.b]\nmemory = "ddr"\n',
        encoding="utf-8",
    )
    held = load_as(file, RooflineFile)
    assert held.given == {"a"}
    (program,) = load_kernels(str(tmp_path / "k.c"), policy=HARDWARE).programs
    found = kernel_accelerator(held.accelerator, program, load_library("xcvu9p", 5), given=held.given)
    assert {each.name: each.bytes for each in found.arguments} == {"a": 7, "b": 4 * 64}
