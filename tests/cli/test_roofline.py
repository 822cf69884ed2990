"""``ppnsim roofline``: text, JSON, pictures, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppnsim.cli.main import main
from ppnsim.formats.shipped import shipped

KERNELS = {each.name: str(each.path) for each in shipped()["kernel"]}
ROOFLINES = {each.name: str(each.path) for each in shipped()["roofline"]}


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
    assert result["attainable_per_s"] == pytest.approx(184.619008e9, rel=1e-12)
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
    assert ran("roofline", ROOFLINES["nbody.c"], "--device", "xcvu9p") == 0
    assert "scratchpads of 43008 bytes in front of the kernel make it compute bound" in capsys.readouterr().out


def test_ports_are_simulated_and_pictures_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [str(tmp_path / name) for name in ("roof.svg", "chart.svg")]
    options = ("--simulate", "--bank", "ddr[0]", "--plot", pictures[0], "--plot-quanta", pictures[1])
    assert ran("roofline", ROOFLINES["spmv.toml"], *options) == 0
    assert "simulated" in capsys.readouterr().out
    assert all(Path(picture).read_text(encoding="utf-8").startswith("<?xml") for picture in pictures)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--device", "xc9"), "no device 'xc9'"),
        (("--memory", "DDR9"), "'DDR9' is not a preset of a memory"),
        (("--clock", "-5 ns"), "must be a period above 0 ns"),
        (("--quanta", "0"), "--quanta: 0 must be from 1 to 4096 bytes"),
        (("--bank", "ddr[9]"), "no argument is on a bank 'ddr[9]'"),
        (("--plot", "roof.gif"), "'.gif' is none of .svg, .png, .pdf"),
        (("--metric", "results"), "the metric 'results' needs a #pragma ppnsim result"),
        (("-D", "NI=0"), "function 'kernel_gemm': no operation counts for the metric 'operations'"),
        (
            ("--plot", "a.png", "--plot-quanta", "./a.png"),
            "--plot-quanta: 'a.png' is also given to --plot, which it would replace",
        ),
    ],
)
def test_bad_input_has_its_own_message(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("roofline", KERNELS["gemm.c"], *arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "arguments", "message"),
    [
        ("nbody.toml", ("--clock", "1 GHz"), "--clock can only be used with C sources; this file says that itself"),
        ("nbody.toml", ("--device", "xc7z020"), "--device can only be used with C sources"),
        ("spmv.toml", ("--metric", "flops", "-D", "N=4"), "--metric, -D can only be used with C sources"),
    ],
)
def test_what_a_file_says_is_not_overruled_in_silence(
    file: str, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("roofline", ROOFLINES[file], *arguments) == 2
    assert message in capsys.readouterr().err


def test_designs_that_count_something_else_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran("roofline", ROOFLINES["nbody.toml"], "-D", "N=8", "--metric", "flops", "--json", "-") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["metric"] == "flop" and [point["name"][:10] for point in result["points"]] == ["as written"]
    assert "the designs of the file are left out: they count pairs" in result["notes"]


@pytest.mark.parametrize("command", ["roofline", "lost", "schedule"])
def test_no_command_replaces_the_file_that_it_reads(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "gemm.c"
    text = Path(KERNELS["gemm.c"]).read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    assert ran(command, str(file), "--json", str(file)) == 2
    assert f"--json: '{file}' is the input itself" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text


NO_MEMORY = """clock = "200 MHz"
[resources]
dsp = 100
[[operator]]
name = "f"
count = 10
dsp = 2
"""


def test_what_there_is_none_of_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.toml"
    file.write_text(NO_MEMORY, encoding="utf-8")
    assert ran("roofline", str(file), "--plot-quanta", str(tmp_path / "a.svg")) == 2
    assert "--plot-quanta: there is no memory to draw" in capsys.readouterr().err
    assert ran("roofline", str(file), "--simulate") == 0
    assert "nothing to simulate: no argument is on a memory with a preset" in capsys.readouterr().out


STRUCTS = """
struct complex_t { float re, im; };
void scaled(complex_t x[32]) {
    for (int i = 0; i < 32; i++) {
        x[i].re = x[i].re * 2.0f;
        x[i].im = x[i].im * 2.0f;
    }
}
"""


def test_a_struct_is_its_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "scaled.cpp"
    file.write_text(STRUCTS, encoding="utf-8")
    assert ran("roofline", str(file), "--json", "-") == 0
    result = json.loads(capsys.readouterr().out)
    assert {port["argument"]: port["bytes"] for port in result["ports"]} == {"x.im": 2 * 128, "x.re": 2 * 128}
    assert result["work"] == 64


@pytest.mark.parametrize(
    ("bodies", "told"),
    [("1536", "scratchpads of 43008 bytes in front of the kernel make it compute bound"),
     ("400000", "would make it compute bound, more than 4320 block RAMs hold: tile it")],
)  # fmt: skip
def test_scratchpads_larger_than_the_device_are_no_advice(
    bodies: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("roofline", ROOFLINES["nbody.c"], "-D", f"N={bodies}", "--device", "xcvu9p") == 0
    assert told in capsys.readouterr().out
