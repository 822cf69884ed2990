"""``ppnsim compare`` with models: what it prints and writes, and what it refuses by name."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.formats.shipped import directory
from tests.helpers.commands import ppnsim

FOLDER = directory()
FORK_JOIN = str(FOLDER / "networks" / "fork_join.toml")
PREDICTOR = str(FOLDER / "kernels" / "predictor.c")
FILTER = str(FOLDER / "platforms" / "image_filter.toml")
VECADD = str(FOLDER / "opencl" / "vecadd.cl")
SPMV = str(FOLDER / "rooflines" / "spmv.toml")
EXACT = {
    "simulated": 37, "predicted.absolute": 37, "difference.absolute": 0, "error.absolute": 0, "outcome": "simulated",
    "unit": "cycles",
}  # fmt: skip
SWEPT = (FORK_JOIN, "--model", "absolute", "--model", "unbounded", "--vary", "short*.depth=1,8")


def test_table_csv_json_and_picture_say_the_same(tmp_path: Path) -> None:
    table, answer, picture = tmp_path / "errors.csv", tmp_path / "answer.json", tmp_path / "errors.svg"
    done = ppnsim("compare", *SWEPT, "--csv", str(table), "--json", str(answer), "--plot", str(picture))
    assert done.exit_code == 0
    result = json.loads(answer.read_text(encoding="utf-8"))
    assert [(row["simulated"], row["predicted.absolute"]) for row in result["points"]] == [(92, 37), (37, 37)]
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{name: str(value) for name, value in row.items()} for row in result["points"]] == rows
    assert (rows[0]["difference.absolute"], rows[0]["unit"]) == ("55", "cycles")  # what the model leaves out
    assert float(rows[0]["error.absolute"]) == pytest.approx(-55 / 92)
    worst = result["models"][0]["worst"]
    assert worst["values"] == {"short*.depth": 1}
    assert worst["causes"][0] == {"words": "full FIFOs: a process waits for a slot", "amount": 55}
    assert "+55 cycles: full FIFOs" in done.stdout
    assert b"<svg" in picture.read_bytes()


def test_options_of_networks_and_of_sources_count() -> None:
    styled = json.loads(ppnsim("compare", FORK_JOIN, "--style", "frozen", "--depth", "12", "--json", "-").stdout)
    assert styled["points"] == [EXACT]
    done = ppnsim("compare", PREDICTOR, "--latency", "3", "-D", "Y=5", "--vary", "X=4,5", "--json", "-")
    assert [row["simulated"] for row in json.loads(done.stdout)["points"]] == [67, 83]
    assert len(done.stderr.splitlines()) == 1  # what was taken for the source is said once, not at each point


LANES = """#include "hls_stream.h"
#ifndef LANES
#define LANES 2
#endif
static void fan(const int a[9], hls::stream<int> s[LANES]) {
    for (int j = 0; j < LANES; j++) {
#pragma HLS unroll
        for (int i = 0; i < 9; i++) s[j].write(a[i]); } }
static void join(hls::stream<int> s[LANES], int b[9]) {
    for (int i = 0; i < 9; i++) { int v = 0; for (int j = 0; j < LANES; j++) v += s[j].read(); b[i] = v; } }
void k(const int a[9], int b[9]) {
#pragma HLS dataflow
    hls::stream<int> s[LANES]; fan(a, s); join(s, b); }
