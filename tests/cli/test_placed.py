"""Networks across nodes on the command line: answers, files, sweeps, and what is said of a bad file."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app

TWO_FPGAS = "scenarios/networks/two_fpgas.toml"
GOOD = """
[node.x]
clock = "100 MHz"
[node.y]
clock = "100 MHz"
[link.l]
between = ["x", "y"]
latency = "1 us"
bandwidth = "1 GB/s"
[memory.ddr]
preset = "DDR4-2400"
[process.a]
firings = 8
node = "x"
reads = {memory = "ddr", bytes = 64, outstanding = 2}
[process.b]
firings = 8
node = "y"
[channel.c]
from = "a"
to = "b"
depth = 4
"""


def ppnsim(*arguments: str) -> Any:
    """Run a command in this process and return click's result."""
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def test_the_last_line_says_what_sets_the_pace_and_the_json_says_the_same() -> None:
    shown = ppnsim("run", TWO_FPGAS, "--depth", "across=16")
    result = json.loads(ppnsim("run", TWO_FPGAS, "--depth", "across=16", "--json", "-").stdout)
    assert shown.exit_code == 0
    assert shown.stdout.rstrip().endswith(f"bottleneck: {result['binds']['sentence']}")
    assert (result["binds"]["term"], result["binds"]["name"]) == ("credits", "across")
    assert result["channels"]["across"]["depth"] == 16


def test_the_files_of_a_run_are_written(tmp_path: Path) -> None:
    assert ppnsim("run", TWO_FPGAS, "--out", str(tmp_path / "o"), "--pictures", "svg").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "o").iterdir()) == [
        "messages.csv",
        "nodes.svg",
        "occupancy.svg",
        "report.html",
        "result.json",
    ]
    with (tmp_path / "o" / "messages.csv").open(newline="") as file:
        messages = list(csv.DictReader(file))
    result = json.loads((tmp_path / "o" / "result.json").read_text())
    assert len(messages) == result["links"]["cable from left"]["messages"] == 250


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--convention", "sdf3"], "--convention can only be used with a network; this file holds a network placed on"),
        (["--iterations", "2"], "iterations can only be used with a network; this file holds a network placed"),
        (["--engine", "compiled"], "engine compiled: networks placed on nodes run in the SimPy engine only"),
    ],
)
def test_options_of_networks_by_themselves_are_refused(option: list[str], message: str) -> None:
    out = ppnsim("run", TWO_FPGAS, *option)
    assert out.exit_code == 2
    assert f"{TWO_FPGAS}: {message}" in out.stderr


def test_a_placed_deadlock_is_told_with_its_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text(
        GOOD.replace('to = "b"', 'to = "b"\nconsume = [2]\nproduce = [2]').replace("depth = 4", "depth = 1")
    )
    out = ppnsim("run", str(file))
    assert out.exit_code == 3
    assert "stands still: a waits for slots of 'c', b waits for tokens of 'c'" in out.stdout


def test_a_sweep_over_packets_and_depths_has_a_row_for_a_packet_that_never_fills(tmp_path: Path) -> None:
    path, picture = tmp_path / "rows.csv", tmp_path / "s.svg"
    command = ["sweep", TWO_FPGAS, "--vary", "across.packet=1,16", "--vary", "across.depth=8,unbounded", "--jobs", "1"]
    result = json.loads(ppnsim(*command, "-o", str(path), "--plot", str(picture), "--json", "-").stdout)
    assert [row["deadlocked"] for row in result["rows"]] == [False, False, True, False]
    assert result["best"]["across.packet"] == 16
    assert picture.read_text().startswith("<?xml")
    again = json.loads(ppnsim(*command, "-o", str(path), "--json", "-").stdout)
    assert (again["ran"], again["known"]) == (0, 4)
    assert again["rows"] == result["rows"]


def test_a_row_of_a_sweep_is_the_run_with_these_values() -> None:
    out = ppnsim("sweep", TWO_FPGAS, "--vary", "across.depth=16", "--vary", "left.clock=200 MHz", "--json", "-")
    (row,) = json.loads(out.stdout)["rows"]
    run = json.loads(ppnsim("run", TWO_FPGAS, "--depth", "across=16", "--json", "-").stdout)
    assert row["finish_s"] == run["finish_s"]
    assert row["messages"] == run["links"]["cable from left"]["messages"]
    assert row["busy.cable"] == run["links"]["cable from left"]["busy"]


