"""The FPGA roofline: peak, banks, walls against brute force, the simulated ports, and the exploration's steps."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.affine.points import iteration_points, iterators_of
from ppnsim.affine.program import Loop, LoopProgram
from ppnsim.analysis.locality_walls import locality_walls
from ppnsim.analysis.operator_mix import operator_mix, results_of
from ppnsim.analysis.roofline import grouped, peak_performance, roofline, selected
from ppnsim.analysis.roofline_memory import bank_of
from ppnsim.errors import InputError
from ppnsim.explore.hls_designs import Designs
from ppnsim.explore.hls_dse import exhaustive, explore_directives, front
from ppnsim.explore.hls_partitions import partitions_of
from ppnsim.explore.roofline_memory import simulated_ports
from ppnsim.formats.roofline_toml import load_roofline
from ppnsim.formats.shipped import shipped_kernels, shipped_rooflines
from ppnsim.frontend.load import load_kernels
from ppnsim.frontend.pragmas import Pragmas
from ppnsim.hls.library import load_library
from ppnsim.platform.accelerator import Accelerator, Argument, MemorySpec, OperatorUse
from ppnsim.platform.memory_presets import preset

KERNELS = {each.name: str(each.path) for each in shipped_kernels()}
ROOFLINES = {each.name: each.path for each in shipped_rooflines()}
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
    with pytest.raises(InputError, match="stands before no statement"):
        results_of(program, [(marks[0][0], 1000, 1)])


@pytest.mark.parametrize("text", ["result(0)", "result(x)"])
def test_a_result_mark_needs_a_number(text: str) -> None:
    with pytest.raises(InputError, match="needs a whole number of results from 1 on"):
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


@pytest.mark.parametrize("name", [name for name in ROOFLINES if name.endswith(".toml")])
def test_shipped_files_are_read(name: str) -> None:
    given_ = load_roofline(ROOFLINES[name])
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
        ("peak_GBps = 19.2", "peak_GBps = -1", "memory 'ddr': peak_GBps = -1 must be 0 or more"),
        ("width = 64", "width = 0", "memory 'ddr': width = 0 must be above 0"),
        ("width = 64", "widht = 64", "memory 'ddr': unknown key 'widht' (did you mean 'width'?)"),
        ('memory = "ddr"', 'memory = "hbm"', "argument 'a': 'hbm' is no memory (known: ddr)"),
        ("bytes = 640", "bytes = 640\nbank = 1", "argument 'a': bank = 1: memory 'ddr' has 0 to 0"),
        ("bytes = 640", "bytes = -1", "argument 'a': bytes = -1 must be 0 or more"),
        ("bytes = 640", 'pattern = "rnd"', "argument 'a': pattern = 'rnd' is no pattern (did you mean 'random'?)"),
        ("count = 10", "count = 0", "operator 'f': count = 0 must be above 0"),
        ("dsp = 2\n", "bram = 2\n", "operator 'f': needs 2 bram, of which the device has none"),
        ("dsp = 2\n", 'type = "float"\n', "operator 'f float': needs lut, ff, dsp or bram, or a type of the device's"),
        ('clock = "200 MHz"', 'clock = "200 MHz"\ndevice = "xc9"', "--device: no device 'xc9'"),
        ('clock = "200 MHz"', 'clock = "200 MHz"\nallowance = 1.5', "allowance = 1.5 must be above 0 and at most 1"),
        ("peak_GBps = 19.2", 'preset = "DDR9"', "memory 'ddr': preset: 'DDR9' is no preset of a memory"),
    ],
)
def test_a_wrong_value_has_its_own_message(old: str, new: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        roofline(load_roofline(file).accelerator)
    assert message in str(raised.value)


def test_the_file_these_start_from_is_right(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(FILE, encoding="utf-8")
    found = roofline(load_roofline(file).accelerator)
    # 10 operations on 50 units at 200 MHz, 80 %; 640 bytes at 12.8 GB/s.
    assert found.peak.performance == pytest.approx(8) and found.attainable == pytest.approx(0.2)


def test_exploration_pipelines_first_then_unrolls_by_divisors() -> None:
    found = explore_directives(Designs(kernel("gesummv.c", N=6), load_library("xc7vx690t", 10)))
    words = [step.what for step in found.steps if "arrays" not in step.what]
    inner = words[1].removesuffix(" pipelined")
    assert words[0] == "no directives"
    assert words[1:5] == [f"{inner} pipelined", *(f"{inner} unrolled by {factor}" for factor in (2, 3, 6))]
    assert found.best.cycles < found.plain.cycles


def test_exploration_steps_back_when_the_device_is_full() -> None:
    library = load_library("xc7vx690t", 10)
    small = replace(library, device=replace(library.device, dsp=30))
    found = explore_directives(Designs(kernel("gesummv.c", N=6), small))
    assert any(step.what.startswith("back: ") for step in found.steps)
    assert found.final.fits and found.best.fits
    assert all(step.design.fits for step in found.steps if step.what.startswith("back: "))


def test_no_design_of_the_space_dominates_the_front() -> None:
    designs = Designs(kernel("mvt.c", N=4), load_library("xc7vx690t", 10))
    every, complete = exhaustive(designs)
    best = front(every)
    assert complete and len(every) == len({tuple(sorted(each.levels.items())) for each in every})
    assert not any(
        (a.cycles <= b.cycles and a.share < b.share) or (a.cycles < b.cycles and a.share <= b.share)
        for a, b in product(every, best)
    )
    assert min(each.cycles for each in every) <= explore_directives(designs).best.cycles


def test_arrays_are_cut_by_their_distinct_offsets() -> None:
    designs = Designs(kernel("gesummv.c", N=12), load_library("xc7vx690t", 10))
    inner = next(key for key in designs.loops if designs.name(key) == "j")
    found = partitions_of(designs, {inner: 4})
    assert (found["A"].kind, found["A"].dim, found["A"].factor, found["A"].more) == ("cyclic", 2, 4, ())
    whole = partitions_of(designs, {inner: 12})
    assert (whole["A"].kind, whole["A"].dim) == ("complete", 2)
    assert whole["x"].registers
