"""Commands on networks take C++ with a dataflow region, and say what they find in the words of the source."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import ppnsim
from tests.helpers.commands import ppnsim as command

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "hls"
MEAN, SHARPEN = (str(SCENARIOS / f"{name}.cpp") for name in ("subtract_mean", "sharpen"))
FORK_JOIN = str(SCENARIOS.parent / "networks" / "fork_join.toml")
DEEP = ["--depth", "kept=64"]


def answer(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = command(*arguments, "--json", "-")
    assert done.exit_code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def line_of(text: str, file: str = MEAN) -> str:
    """Return the only line of a source with a text, as ``file:line``."""
    (number,) = [n for n, line in enumerate(Path(file).read_text(encoding="utf-8").splitlines(), 1) if text in line]
    return f"{file}:{number}"


def test_a_deadlock_names_lines_and_the_pragma_that_breaks_it() -> None:
    found = answer("run", MEAN, code=3)
    assert found["source"] == {
        "function": "subtract_mean", "made_of": "tasks", "device": "xc7z020", "clock_ns": 10.0, "notes": [],
        "start_to_done": None, "processes": found["source"]["processes"],
        "streams": [
            {"variable": name, "channels": [name], "at": line_of(f"hls::stream<int> {name};")}
            for name in ("seen", "kept")
        ],
    }  # fmt: skip
    assert {wait["channel"] for wait in found["deadlock"]["cycle"]} == {"kept", "mean", "seen"}
    places = found["deadlock"]["source"]
    assert places["channels"]["kept"] == {
        "at": line_of("hls::stream<int> kept;"), "written_at": line_of("kept.write"), "read_at": line_of("kept.read")
    }  # fmt: skip
    (pragma,) = places["pragmas"]
    # `average` gives the mean after the last of 64 samples; `load` writes each to `kept` as well.
    assert pragma["text"] == "#pragma HLS stream variable=kept depth=64"
    assert f"{pragma['file']}:{pragma['line']}" == line_of("hls::stream<int> kept;")
    assert answer("run", MEAN, "--depth", "kept=63", code=3)["finish"] is None
    assert answer("run", MEAN, *DEEP)["finish"] is not None


def test_depths_that_only_break_a_deadlock_are_said_to_be_no_more() -> None:
    words = "this only breaks the deadlock, and may run several times slower than depths without loss"
    line = f"\n  -> {words}: ppnsim size "
    assert f"{line}{MEAN}\n" in command("run", MEAN).stdout
    stuck = command("run", FORK_JOIN, "--style", "frozen", "--depth", "short_in=2")
    assert f"{line}{FORK_JOIN} --style frozen\n" in stuck.stdout
    assert "ppnsim size" not in command("run", MEAN, *DEEP).stdout


@pytest.mark.parametrize("name", ["run", "explain"])
def test_the_circle_of_waits_is_printed_with_lines(name: str) -> None:
    done = command(name, MEAN)
    assert done.exit_code == 3
    assert "waits for a slot in 'kept' (2/2 full)" in done.stdout
    assert f"in {MEAN}" in done.stdout
    line = line_of("kept.write").rpartition(":")[2]
    assert f"line {line}, by load" in done.stdout
    assert "#pragma HLS stream variable=kept depth=64" in done.stdout
    assert done.stderr == f"{MEAN}: function 'subtract_mean' on xc7z020 at 10 ns: 3 tasks, 4 channels\n"


@pytest.mark.parametrize(("file", "suffix"), [(MEAN, ".json"), (MEAN, ".toml"), (SHARPEN, ".json")])
def test_the_exported_network_does_the_same_cycle_by_cycle(file: str, suffix: str, tmp_path: Path) -> None:
    exported = str(tmp_path / f"network{suffix}")
    deep = ["--depth", "64"] if file == SHARPEN else DEEP
    for write in (["export", file, "-o", exported], ["derive", file, "-o", exported]):
        assert command(*write).exit_code == 0
        ours, theirs = ppnsim.load(file), ppnsim.load(exported)
        assert isinstance(ours, ppnsim.Network)
        assert isinstance(theirs, ppnsim.Network)
        for engine, depth in product(("des", "compiled"), (2, 32, 80)):
            runs = [ppnsim.run(n, depths=depth, engine=engine, on_deadlock="return") for n in (ours, theirs)]
            assert runs[0].deadlock == runs[1].deadlock
            for process in ours.processes:
                starts = [each.timeline.start(process.name).tolist() for each in runs]
                assert starts[0] == starts[1]
    results = [answer("run", each, *deep) for each in (file, exported)]
    for each in results:
        for key in ("file", "source"):
            each.pop(key, None)
    assert results[0] == results[1]


def test_written_depths_give_the_finish_that_was_proven(tmp_path: Path) -> None:
    copy = tmp_path / "sized.cpp"
    sized = answer("size", SHARPEN, "--out", str(copy))
    assert sized["lossless"]["certified"] is True
    assert sized["lossless"]["finish"] == sized["unbounded"]["finish"]
    assert [each["variable"] for each in sized["pragmas"]] == ["direct", "to_blur", "blurred"]
    assert sized["pragmas"][0] == {
        "variable": "direct", "depth": sized["lossless"]["depths"]["direct"], "file": SHARPEN,
        "line": int(line_of("hls::stream<int> direct;", SHARPEN).rpartition(":")[2]),
        "inside": None, "text": f"#pragma HLS stream variable=direct depth={sized['lossless']['depths']['direct']}",
    }  # fmt: skip
    assert sized["written"] == str(copy)
    found = answer("run", str(copy))
    assert found["finish"] == sized["lossless"]["finish"]
    assert {name: each["depth"] for name, each in found["channels"].items()} == sized["lossless"]["depths"]
    again = tmp_path / "again.cpp"
    answer("size", str(copy), "--no-front", "--out", str(again))
    assert again.read_bytes() == copy.read_bytes()


def test_size_gives_the_depths_for_a_target_and_leaves_buffers_as_they_are() -> None:
    found = answer("size", MEAN, "--target", "196", "--no-front")
    assert set(found["lossless"]["depths"]) == {"seen", "kept"}
    assert {each["variable"]: each["depth"] for each in found["pragmas"]} == found["target"]["depths"]
    assert found["target"]["total"] < found["lossless"]["total"]


ARRAY = """#include "hls_stream.h"
static void put(const int a[16], hls::stream<int> s[2]) { for (int i = 0; i < 16; i++) { s[0] << a[i]; s[1] << a[i]; } }
static void first(hls::stream<int> &s, hls::stream<int> &t) {
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += s.read();
    t << sum; }