def test_all_placements_are_swept_and_the_best_has_no_cut(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(Path(TWO_FPGAS).read_text(encoding="utf-8").replace("firings = 2000", "firings = 200"))
    result = json.loads(ppnsim("sweep", str(file), "--vary", "mapping=all", "--jobs", "1", "--json", "-").stdout)
    assert result["points"] == 2**4
    assert result["best"]["mapping"] == "left: source filter scale sink"
    assert result["best"]["messages"] == 0


def test_mappings_that_no_link_allows_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    file.write_text(GOOD.replace("[link.l]", '[node.z]\nclock = "100 MHz"\n[link.l]'))
    result = json.loads(ppnsim("sweep", str(file), "--vary", "mapping=all", "--json", "-").stdout)
    # Both on x, y or z, or one on each of x and y: nothing leads to z.
    assert result["points"] == 3 + 2


@pytest.mark.parametrize(
    "vary",
    ["l.gap=10 ns", "l.latency=2 us", "l.bandwidth=1 MB/s", "l.overhead=9 us", "b.node=x", "c.packet=4",
     "x.clock=1 GHz", "a.outstanding=1", "a.latency=50", "c.depth=1"],
)  # fmt: skip
def test_every_parameter_changes_the_key_and_other_words_for_it_do_not(tmp_path: Path, vary: str) -> None:
    file = tmp_path / "f.toml"
    file.write_text(GOOD)
    base, changed = (
        json.loads(ppnsim("sweep", str(file), "--vary", each, "--json", "-").stdout)["rows"][0]
        for each in ("y.clock=100 MHz", vary)
    )
    assert base["key"] != changed["key"]
    same = json.loads(ppnsim("sweep", str(file), "--vary", "y.clock=10 ns", "--json", "-").stdout)["rows"][0]
    assert same["key"] == base["key"]


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ("b.node=q", "--vary b.node=q: 'q' is not a node (known: x, y)"),
        ("q.node=x", "--vary q.node=x: 'q' is not a process (known: a, b)"),
        ("k.gap=1 ns", "--vary k.gap=1 ns: 'k' is not a link (known: l)"),
        ("l.gap=1", "--vary l.gap=1: '1' must be a number and a unit: s, ms, us, ns, ps"),
        ("l.bandwidth=0 GB/s", "--vary l.bandwidth=0 GB/s: '0 GB/s' must be above 0"),
        ("c.packet=0", "--vary c.packet=0: '0' is not a whole number from 1 on"),
        ("b.outstanding=2", "--vary b.outstanding=2: 'b' is not a process with a memory port (known: a)"),
        ("clock=1 ns", "--vary clock=1 ns: every node has its own clock: vary NODE.clock"),
        ("mapping=x", "--vary mapping=x: 'x' must be all, or say where each process is, like 'left: a b; right: c'"),
        ("mapping=x: a; y: a b", "--vary mapping=x: a; y: a b: process 'a' is placed twice (on 'x' and on 'y')"),
        ("mapping=x: a", "--vary mapping=x: a: process 'b' is on no node (every process needs one)"),
        ("mapping=x: a bb; y: b", "--vary mapping=x: a bb; y: b: 'bb' is not a process (did you mean 'b'?)"),
        ("mapping", "--vary mapping: is not of the form NAME.PARAMETER=VALUES or mapping=all"),
    ],
)
def test_what_cannot_be_varied_is_told(tmp_path: Path, vary: str, words: str) -> None:
    file = tmp_path / "f.toml"
    file.write_text(GOOD)
    out = ppnsim("sweep", str(file), "--vary", vary)
    assert out.exit_code == 2
    assert out.stderr == f"{file}: {words}\n"