"""


def test_a_pattern_means_the_channels_that_there_are_at_each_size(tmp_path: Path) -> None:
    file = tmp_path / "lanes.cpp"
    file.write_text(LANES, encoding="utf-8")
    done = ppnsim("compare", str(file), "--vary", "LANES=2,3", "--vary", "s*.depth=9", "--json", "-")
    alone = (ppnsim("run", str(file), "-D", f"LANES={lanes}", "--depth", "s=9", "--json", "-") for lanes in (2, 3))
    finishes = [json.loads(each.stdout)["finish"] for each in alone]
    assert None not in finishes
    assert [row["simulated"] for row in json.loads(done.stdout)["points"]] == finishes


def test_a_network_on_standard_input_is_read_once() -> None:
    words = ["compare", "-", "--model", "absolute", "--depth", "12", "--style", "frozen", "--json", "-"]
    done = CliRunner().invoke(app, words, input=Path(FORK_JOIN).read_text(encoding="utf-8"), catch_exceptions=False)
    assert json.loads(done.stdout)["points"] == [EXACT]


def test_a_platform_on_standard_input_is_compared_as_its_file() -> None:
    text = Path(FILTER).read_text(encoding="utf-8")
    piped, named = (
        json.loads(CliRunner().invoke(app, ["compare", file, "--json", "-"], input=text, catch_exceptions=False).stdout)
        for file in ("-", FILTER)
    )
    assert piped | {"file": FILTER} == named


def test_several_files_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimates of van Teijlingen 2014 (chapters 4.3 and 6) beside the simulation, as a row for each network."""
    names = ("four_processes", "predictor", "oom_plus")
    monkeypatch.chdir(FOLDER / "networks")  # short names, which no column breaks
    files = [f"{name}.toml" for name in names]
    table = tmp_path / "table.csv"
    done = ppnsim("compare", *files, "--model", "absolute", "--model", "unbounded", "--csv", str(table))
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["file"] for row in rows] == files
    assert [row["simulated"] for row in rows] == [row["predicted.absolute"] for row in rows] == ["14", "83", "33"]
    assert rows[1]["predicted.unbounded"] == "45"
    summary = done.stdout.splitlines()[-3:]
    assert [line.split()[:4] for line in summary] == [
        [file, "1", row["simulated"], row["predicted.absolute"]] for file, row in zip(files, rows, strict=True)
    ]


def test_json_is_a_list_when_several_files_were_given() -> None:
    assert len(json.loads(ppnsim("compare", FORK_JOIN, FORK_JOIN, "--json", "-").stdout)) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((FORK_JOIN, "--model", "ratss"), "takes a platform, and this is a network, which absolute, unbounded, bounds"),
        ((FILTER, "--model", "absolute"), "takes a network, and this is a platform, which ratss takes"),
        ((FORK_JOIN, "--model", "absolut"), "is not a model (did you mean 'absolute'?)"),
        ((FORK_JOIN, "--model", "none.py"), "--model none.py: no such file"),
        ((FORK_JOIN, "--vary", "n=4:64"), "is not a parameter"),
        ((FORK_JOIN, "--model", "absolute", "--model", "absolute"), "is there twice"),
        ((FORK_JOIN, "--tolerance", "2"), "--tolerance: 2 is not a share"),
        ((PREDICTOR, "--vary", "X=a"), "'a' is not a whole number"),
        ((PREDICTOR, "--vary", "Z=3"), "Z = 3: "),
        ((PREDICTOR, "--vary", "X=3", "--design", "pipeline j"), "--design"),
        ((FILTER, "--set", "n=4"), "--set cannot be used with this file"),
        ((VECADD, "--style", "frozen"), "--style cannot be used with an OpenCL kernel"),
        ((SPMV, "--vary", "argument.A.locality=64", "--vary", "argument.B.quanta=4"), "there is no 'B'"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(words: tuple[str, ...], said: str) -> None:
    # Some are refused before any file is read: the error then leaves the command, and `main` prints it.
    try:
        done = ppnsim("compare", *words)
    except Exception as error:
        assert said in str(error)
    else:
        assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(("said", "share"), [("5%", 0.05), ("0.2", 0.2), (" 12.5 % ", 0.125)])
def test_a_tolerance_may_be_in_percent(said: str, share: float) -> None:
    done = ppnsim("compare", *SWEPT, "--tolerance", said, "--json", "-")
    assert json.loads(done.stdout)["tolerance"] == share


@pytest.mark.parametrize(("said", "words"), [
    ("5", "--tolerance: 5 is not a share from 0 to below 1 (5 % is 0.05 or 5%)"),
    ("some", "'some' is not a share (like 0.05 or 5%)"),
])  # fmt: skip
def test_what_is_no_tolerance_is_refused(said: str, words: str) -> None:
    # A value that typer refuses leaves the command, and `main` prints the error (see mistakes.py for its exit code).
    try:
        done = ppnsim("compare", *SWEPT, "--tolerance", said)
    except InputError as error:
        assert words in str(error)
    else:
        assert done.exit_code == 2 and words in done.stderr


def test_several_files_get_a_picture_each_and_one_table(tmp_path: Path) -> None:
    files = [str(FOLDER / "networks" / f"{name}.toml") for name in ("iom_minus", "oom_plus")]
    table, plot = tmp_path / "rows.csv", tmp_path / "rows.svg"
    done = ppnsim("compare", *files, "--model", "absolute", "--csv", str(table), "--plot", str(plot))
    assert done.exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["rows-iom_minus.svg", "rows-oom_plus.svg", "rows.csv"]
    assert [line.split(",")[0] for line in table.read_text().splitlines()] == ["file", *files]