static void second(hls::stream<int> &s, hls::stream<int> &t, int b[16]) {
    int sum = t.read();
    for (int i = 0; i < 16; i++) b[i] = s.read() - sum; }
void top(const int a[16], int b[16]) {
#pragma HLS dataflow
    hls::stream<int> s[2];
    hls::stream<int> t;
    put(a, s); first(s[0], t); second(s[1], t, b); }
"""


def test_an_array_of_streams_has_one_depth(tmp_path: Path) -> None:
    file = tmp_path / "array.cpp"
    file.write_text(ARRAY, encoding="utf-8")
    stuck = answer("run", str(file), code=3)
    assert stuck["deadlock"]["fix"] == {"s[1]": 16}
    assert [each["text"] for each in stuck["deadlock"]["source"]["pragmas"]] == [
        "#pragma HLS stream variable=s depth=16"
    ]
    sized = answer("size", str(file), "--no-front")
    assert sized["lossless"]["depths"] == {"s[0]": 16, "s[1]": 16, "t": 1}
    named = answer("size", str(file), "--no-front", "--limit", "s=20:", "--limit", "t=3")
    assert named["lossless"]["depths"] == {"s[0]": 20, "s[1]": 20, "t": 3}
    assert answer("run", str(file), "--depth", "s=16")["channels"]["s[0]"]["depth"] == 16
    alone = answer("size", str(file), "--no-front", "--group", "s[0],t")
    assert alone["lossless"]["depths"]["s[0]"] < 16


def test_sweep_varies_depths_of_streams_by_their_names() -> None:
    found = answer("sweep", SHARPEN, "--vary", "direct.depth=9:12", "--jobs", "1")
    finishes = [row["finish"] for row in found["rows"]]
    assert finishes[0] is None
    assert finishes[1] > finishes[2] > finishes[3]
    assert finishes[3] == answer("size", SHARPEN, "--no-front")["lossless"]["finish"]


def test_explain_adds_up_to_the_finish() -> None:
    found = answer("explain", MEAN, *DEEP, "--top", "2")
    assert found["finish"] == answer("run", MEAN, *DEEP)["finish"]
    assert found["source"]["function"] == "subtract_mean"


def test_estimates_bound_the_run_from_below() -> None:
    estimate = answer("estimate", MEAN)
    finish = answer("run", MEAN, *DEEP)["finish"]
    assert max(bound["cycles"] for bound in estimate["bounds"]) <= estimate["absolute"]["finish"] <= finish


def test_pictures_name_tasks_and_lines(tmp_path: Path) -> None:
    assert command("run", MEAN, *DEEP, "--out", str(tmp_path), "--pictures", "svg").exit_code == 0
    line = answer("estimate", MEAN)["source"]["processes"]["load"]
    place = f"subtract_mean.cpp:{line.rpartition(':')[2]}"
    for name in ("gantt.svg", "network.svg"):
        assert place in (tmp_path / name).read_text(encoding="utf-8"), name
    drawn = tmp_path / "drawn.svg"
    assert command("draw", MEAN, "--simulate", "-o", str(drawn)).exit_code == 0
    assert place in drawn.read_text(encoding="utf-8")


def test_clock_device_and_directives_are_those_of_the_command_line() -> None:
    found = answer(
        "run", MEAN, *DEEP, "--clock", "200 MHz", "--device", "xcvu9p", "--pragma", "16: pipeline II=3", code=2
    )
    assert "no loop begins in line 16" in found["error"]
    line = line_of("sum += seen.read()").rpartition(":")[2]
    slow = answer("run", MEAN, *DEEP, "--clock", "200 MHz", "--pragma", f"{int(line) - 1}: pipeline II=3")
    assert slow["source"]["clock_ns"] == 5.0
    assert slow["finish"] > answer("run", MEAN, *DEEP, "--clock", "200 MHz")["finish"] + 100


@pytest.mark.parametrize("option", [["--latency", "3"], ["--ii", "2"], ["--io"], ["--hazards"]])
def test_what_statements_have_is_refused_for_a_region(option: list[str]) -> None:
    done = command("run", MEAN, *option)
    assert done.exit_code == 2
    words = "can only be used with a network of statements; 'subtract_mean' is a dataflow region, which is scheduled"
    assert f"{MEAN}: {option[0]} {words}" in done.stderr


def test_statements_of_a_region_are_not_rewritten(tmp_path: Path) -> None:
    done = command("derive", MEAN, "--unfold", "sum=2", "-o", str(tmp_path / "net.json"))
    assert done.exit_code == 2
    assert "--unfold can only be used with statements; 'subtract_mean' is a dataflow region" in done.stderr


def test_a_function_without_a_region_needs_no_streams_and_one_with_streams_a_region(tmp_path: Path) -> None:
    file = tmp_path / "plain.cpp"
    file.write_text(ARRAY.replace("#pragma HLS dataflow\n", ""), encoding="utf-8")
    done = command("run", str(file))
    assert done.exit_code == 2
    assert str(file) in done.stderr
    assert "'#pragma HLS dataflow' lets its writer and its reader work at the same time" in done.stderr
    assert command("run", str(file), "--pragma", "dataflow").exit_code == 3


LATE = """#include "hls_stream.h"
static void put(const int in[40], hls::stream<int> &s) { for (int i = 0; i < 40; i++) s.write(in[i]); }
static void drop(hls::stream<int> &s, int out[1]) { for (int i = 0; i < @; i++) out[0] = s.read(); }
void top(const int in[40], int out[1]) {
#pragma HLS interface s_axilite port=return
#pragma HLS dataflow
    hls::stream<int, 30> s;
    put(in, s); drop(s, out);
}
"""


@pytest.mark.parametrize(
    ("reads", "device", "cycles", "finish"), [(40, "xc7z020", 41, 42), (30, "xc7z020", 40, 41), (30, "xcvu9p", 55, 41)]
)
def test_run_and_schedule_name_start_to_done_and_finish_in_the_same_words(
    reads: int, device: str, cycles: int, finish: int, tmp_path: Path
) -> None:
    """On one device the last write is in the state that signals the end, the other has 14 cycles of the port."""
    path = tmp_path / "late.cpp"
    path.write_text(LATE.replace("@", str(reads)), encoding="utf-8")
    options = ("--function", "top", "--device", device)
    ran, scheduled = answer("run", str(path), *options), answer("schedule", str(path), *options)
    assert (ran["source"]["start_to_done"], ran["finish"]) == (cycles, finish)
    assert [scheduled["cycles"], *(scheduled["dataflow"][key] for key in ("start_to_done", "finish"))] == [
        cycles, cycles, finish
    ]  # fmt: skip
    told = [command(name, str(path), *options).stdout for name in ("run", "schedule")]
    said = [[line for line in text.splitlines() if line.startswith("start to done: ")] for text in told]
    assert said[0] == said[1]
    assert len(said[0]) == (cycles != finish)


def test_the_tasks_of_a_region_lose_cycles_at_the_depths_that_are_given() -> None:
    """The deadlock of its own depths names one that breaks it, which the command refused."""
    found = answer("lost", MEAN, *DEEP)
    assert found["finish"] == 133 and set(found["processes"]) == {"load", "average", "subtract"}
    assert ppnsim.lost(MEAN, depths={"kept": 64}).to_dict() == found


def test_every_command_on_a_region_names_start_to_done_and_finish(tmp_path: Path) -> None:
    """The finish alone is not what schedule and co-simulation say: here registers of a port are between them."""
    path = tmp_path / "late.cpp"
    path.write_text(LATE.replace("@", "30"), encoding="utf-8")
    options = ("--function", "top", "--device", "xcvu9p")
    cycles = answer("schedule", str(path), *options)["cycles"]
    explained = answer("explain", str(path), *options)
    assert (explained["finish"], explained["source"]["start_to_done"]) == (41, cycles) == (41, 55)
    sized = answer("size", str(path), *options)["lossless"]
    assert (sized["finish"], sized["start_to_done"]) == (41, 55)
    page = tmp_path / "page.html"
    shown = answer("report", str(path), *options, "-o", str(page))
    assert (shown["finish"], shown["start_to_done"]) == (41, 55)
    words = "start to done: 55 cycles, as co-simulation counts, with 14 for the registers of the AXI-lite port"
    assert words in page.read_text(encoding="utf-8")
    assert f"depths without loss: {words}" in command("size", str(path), *options).stdout
    assert f"\n{words}" in command("explain", str(path), *options).stdout


def test_scenarios_that_are_sized_together_have_no_common_start_to_done(tmp_path: Path) -> None:
    path = tmp_path / "late.cpp"
    path.write_text(LATE.replace("@", "40"), encoding="utf-8")
    found = answer("size", str(path), str(path), "--together", "--function", "top")
    assert "start_to_done" not in found["lossless"]