def test_what_is_varied_twice_is_told() -> None:
    out = ppnsim("sweep", TWO_FPGAS, "--vary", "mapping=all", "--vary", "filter.node=left")
    assert out.exit_code == 2
    assert "filter.node is varied by 2 of the --vary (one each)" in out.stderr


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[process.b]", "[process.a]", r":\d+:\d+: process 'a' is declared twice \(names are unique\)"),
        ("[node.y]", "[node.x]", r":\d+:\d+: node 'x' is declared twice \(names are unique\)"),
        ('node = "y"', 'node = "y"\nnode = "x"', r":\d+:\d+: this key or table is given twice"),
        ('node = "y"', 'node = "z"', r": place: process 'b' is on 'z', which is not a node \(known: x, y\)"),
        ('node = "y"\n', "", r": process 'b': node is missing"),
        ('[node.y]\nclock = "100 MHz"', "[node.y]", r": node 'y': clock is missing"),
        ('clock = "100 MHz"', 'clock = "0 MHz"', r": node 'x': clock = '0 MHz' must be a frequency above 0 Hz"),
        ('"1 GB/s"', '"0 GB/s"', r": link 'l': bandwidth = '0 GB/s' must be above 0"),
        ("bandwidth =", 'provenance = {bandwith = "guess"}\nbandwidth =', r": link 'l': provenance: 'bandwith' is not"),
        ("preset =", 'provenance = {clock = "read"}\npreset =', r": memory 'ddr': provenance of clock = 'read' must b"),
        ("bandwidth =", "bandwith =", r": link 'l': unknown key 'bandwith' \(did you mean 'bandwidth'\?\)"),
        ('["x", "y"]', '["x", "z"]', r": link 'l': 'z' is not a node \(known: x, y\)"),
        ('memory = "ddr"', 'memory = "dd"', r": process 'a': reads: 'dd' is not a memory \(did you mean 'ddr'\?\)"),
        ('"DDR4-2400"', '"DDR4-24"', r": memory 'ddr': preset = 'DDR4-24' is not a preset of a memory \(did you mean"),
        ("bytes = 64, ", "", r": process 'a': reads: bytes is missing"),
        ("depth = 4", "depth = 4\npacket = 5", r": channel 'c': a packet of 5 tokens never fills with 4 credits"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    file = tmp_path / "f.toml"
    file.write_text(GOOD.replace(old, new, 1))
    out = ppnsim("run", str(file))
    assert out.exit_code == 2
    assert re.match(re.escape(str(file)) + words, out.stderr.splitlines()[0])
    assert "Traceback" not in out.stderr


def test_a_memory_described_in_the_file_decides_who_sets_the_pace() -> None:
    found = [
        json.loads(
            ppnsim("sweep", "scenarios/networks/dram_copy.toml", "--vary", "load.outstanding=4,8", "--json", "-").stdout
        ),
        json.loads(ppnsim("run", "scenarios/networks/dram_copy.toml", "--json", "-").stdout),
    ]
    four, eight = (row["finish_s"] for row in found[0]["rows"])
    assert four == found[1]["finish_s"] > eight
    assert (found[1]["binds"]["term"], found[1]["binds"]["name"]) == ("outstanding", "load reads source")


@pytest.mark.parametrize(
    ("links", "words"),
    [
        ([("x", "y")], "no link joins 'x' and 'v', and no way leads there over other nodes (declare one, or place "
                       "both processes on one node)"),
        ([("x", "y"), ("y", "z"), ("z", "v")], "no link joins 'x' and 'v' (over 'y', 'z' it would be 3 hops: put "
                                               "processes there that pass the tokens on)"),
    ],
)  # fmt: skip
def test_a_route_that_is_not_there_and_one_of_several_hops_are_told_apart(
    tmp_path: Path, links: list[tuple[str, str]], words: str
) -> None:
    lines = [f'[node.{name}]\nclock = "100 MHz"' for name in "xyzv"]
    lines += [f'[link.{a}{b}]\nbetween = ["{a}", "{b}"]\nlatency = "1 us"' for a, b in links]
    lines += ['[process.a]\nfirings = 8\nnode = "x"', '[process.b]\nfirings = 8\nnode = "v"']
    file = tmp_path / "f.toml"
    file.write_text("\n".join([*lines, '[channel.c]\nfrom = "a"\nto = "b"']))
    out = ppnsim("run", str(file))
    assert (out.exit_code, out.stderr) == (2, f"{file}: channel 'c': {words}\n")


@pytest.mark.parametrize("value", ['latency = "1e30 s"', 'bandwidth = "1e-90 B/s"', 'latency = "6e6 s"'])
def test_a_time_beyond_all_counting_is_told(tmp_path: Path, value: str) -> None:
    file = tmp_path / "f.toml"
    key = value.split()[0]
    file.write_text(re.sub(rf"(?m)^{key} = .*$", value, GOOD))
    out = ppnsim("run", str(file))
    words = "the run goes on beyond 2**63 picoseconds: a clock or a link is that slow"
    assert (out.exit_code, out.stderr) == (2, f"{file}: {words}\n")


def test_two_hops_are_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "f.toml"
    third = '[node.z]\nclock = "100 MHz"\n[link.m]\nbetween = ["y", "z"]\nlatency = "1 us"\n'
    file.write_text(GOOD.replace('node = "y"', 'node = "z"').replace("[memory.ddr]", f"{third}[memory.ddr]"))
    out = ppnsim("run", str(file))
    words = "no link joins 'x' and 'z' (over 'y' it would be two hops: put a process there that passes the tokens on)"
    assert (out.exit_code, out.stderr) == (2, f"{file}: channel 'c': {words}\n")
