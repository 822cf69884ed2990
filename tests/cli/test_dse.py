"""``ppnsim dse``: text, JSON, picture, resuming, exit codes."""

from __future__ import annotations

import csv
import json
import signal
import time
from pathlib import Path

import pytest

from ppnsim.cli.main import main
from ppnsim.formats.shipped import shipped
from tests.helpers.commands import ppnsim, started

KERNELS = {each.name: str(each.path) for each in shipped()["kernel"]}
GESUMMV = KERNELS["gesummv.c"]


def test_the_gain_the_front_and_the_distance_to_the_optimum_are_told(tmp_path: Path) -> None:
    options = ("-D", "N=4", "--exhaustive", "--plot", str(tmp_path / "walk.svg"))
    text = ppnsim("explore-directives", GESUMMV, *options, "--json", str(tmp_path / "walk.json")).stdout
    result = json.loads((tmp_path / "walk.json").read_text())
    assert result["gain"] == pytest.approx(result["plain"]["cycles"] / result["best"]["cycles"])
    assert result["optimum"]["cycles"] <= result["best"]["cycles"]
    assert result["explored"] <= len(result["steps"]) and (tmp_path / "walk.svg").is_file()
    cycles = [each["cycles"] for each in result["front"]]
    areas = [each["area_share"] for each in result["front"]]
    assert cycles == sorted(cycles) and areas == sorted(areas, reverse=True)
    assert min(cycles) == result["optimum"]["cycles"]
    lines = text.splitlines()
    begin, end = (next(n for n, line in enumerate(lines) if line.startswith(head)) for head in ("front", "best"))
    assert [int(line.split()[1]) for line in lines[begin:end] if line[:1].isdigit()] == cycles
    assert f"optimum of all designs that fit: {result['optimum']['cycles']} cycles" in text


def test_json_alone_is_on_standard_output() -> None:
    result = json.loads(ppnsim("explore-directives", GESUMMV, "-D", "N=2", "--json", "-").stdout)
    assert result["complete"] and result["name"] == "kernel_gesummv"


def test_one_file_stops_no_other(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.c")
    done = ppnsim("explore-directives", missing, GESUMMV, "-D", "N=2", "--json", "-")
    failed, found = json.loads(done.stdout)
    assert done.exit_code == 2
    assert "no such file" in failed["error"] and found["gain"] > 1


def test_directives_are_worded_as_the_schedule_takes_them() -> None:
    result = json.loads(ppnsim("explore-directives", GESUMMV, "-D", "N=4", "--json", "-").stdout)
    pipelined = next(step for step in result["steps"] if step["what"].endswith("unrolled by 2"))
    options = [word for each in pipelined["directives"] if ": " in each for word in ("--pragma", each)]
    assert len(options) == 4
    assert ppnsim("schedule", GESUMMV, "-D", "N=4", *options).exit_code == 0


def test_without_balancing_sums_stay_chains() -> None:
    cycles = [
        json.loads(
            ppnsim("explore-directives", GESUMMV, "-D", "N=8", "-D", "DATA_TYPE=float", option, "--json", "-").stdout
        )
        for option in ("--balance", "--no-balance")
    ]
    assert cycles[0]["best"]["cycles"] < cycles[1]["best"]["cycles"]
    assert cycles[0]["plain"] == cycles[1]["plain"]


def test_ctrl_c_keeps_the_designs_and_the_rest_follows(tmp_path: Path) -> None:
    out = tmp_path / "designs.csv"
    command = [
        "explore-directives",
        KERNELS["bicg.c"],
        "-D",
        "N=24",
        "-D",
        "M=24",
        "--out",
        str(out),
        "--json",
        str(tmp_path / "r"),
    ]
    process = started(*command)
    try:
        for _ in range(600):
            if out.exists() and out.read_text().count("\n") > 4:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
    part = json.loads((tmp_path / "r").read_text())
    assert not part["complete"] and part["explored"] >= 4
    again = json.loads(ppnsim(*command[:-2], "--json", "-").stdout)
    assert again["complete"] and part["explored"] <= again["known"] < again["explored"]
    assert again["steps"][: len(part["steps"])] == part["steps"]
    with out.open() as rows:
        assert len(list(csv.DictReader(rows))) == again["explored"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--device", "xc9"), "no device 'xc9'"),
        (("--clock", "0 ns"), "must be a period above 0 ns"),
        (("--exhaustive", "--most", "3", "-D", "N=4"), "too many to try all (at most 3)"),
        (("--exhaustive", "--most", "100000", "-D", "N=256"), "too large to try (over 20000)"),
        (("--exhaustive", "--most", "0"), "--most: 0 must be at least 1"),
        (("--plot", "walk.gif"), "'.gif' is none of .svg, .png, .pdf"),
        (("--out", "designs.txt"), "'.txt' is none of .csv, .parquet"),
        (("--out", "nowhere/designs.csv"), "there is no directory 'nowhere'"),
        (("--out", "walk.csv", "--json", "walk.csv"), "'walk.csv' is also given to --json"),
        (("--out", "walk.svg", "--plot", "walk.svg"), "'walk.svg' is also given to --plot"),
        (("--function", "none"), "no function 'none'"),
    ],
)
def test_bad_input_has_its_own_message(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["ppnsim", "explore-directives", GESUMMV, *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_a_file_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "sweep.csv"
    path.write_text("depth,finish,key\n1,40,k\n", encoding="utf-8")
    done = ppnsim("explore-directives", GESUMMV, "-D", "N=2", "--out", str(path))
    assert done.exit_code == 2 and "has the columns of another sweep" in done.output
    assert path.read_text(encoding="utf-8") == "depth,finish,key\n1,40,k\n"
