"""``ppnsim roofline`` and ``ppnsim dse``: text, JSON, pictures, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppnsim.cli.main import main
from ppnsim.formats.shipped import shipped_kernels, shipped_rooflines

KERNELS = {each.name: str(each.path) for each in shipped_kernels()}
ROOFLINES = {each.name: str(each.path) for each in shipped_rooflines()}


def ran(*arguments: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["ppnsim", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
    return int(stopped.value.code or 0)


def test_json_alone_is_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran("roofline", ROOFLINES["smith_waterman.toml"], "--json", "-") == 0
    result = json.loads(capsys.readouterr().out)
    # Four ports of 64 bytes at 280 MHz, 2.5756 updates per byte: the paper's prediction.
    assert result["attainable_per_s"] == pytest.approx(184.619e9, rel=1e-6)
    assert result["bound"] == "ddr[0]" and result["points"][0]["name"] == "measured"


def test_a_source_has_walls_results_and_the_design_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran("roofline", ROOFLINES["nbody.c"], "-D", "N=32", "--json", "-") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["metric"], result["work"]) == ("results", 32 * 32)
    assert [wall["loop"] for wall in result["walls"]] == ["", "i", "j"]
    assert result["points"][0]["name"].startswith("as written, ")


@pytest.mark.parametrize(("metric", "name"), [("flops", "flop"), ("operations", "operations")])
def test_the_metric_may_be_chosen(metric: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran("roofline", ROOFLINES["nbody.c"], "-D", "N=8", "--metric", metric, "--json", "-") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["metric"], result["work"]) == (name, 8 * 8 * 19)  # 9 sums, 8 products, a root, a division


def test_the_answer_says_what_would_make_it_compute_bound(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran("roofline", ROOFLINES["nbody.c"]) == 0
    assert "scratchpads of 43008 bytes in front of the kernel make it compute bound" in capsys.readouterr().out


def test_ports_are_simulated_and_pictures_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [str(tmp_path / name) for name in ("roof.svg", "chart.svg")]
    options = ("--simulate", "--bank", "ddr[0]", "--plot", pictures[0], "--chart", pictures[1])
    assert ran("roofline", ROOFLINES["spmv.toml"], *options) == 0
    assert "simulated" in capsys.readouterr().out
    assert all(Path(picture).read_text(encoding="utf-8").startswith("<?xml") for picture in pictures)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--device", "xc9"), "no device 'xc9'"),
        (("--memory", "DDR9"), "'DDR9' is no preset of a memory"),
        (("--clock", "-5 ns"), "must be a period above 0 ns"),
        (("--quanta", "0"), "--quanta: 0 must be from 1 to 4096 bytes"),
        (("--bank", "ddr[9]"), "no argument is on a bank 'ddr[9]'"),
        (("--plot", "roof.gif"), "'.gif' is none of .svg, .png, .pdf"),
        (("--metric", "results"), "the metric 'results' needs a #pragma ppnsim result"),
        (("-D", "NI=0"), "no operation counts for the metric 'operations'"),
    ],
)
def test_bad_input_has_its_own_message(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("roofline", KERNELS["gemm.c"], *arguments) == 2
    assert message in capsys.readouterr().err


def test_dse_tells_the_gain_and_the_distance_to_the_optimum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("-D", "N=4", "--exhaustive", "--plot", str(tmp_path / "walk.svg"), "--json", "-")
    assert ran("dse", KERNELS["gesummv.c"], *options) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["gain"] == pytest.approx(result["plain"]["cycles"] / result["best"]["cycles"])
    assert result["optimum"]["cycles"] <= result["best"]["cycles"]
    assert result["explored"] <= len(result["steps"]) and (tmp_path / "walk.svg").is_file()


@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        ("gesummv.c", ("--device", "xc9"), "no device 'xc9'"),
        ("gesummv.c", ("--exhaustive", "--most", "3", "-D", "N=4"), "too many to try all (at most 3)"),
        ("gesummv.c", ("--most", "0"), "--most: 0 must be at least 1"),
    ],
)
def test_dse_refuses_bad_input(
    kernel: str, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("dse", KERNELS[kernel], *arguments) == 2
    assert message in capsys.readouterr().err
