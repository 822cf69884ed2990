"""The command ``ppnsim opencl``: its text, its JSON, its pictures, its exit codes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ppnsim.cli.main import main
from ppnsim.errors import InputError
from ppnsim.library import opencl
from ppnsim.opencl.pictures import PathPoint, tuning_path, work_item_sweep
from ppnsim.opencl.report import SweepPoint
from tests.helpers.commands import ppnsim

FOLDER = Path(__file__).parents[2] / "scenarios" / "opencl"
MM, ADD = str(FOLDER / "mm.toml"), str(FOLDER / "vecadd.toml")


def test_the_answer_comes_first_and_what_to_do_next_last() -> None:
    lines = [line.strip() for line in ppnsim("opencl", MM).stdout.splitlines() if line.strip()]
    assert lines[0].startswith("matrix product   baseline   predicted 8,594,128,896 cycles (29.28 s at ")
    assert lines[-1].startswith("next: SM (B_mem is 0.62; 'multiply' is slowest, bound by memory: SM keeps in local")


def test_every_step_of_the_path_is_executed_if_asked_for() -> None:
    told = json.loads(
        ppnsim("opencl", MM, "--set", "N=32", "--set", "T=16", "--tune", "--simulate", "--json", "-").stdout
    )
    executed = [step["simulated"]["cycles"] for step in told["tuning"]]
    assert executed[0] == told["simulated"]["cycles"]
    assert executed[-1] < executed[0] / 20
    assert len(executed) == len(told["tuning"]) > 2


def test_the_path_is_in_the_json_and_so_is_the_best_of_all() -> None:
    told = json.loads(ppnsim("opencl", MM, "--tune", "--combinations", "--json", "-").stdout)
    assert [step["design"] for step in told["tuning"]] == ["baseline", "SM", "SM+UL64:k", "SM+UL64:k+SIMD4"]
    assert told["combinations"]["looked_at"] > told["combinations"]["fit"] > 1
    assert 0 <= told["combinations"]["path_behind"] < 0.02
    assert told["advice"]["design"] == "SM"
    assert set(told["potentials"]) == {"B_comp", "B_mem", "B_balance", "B_itpp"}


def test_a_sweep_has_predicted_and_executed_cycles_side_by_side() -> None:
    arguments = ("opencl", ADD, "--set", "N=8192", "--vary", "W=32,128,256", "--simulate")
    rows = json.loads(ppnsim(*arguments, "--json", "-").stdout)["sweep"]
    assert [row["value"] for row in rows] == [32, 128, 256]
    for row in rows:
        assert row["simulated"] == pytest.approx(row["cycles"], rel=0.05)
    assert [row["simulated"] for row in rows] == [33_040, 8431, 8305]
    assert rows[0]["itpp"] > 0.7 > rows[1]["itpp"]
    shown = " ".join(ppnsim(*arguments).stdout.split())
    assert f"32 33,024 {rows[0]['simulated']:,} +16 " in shown


def test_a_sweep_of_several_parameters_has_a_row_and_a_line_for_each_combination(tmp_path: Path) -> None:
    table, picture = tmp_path / "rows.csv", tmp_path / "rows.svg"
    varied = ("--vary", "W=32,64,128", "--vary", "N=8192,16384")
    out = ppnsim("opencl", ADD, *varied, "--csv", str(table), "--plot", str(picture), "--json", "-")
    rows = json.loads(out.stdout)["sweep"]
    assert [row["value"] for row in rows] == [{"W": w, "N": n} for w in (32, 64, 128) for n in (8192, 16384)]
    for row in rows[:2]:
        at = [each for name, value in row["value"].items() for each in ("--set", f"{name}={value}")]
        assert json.loads(ppnsim("opencl", ADD, *at, "--json", "-").stdout)["cycles"] == row["cycles"]
    assert table.read_text().splitlines()[0] == "W,N,predicted,simulated,difference,because,B_itpp"
    assert picture.read_text().count("predicted N = ") == 2
    with pytest.raises(InputError, match="W is varied by 2 of the --vary"):
        ppnsim("opencl", ADD, "--vary", "W=32", "--vary", "W=64")


def test_one_design_is_executed_beside_its_prediction() -> None:
    told = json.loads(
        ppnsim(
            "opencl", MM, "--set", "N=16", "--set", "T=8", "--design", "SM+UL8:k", "--simulate", "--json", "-"
        ).stdout
    )
    assert told["design"] == "SM+UL8:k"
    assert told["simulated"]["executions"]["multiply"] == 16 * 16 * 2
    assert sum(told["simulated"]["banks"]) == told["simulated"]["transactions"]


def test_pictures_of_path_and_sweep(tmp_path: Path) -> None:
    for name, options in (("path.svg", ["--tune"]), ("sweep.svg", ["--vary", "N=512,1024"]), ("one.svg", [])):
        place = tmp_path / name
        assert ppnsim("opencl", MM, *options, "--plot", str(place)).exit_code == 0
        assert place.read_text().count("<svg") == 1


def test_the_path_picture_has_a_bar_for_every_potential_of_every_step() -> None:
    left = {"B_comp": 0.5, "B_mem": 0.25, "B_balance": 0.75, "B_itpp": 0.0}
    axes = tuning_path("f", [PathPoint("baseline", left, 1.0), PathPoint("SM", left, 2.0)]).axes[0]
    assert [round(bar.get_height(), 2) for bar in axes.patches] == [0.5, 0.5, 0.25, 0.25, 0.75, 0.75, 0, 0]  # type: ignore[attr-defined]
    points = [
        SweepPoint(values={"W": value}, cycles=cycles, executed=executed, itpp=0.5)
        for value, cycles, executed in ((1, 8.0, 9), (2, 4.0, 4))
    ]
    drawn = work_item_sweep("f", points).axes[0]
    assert [np.asarray(line.get_ydata()).tolist() for line in drawn.lines] == [[8.0, 4.0], [9, 4]]


def test_ctrl_c_keeps_the_rows_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    executed, calls = opencl._executed, []

    def stopping(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return executed(*arguments)

    monkeypatch.setattr(opencl, "_executed", stopping)
    shown = ppnsim("opencl", ADD, "--set", "N=2048", "--vary", "W=32,64,128", "--simulate", "--json", "-")
    told = json.loads(shown.stdout)
    assert shown.exit_code == 130
    assert told["interrupted"] is True
    assert [row["value"] for row in told["sweep"]] == [32]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([MM, "--plot", "x.gif"], "--plot x.gif: '.gif' is none of .svg, .png, .pdf"),
        ([MM, "--set", "N"], "--set: 'N' is not NAME=VALUE"),
        ([MM, "--set", "N=four"], "--set N: 'four' is not a whole number"),
        ([MM, "--set", "M=4"], "mm.toml: there is no parameter 'M' (parameters: N, T)"),
        ([MM, "--vary", "N"], "--vary N: is not of the form NAME=VALUES (like n=4:64 or n=4,8,16)"),
        ([MM, "--design", "UL5:k"], "mm.toml: loop 'k': unrolling 64 iterations by 5 leaves a rest"),
        ([MM, "--design", "TURBO"], "design 'TURBO': 'TURBO' is not an optimisation"),
        ([MM, "--simulate"], "mm.toml: kernel 'matrix product' executes 8,594,128,896 blocks"),
        (["nowhere.toml"], "nowhere.toml: no such file"),
        ([str(FOLDER / "wordcount.toml"), "--combinations"], "kernel 'word count' has 55,296 combinations"),
    ],
)
def test_bad_input_is_refused(
    options: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ppnsim", "opencl", *options])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert message in capsys.readouterr().err
