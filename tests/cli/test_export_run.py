"""``ppnsim export`` of runs: what lands on disk, and what is refused without leaving anything there."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from ppnsim.errors import InputError
from tests.helpers.commands import ppnsim

ROOT = Path(__file__).parents[2]
PREDICTOR = str(ROOT / "scenarios/networks/predictor.toml")
FORK_JOIN = str(ROOT / "scenarios/networks/fork_join.toml")
PLATFORM = str(ROOT / "scenarios/platforms/image_filter.toml")


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["-o", "a.vcd"], ["a.gtkw", "a.vcd"]),
        (["--format", "perfetto", "-o", "a.json"], ["a.json"]),
        (["--format", "wavedrom", "--window", "0:40", "-o", "a.json"], ["a.json"]),
        (["--window", "0:40", "-o", "a.svg"], ["a.svg"]),
        (["-o", "a.csv"], ["a.csv"]),
        (["--table", "states", "--from", "10", "-o", "a.parquet"], ["a.parquet"]),
        (["-o", "a.json"], ["a.json"]),
    ],
)
def test_each_format_is_written(
    arguments: list[str], files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ppnsim("export", PREDICTOR, *arguments)
    assert done.exit_code == 0, done.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == files


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "a.xyz"], "'.xyz' is none of"),
        (["--format", "vcd", "-o", "a.json"], "'.json' is not .vcd"),
        (["-o", "nowhere/a.vcd"], "there is no directory"),
        (["--window", "90:95", "-o", "a.vcd"], "holds no cycle"),
        (["--window", "9:5", "-o", "a.vcd"], "holds no cycle"),
        (["--window", "x", "-o", "a.vcd"], "A:B"),
        (["--window", "1:5", "--from", "2", "-o", "a.vcd"], "give one of them"),
        (["--table", "states", "-o", "a.vcd"], "--table says nothing to the format vcd"),
        (["--flows", "-o", "a.csv"], "--flows says nothing"),
        (["--window", "1:2", "-o", "a.json"], "says nothing to the format json"),
        (["--table", "spans", "-o", "a.csv"], "for platforms"),
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_nothing(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        done = ppnsim("export", PREDICTOR, *arguments)
        code, shown = done.exit_code, done.stderr
    except InputError as error:  # what `cli.main` catches
        code, shown = error.exit_code, str(error)
    assert code == 2
    assert words in shown
    assert list(tmp_path.iterdir()) == []


def test_a_deadlock_is_written_up_to_where_it_stands_still(tmp_path: Path) -> None:
    place = tmp_path / "a.csv"
    done = ppnsim("export", FORK_JOIN, "--style", "frozen", "--depth", "2", "--table", "states", "-o", str(place))
    assert done.exit_code == 0
    table = pd.read_csv(place)
    assert len(set(table.groupby("process")["last"].max())) == 1
    assert (table[table["process"] == "join"].iloc[-1][["state"]] == "starved").all()


@pytest.mark.parametrize("name", ["a.vcd", "a.csv", "a.parquet"])
def test_a_platform_is_written_too(name: str, tmp_path: Path) -> None:
    done = ppnsim("export", PLATFORM, "-o", str(tmp_path / name), "--json", "-")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["stopped"] > 0
    if name == "a.csv":
        table = pd.read_csv(tmp_path / name)
        assert (table["end"] >= table["start"]).all()
        assert table["end"].max() == json.loads(done.stdout)["stopped"]


def test_a_platform_has_no_diagram_of_cycles(tmp_path: Path) -> None:
    done = ppnsim("export", PLATFORM, "-o", str(tmp_path / "a.svg"))
    assert done.exit_code == 2
    assert "no diagram of cycles" in done.stderr


def test_a_window_of_a_run_that_repeats_itself_needs_no_more_than_its_beginning(tmp_path: Path) -> None:
    text = "[process.a]\nfirings = {0}\n[process.b]\nfirings = {0}\n[channel.c]\nfrom = 'a'\nto = 'b'\ndepth = 2\n"
    tables = {}
    for name, firings in (("short", 300_000), ("long", 1_000_000_000)):
        (tmp_path / f"{name}.toml").write_text(text.format(firings), encoding="utf-8")
        place = tmp_path / f"{name}.csv"
        done = ppnsim("export", str(tmp_path / f"{name}.toml"), "--window", "5:25", "-o", str(place))
        assert done.exit_code == 0, done.stderr
        tables[name] = place.read_text(encoding="utf-8")
    assert tables["short"] == tables["long"]
    done = ppnsim("export", str(tmp_path / "long.toml"), "-o", str(tmp_path / "all.csv"))
    assert done.exit_code == 2
    assert "the rest repeats itself" in done.stderr
    assert not (tmp_path / "all.csv").exists()
