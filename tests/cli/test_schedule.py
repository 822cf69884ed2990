"""The command ``ppnsim schedule``."""

from __future__ import annotations

import json
from math import ceil
from pathlib import Path

from typer.testing import CliRunner

from ppnsim import schedule
from ppnsim.cli.app import app
from tests.helpers.csynth import Written, write_xml

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"


def test_json_has_cycles_loops_and_resources() -> None:
    done = CliRunner().invoke(app, ["schedule", str(KERNELS / "atax.c"), "-D", "M=390", "-D", "N=410", "--json", "-"])
    assert done.exit_code == 0
    result = json.loads(done.stdout)[0] if done.stdout.startswith("[") else json.loads(done.stdout)
    assert result["cycles"] == 1290532  # RTL of vitis_polybench.json, float__medium/atax
    assert [(loop["ii"], loop["depth"], loop["visits"]) for loop in result["loops"]] == [
        (1, 2, 1),
        (7, 17, 390),
        (1, 17, 390),
    ]
    assert {"name", "line", "ii", "ii_bound_by", "depth", "trip", "visits", "cycles"} <= set(result["loops"][0])
    assert result["resources"]["units"] == {"add_double64": 1, "mul_double64": 1}


def test_the_table_names_the_bottleneck_and_the_picture_is_written(tmp_path: Path) -> None:
    picture = tmp_path / "body.svg"
    done = CliRunner().invoke(app, ["schedule", str(KERNELS / "trisolv.c"), "--plot", str(picture)])
    assert done.exit_code == 0
    assert "bottleneck: loop j" in done.stdout
    assert picture.read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_the_bottleneck_has_the_label_of_its_loop(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void k(int a[8]) {\n  rows: for (int i = 0; i < 8; i++) a[i] += 1;\n}\n")
    done = CliRunner().invoke(app, ["schedule", str(tmp_path / "a.c")])
    assert done.exit_code == 0
    assert "bottleneck: loop rows (line 2)" in done.stdout


def test_what_is_assumed_says_so_once() -> None:
    done = CliRunner().invoke(app, ["schedule", str(KERNELS.parent / "hls" / "workers.cpp")])
    assert done.exit_code == 0
    assert "; merge_round_robin, split_round_robin pass one token a cycle" in done.stdout


def test_no_picture_of_a_loop_that_is_not_there(tmp_path: Path) -> None:
    asked = ["schedule", str(KERNELS / "trisolv.c"), "--plot", str(tmp_path / "body.svg"), "--loop", "3"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 2
    assert "no pipelined loop begins in line 3 (pipelined: " in done.stderr


def test_reports_of_the_tool_give_the_loops_that_they_have(tmp_path: Path) -> None:
    source = tmp_path / "kernel.cpp"
    source.write_text(
        "void k(int a[9], int b[9]) {\n  first: for (int i = 0; i < 9; i++) a[i] = i;\n"
        "  second: for (int i = 0; i < 9; i++) b[i] = i;\n}\n",
        encoding="utf-8",
    )
    write_xml(tmp_path / "reports", "k", [Written("second", 9, 7, 3, places=(3,))])
    asked = ["schedule", str(source), "--reports", str(tmp_path / "reports"), "--json", "-"]
    done = CliRunner().invoke(app, [*asked, "--clock", "3.33 ns"])
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    result = result[0] if isinstance(result, list) else result
    assert [(loop["ii"], loop["ii_bound_by"], loop["reported"]) for loop in result["loops"]] == [
        (1, "one per cycle", None),
        (3, "reported", "'second' of k_csynth.xml"),
    ]
    done = CliRunner().invoke(app, [*asked, "--clock", "5 ns"])
    assert "the reports are of a clock of 3.33 ns, and --clock gives 5 ns" in done.output


def test_a_project_says_top_part_clock_macros_and_directives_and_options_win(tmp_path: Path) -> None:
    source = "void scale(int a[90], int b[90]) {\n  rows: for (int i = 0; i < 90; i++) b[i] = FACTOR * a[i];\n}\n"
    (tmp_path / "scale.cpp").write_text(source, encoding="utf-8")
    script = tmp_path / "run_hls.tcl"
    script.write_text(
        "open_project p\nset_top scale\nadd_files scale.cpp -cflags -DFACTOR=3\nopen_solution s\n"
        "set_part {xcu280-fsvh2892-2L-e}\ncreate_clock -period 3.33\nset_directive_pipeline -II 2 scale/rows\n"
        "config_schedule -effort high\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, ["schedule", str(script), "--json", "-"])
    assert done.exit_code == 0, done.output
    assert f"no effect: {script}:8: config_schedule -effort high" in done.stderr
    found = json.loads(done.stdout)
    assert (found["device"], found["clock_ns"], [each["ii"] for each in found["loops"]]) == ("alveo-u280", 3.33, [2])
    again = json.loads(CliRunner().invoke(app, ["schedule", str(script), "--clock", "10 ns", "--json", "-"]).stdout)
    assert (again["device"], again["clock_ns"]) == ("alveo-u280", 10)
    refused = CliRunner().invoke(app, ["schedule", str(script), "--solution", "other"])
    assert (refused.exit_code, "run_hls.tcl: no solution 'other' (solutions: s)" in refused.output) == (2, True)


def test_a_window_shows_the_tasks_in_it_and_is_refused_where_nothing_is_over_time(tmp_path: Path) -> None:
    source = tmp_path / "subtract_mean.cpp"
    text = (KERNELS.parent / "hls" / "subtract_mean.cpp").read_text(encoding="utf-8")
    source.write_text(text.replace("kept;\n", "kept;\n#pragma HLS stream variable=kept depth=64\n"), encoding="utf-8")
    scheduled = schedule(source)
    for window in ("20:60", "200ns:600ns"):
        drawn = scheduled.figure(window=window).axes[0]
        assert drawn.get_xlim() == (20, 60)
        assert [label.get_text() for label in drawn.get_yticklabels()] == ["load", "average", "subtract"]
    picture, kernel = str(tmp_path / "tasks.svg"), str(KERNELS / "trisolv.c")
    for asked, words in (
        ((str(source), "--plot", picture, "--window", "20:60"), ""),
        ((str(source), "--plot", picture, "--window", "900:"), "the run has the cycles 0..132"),
        ((kernel, "--plot", picture, "--window", "2:9"), "only the tasks of a dataflow region are shown over time"),
        ((kernel, "--window", "2:9"), "--plot"),
    ):
        done = CliRunner().invoke(app, ["schedule", *asked])
        assert (done.exit_code == 0) == (words == "")
        assert words in f"{done.stderr}{done.exception}"


def test_a_body_that_is_cut_ends_with_the_next_iteration_of_what_is_drawn() -> None:
    drawn = schedule(KERNELS / "gemm.c").figure().axes[0]
    end = max(bar.get_x() + bar.get_width() for bar in drawn.patches)  # type: ignore[attr-defined]
    assert drawn.get_xlim() == (0, ceil(end))


def test_json_has_what_is_assumed_of_branches(tmp_path: Path) -> None:
    """It is told on the error stream, too."""
    source = tmp_path / "either.cpp"
    source.write_text("void f(int a[8]) { if (a[0]) for (int i = 0; i < 8; i++) a[i] *= a[i]; }\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["schedule", str(source), "--json", "-"])
    words = "the body of the if in line 1 is always executed: data decides, and loops are in it"
    assert (json.loads(done.stdout)["assumptions"], words in done.stderr) == ([words], True)
