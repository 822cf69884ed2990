"""What functions of the library refuse, in whole sentences; the largest and smallest that they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.files import load_as
from ppnsim.formats.shipped import directory
from ppnsim.library.kernels import one_kernel
from ppnsim.library.run_export import RunExport
from ppnsim.library.serve import PageServer
from ppnsim.library.sizable import limit_of, price_of, stop_of, time_of, vectors_of
from ppnsim.memory.model.presets import preset
from ppnsim.platform.files.toml import PlatformFile

FORKED = ppnsim.fork_join(firings=20)
NETS, KERNELS = directory() / "networks", directory() / "kernels"
NODES, FILTER = NETS / "two_fpgas.toml", directory() / "platforms" / "image_filter.toml"
GEMM, SPMV = KERNELS / "gemm.c", directory() / "rooflines" / "spmv.toml"
MESSAGES = Path(__file__).parents[1] / "golden" / "files" / "messages.json"


def platform() -> PlatformFile:
    return load_as(FILTER, PlatformFile)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: ppnsim.fix_deadlock(FORKED), "'fork and join' does not deadlock: it finishes after 70 cycles"),
    (lambda: ppnsim.run(FORKED, on_deadlock="retrun"), "run: on_deadlock = 'retrun' is not 'raise' or 'return' (d"),  # type: ignore[call-overload]
    (lambda: ppnsim.schedule(GEMM, release="abc"), "--release: 'abc' is no release of the tool, like 2022.2"),
    (lambda: ppnsim.schedule(GEMM, release=""), "--release: '' is no release of the tool, like 2022.2"),
    (lambda: ppnsim.schedule(GEMM, device=""), "--device: names no device: leave it away for the default, or give one"),
    (lambda: ppnsim.lost(GEMM, device=""), "--device: no device '' (known: "),
    (lambda: ppnsim.explore_directives(GEMM, clock=""), "--clock: '' must be a number and a unit"),
    (lambda: ppnsim.explain(FORKED, top=-1), "top: -1 is below 0 changes"),
    (lambda: ppnsim.run(FORKED, depths={"short_in": "deep"}), "run: depths['short_in'] = 'deep' is not a whole numb"),  # type: ignore[dict-item]
    (lambda: ppnsim.size(FORKED, out="x.toml"), "no option is called 'out'; functions write no files"),
    (lambda: FORKED.save("x.cpp"), "x.cpp: '.cpp' is none of .json, .toml, .xml; a copy of a C++ source"),
    (lambda: ppnsim.run(FORKED, device="x"), "device can only be used with a path, which is then read with it"),
    (lambda: ppnsim.run(NODES, engine="compiled"), "engine compiled: a Placement runs in the SimPy engine only"),
    (lambda: ppnsim.run(load_as(FILTER, PlatformFile), depths=3), "can only be used with a network; this holds a Plat"),
    (lambda: ppnsim.run(platform(), style="frozen"), "style can only be used with a network; this holds a PlatformFil"),
    (lambda: ppnsim.run(platform(), clock="5 ns"), "clock can only be used with a network; this holds a PlatformFile"),
    (lambda: ppnsim.run(preset("HBM2").dram), "run: Dram(protocol='HBM2', clock_ns=Fraction(1, 1), channels=8"),
    (lambda: ppnsim.run(MESSAGES).figure("lanes"), f"{MESSAGES}: 'lanes' is none of gantt"),
    (lambda: ppnsim.run(MESSAGES).figure(window="1us"), "'1us' is not of the form A:B with cycles or times A < B"),
    (lambda: ppnsim.run(FORKED).to_frame("chanels"), "to_frame: table = 'chanels' is not 'processes'"),  # type: ignore[arg-type]
    (lambda: ppnsim.lost(GEMM, depths=3), "depths are of networks and dataflow regions: this kernel has no FIFOs"),
    (lambda: ppnsim.lost(GEMM, style="frozen"), "style can only be used with networks; this file is a C source"),
    (lambda: ppnsim.lesson(out="a.md"), "--out a.md: says where one lesson goes: name its number"),  # type: ignore[call-overload]
    (lambda: ppnsim.lesson(1, "a.txt"), "--out a.txt: '.txt' is none of .html, .ipynb, .md"),
    (lambda: ppnsim.lesson(99), "there is no lesson 99: they are numbered 1 to 10"),
    (lambda: ppnsim.export(platform(), "a.toml"), "a platform has neither depths nor styles, and is written as vcd, "),
    (lambda: ppnsim.export(platform(), "a.vcd", depths=3), "a platform has neither depths nor styles, and is written"),
    (lambda: ppnsim.export(platform(), "a.csv", table="firings"), "the run of a platform has no table of firings: vcd"),
    (lambda: ppnsim.export(platform(), "a.svg", format="wavedrom"), "the run of a platform has no diagram of cycles:"),
    (lambda: ppnsim.export(FORKED, "a.csv", table="spans"), "--table spans is for platforms; a network has firings, s"),
    (lambda: ppnsim.export(FORKED, "a.txt"), "--out a.txt: '.txt' is none of .xml, .json, .toml, .vcd, .svg, .csv, .p"),
    (lambda: ppnsim.export(FORKED, "a.txt", format="vcd"), "--out a.txt: '.txt' is not .vcd"),
    (lambda: ppnsim.export(FORKED, "a.txt", format="wavedrom"), "--out a.txt: '.txt' is not .json or .svg"),
    (lambda: ppnsim.export(FORKED, "-", format="vcd"), "--out -: standard output takes a network (json, toml, sdf3),"),
    (lambda: ppnsim.export(FORKED, "a.vcd", flows=True), "--flows says nothing to the format vcd"),
    (lambda: ppnsim.export(FORKED, "a.json", window=(0, 4)), "--window says nothing to the format json"),
    (lambda: ppnsim.export(FORKED, "a.vcd", table="states"), "--table says nothing to the format vcd"),
    (lambda: ppnsim.save(FORKED, "a.csv"), "a.csv: '.csv' is none of .json, .toml, .xml"),
    (lambda: ppnsim.report(NODES, window=(0, 9)), "window = (0, 9) has no unit, and there are several clocks: give ti"),
    (lambda: ppnsim.report(NODES, depths=3), "depths and style can only be used with networks that are not placed on"),
    (lambda: ppnsim.report(ppnsim.run(FORKED), style="frozen"), "depths and style can only be used with networks that"),
    (lambda: ppnsim.report(FORKED, "a.svg"), "--out a.svg: '.svg' is not .html"),
    (lambda: ppnsim.derive(GEMM, defines={"NI": 8}), f"{GEMM}: macro 'NI' is no text: write defines={{'NI': '8'}}"),
    (lambda: ppnsim.predict(GEMM, "absolute", defines=["NI=8"]), f"{GEMM}: ['NI=8'] is not a dictionary of macros"),
    (lambda: ppnsim.report(FORKED, serve=True), "serve: follows one file: give its path"),
    (lambda: PageServer("nowhere.toml", dict), "nowhere.toml: no such file"),
    (lambda: ppnsim.sweep(NODES, ["across.depth=8"], occupancy=True), "--occupancy: can only be used with networks th"),
    (lambda: ppnsim.sweep(NODES, ["across.depth=8"], convention="ppn"), "--convention: can only be used with networks"),
    (lambda: ppnsim.sweep(lambda _: FORKED, ["n=1"], style="frozen"), "style can only be used with a path, which is t"),
    (lambda: ppnsim.explore_directives(GEMM, exhaustive=True, most=0), "--most: 0 must be at least 1"),
    (lambda: ppnsim.explore_splits(KERNELS / "predictor.c", target=0), "--target: 0 is below 1 cycle"),
    (lambda: ppnsim.roofline(SPMV, quanta=0), "--quanta: 0 must be from 1 to 4096 bytes"),
    (lambda: ppnsim.roofline(SPMV, quanta=4097), "--quanta: 4097 must be from 1 to 4096 bytes"),
    (lambda: ppnsim.roofline(SPMV, clock="1 GHz"), "--clock can only be used with C sources; this file says that itse"),
    (lambda: ppnsim.roofline(SPMV, metric="flops", device="x"), "--device, --metric can only be used with C sources;"),
    (lambda: ppnsim.compare(SPMV, vary={"N": [1]}), "N = 1: --vary: 'N' is no key of a table of this file, such as "),
    (lambda: ppnsim.compare(GEMM, "roofline", vary={"a.b": [1]}), "a.b = 1: --vary: 'a.b' is not of a C source: devic"),
    (lambda: ppnsim.platform(NODES).to_toml(), "--toml: is for platforms; this file places a network on nodes"),
    (lambda: ppnsim.estimate(FILTER, style="frozen"), "style can only be used with a network; this is a platform"),
    (lambda: ppnsim.memory("DDR4-2400", vary="bank"), "--vary: 'bank' is none of frequency, locality, outstanding, co"),
    (lambda: ppnsim.memory("DDR4-2400", vary="all=1"), "--vary: 'all=1' is none of frequency, locality, outstanding,"),
    (lambda: ppnsim.derive(KERNELS / "predictor.c", rewrite=["fold x=2"]), "'fold x=2' is not a rewriting (like"),
    (lambda: ppnsim.schedule(GEMM, defines={"NI": "4"}).figure(loop=2), "--loop: no pipelined loop begins in line 2 ("),
    (lambda: ppnsim.schedule(GEMM).figure(window=(0, 2)), "--window: only the tasks of a dataflow region are shown ov"),
    (lambda: limit_of("deep"), "limits: 'deep' is neither (low, high), a number nor 'unbounded'"),  # type: ignore[arg-type]
    (lambda: limit_of((0, 3)), "limits: (0, 3): depths go from 1 on, the lower one first"),
    (lambda: limit_of((4, 3)), "limits: (4, 3): depths go from 1 on, the lower one first"),
    (lambda: stop_of(0.0, 0.0), "seconds: 0 is not a number of seconds above 0"),
    (lambda: stop_of(0.0, float("inf")), "seconds: inf is not a number of seconds above 0"),
    (lambda: stop_of(10.0, None), "within: 10 is not a share of the cost (0.05 is 5 %)"),
    (lambda: stop_of(-0.1, None), "within: -0.1 is not a share of the cost (0.05 is 5 %)"),
    (lambda: time_of(0), "target: 0 is not above 0 cycles"),
    (lambda: time_of(float("nan")), "target: nan is not above 0 cycles"),
    (lambda: price_of("bits", "m.toml"), "--memories m.toml: --cost bits takes no memory blocks (give --cost fpga)"),
    (lambda: vectors_of({}, problem_of([FORKED])), "start: is not a result of `ppnsim size --json`, or of `size(...)"),
    (
        lambda: RunExport(kind="vcd", output=Path("a.vcd"))._timeline(ppnsim.run(ppnsim.chain(firings=20_000_000))),
        "140000000 firings and tokens are more than are written out (100000000); up to cycle 30 any --wi",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("work", "words"), REFUSED, ids=[str(number) for number in range(len(REFUSED))])
def test_what_makes_no_sense_is_refused_in_a_sentence(
    work: Callable[[], object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        work()
    assert str(error.value).startswith(words)
    assert list(tmp_path.iterdir()) == []


def test_what_is_just_within_a_rule_is_taken() -> None:
    assert (limit_of((1, 1)), limit_of((3, None)), limit_of(None)) == ((1, 1), (3, None), None)
    assert (stop_of(9.99, 0.001).within, stop_of(0.0, None).seconds) == (9.99, None)
    assert (time_of(0.5), time_of(Fraction(7, 2)), time_of(None)) == (Fraction(1, 2), Fraction(7, 2), None)
    assert type(time_of(4.0)) is int


def test_depths_of_an_earlier_answer_are_brought_within_the_limits() -> None:
    earlier = ppnsim.size(FORKED, front=False).to_dict()
    channels = ("short_in", "short_out", "long_in", "long_out")
    free = problem_of([FORKED])
    assert [dict(zip(channels, each, strict=True)) for each in vectors_of(earlier, free)] == [
        earlier[question]["depths"] for question in ("deadlock_free", "lossless")
    ]
    tight = problem_of([FORKED], limits={"short_out": (3, 5), "long_in": (1, None)})
    assert vectors_of(earlier, tight) == [
        tuple(min(5, max(3, each)) if at == 1 else each for at, each in enumerate(vector))
        for vector in vectors_of(earlier, free)
    ]
    assert vectors_of(None, free) == []


def test_a_port_that_is_taken_is_told() -> None:
    with PageServer(str(NETS / "predictor.toml"), dict) as one:
        port = int(one.url.rpartition(":")[2].strip("/"))
        with pytest.raises(InputError, match=rf"^--port: port {port} cannot be used \(Address already in use\)$"):
            PageServer(str(NETS / "predictor.toml"), dict, port=port)


def test_nothing_found_has_no_depths() -> None:
    nothing = replace(ppnsim.size(FORKED, front=False), sizing=FifoSizing(problem=problem_of([FORKED])))
    with pytest.raises(InputError, match=r"^fork and join: no depths were found$"):
        _ = nothing.depths


def test_one_kernel_is_read_by_the_policy_that_is_asked_for(tmp_path: Path) -> None:
    """What data decide is for hardware; a network is derived of what is known beforehand."""
    source = tmp_path / "k.c"
    source.write_text("void k(int a[8], int b[8]) { for (int i = 0; i < 8; i++) if (a[i] > 0) b[i] = 1; }\n")
    assert one_kernel(source, policy=HARDWARE).name == "k"
    with pytest.raises(InputError, match="not affine: it depends on data"):
        one_kernel(source)
