"""Commands on networks take projects and reports of a vendor's tool beside the C++ that they are of."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import ppnsim
from tests.helpers.commands import ppnsim as command
from tests.helpers.csynth import Written, write_summary

MEAN = Path(__file__).parents[2] / "scenarios" / "hls" / "subtract_mean.cpp"
SCRIPT = """set_top subtract_mean
open_project demo
add_files subtract_mean.cpp -cflags "-DUSED=1"
open_solution fast
set_part xcvu9p-flga2104-2-i
create_clock -period 200MHz
set_directive_stream -depth 64 subtract_mean kept
config_schedule -relax_ii_for_timing
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the scenario."""
    shutil.copy(MEAN, tmp_path)
    return tmp_path


def answer(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = command(*arguments, "--json", "-")
    assert done.exit_code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_project_says_top_part_clock_and_directives(folder: Path) -> None:
    script = folder / "run_hls.tcl"
    script.write_text(SCRIPT, encoding="utf-8")
    found = answer("run", str(script))
    own = answer("run", str(folder / MEAN.name), "--depth", "kept=64", "--device", "xcvu9p", "--clock", "200 MHz")
    assert (found["finish"], found["time_ns"]) == (own["finish"], own["time_ns"])
    assert found["channels"] == own["channels"]
    assert (found["source"]["device"], found["source"]["clock_ns"]) == ("xcvu9p", 5.0)
    (note,) = found["source"]["notes"]
    assert note == f"no effect: {script}:8: config_schedule -relax_ii_for_timing"
    assert ppnsim.load_network(script).clock_ns == 5.0


def test_the_page_of_a_project_shows_the_source_whose_lines_it_names(folder: Path) -> None:
    script = folder / "run_hls.tcl"
    script.write_text(SCRIPT, encoding="utf-8")
    assert command("run", str(script), "--out", str(folder / "o"), "--plot", str(folder / "o")).exit_code == 0
    page = (folder / "o" / "report.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'id="data">(.*?)</script>', page)
    (told,) = json.loads(data)
    text = MEAN.read_text(encoding="utf-8")
    assert (told["source"], told["lines"]) == (text, {"load": 15, "average": 24, "subtract": 33})
    assert "for (int i = 0; i < SAMPLES" in text.splitlines()[14] and (folder / "o" / "gantt.png").is_file()


def test_the_command_line_wins_over_the_project(folder: Path) -> None:
    script = folder / "hls_config.cfg"
    script.write_text("part=xcvu9p\n[hls]\nclock=5\nsyn.top=subtract_mean\nsyn.file=subtract_mean.cpp\n", "utf-8")
    found = answer("run", str(script), "--clock", "10 ns", "--device", "xc7z020", code=3)
    assert (found["source"]["device"], found["source"]["clock_ns"]) == ("xc7z020", 10.0)


def test_depths_are_written_into_a_copy_of_the_source_of_a_project(folder: Path) -> None:
    script = folder / "run_hls.tcl"
    script.write_text(SCRIPT.replace("set_directive", "# set_directive"), encoding="utf-8")
    copy = folder / "sized.cpp"
    sized = answer("size", str(script), "--no-front", "--out", str(copy))
    assert {Path(each["file"]).name for each in sized["pragmas"]} == {MEAN.name}
    finish = answer("run", str(copy), "--device", "xcvu9p", "--clock", "5 ns")["finish"]
    assert finish == sized["lossless"]["finish"]
    own = command("size", str(script), "--out", str(folder / MEAN.name))
    assert own.exit_code == 2
    assert "is the source itself; choose another name" in own.stderr


def test_arguments_of_a_script_choose_what_it_adds(folder: Path) -> None:
    script = folder / "run_hls.tcl"
    script.write_text(SCRIPT.replace("subtract_mean.cpp", "[lindex $argv 0].cpp"), encoding="utf-8")
    assert answer("run", str(script), "--tclargs", "subtract_mean syn")["finish"] is not None
    missing = command("run", str(script))
    assert missing.exit_code == 2
    assert f"{script}:3: the source '.cpp' is not there" in missing.stderr
    source = command("run", str(folder / MEAN.name), "--tclargs", "a")
    assert source.exit_code == 2
    assert "--tclargs: 'a' is of a project" in source.stderr


def test_a_missing_file_or_solution_of_a_project_is_named(folder: Path) -> None:
    script = folder / "run_hls.tcl"
    script.write_text(SCRIPT.replace("subtract_mean.cpp", "other.cpp"), encoding="utf-8")
    done = command("run", str(script))
    assert done.exit_code == 2
    assert f"{script}:3: the source 'other.cpp' is not there" in done.stderr
    script.write_text(SCRIPT, encoding="utf-8")
    done = command("run", str(script), "--solution", "slow")
    assert done.exit_code == 2
    assert "slow" in done.stderr


def test_reports_give_interval_and_latency_part_and_clock(folder: Path) -> None:
    lines = MEAN.read_text(encoding="utf-8").splitlines()
    loops = [number for number, line in enumerate(lines, 1) if "for (int i" in line]
    names = ["load", "average", "subtract"]
    functions = {
        name: [Written(f"VITIS_LOOP_{line}_1", 64, 4, ii, places=(line,))]
        for name, line, ii in zip(names, loops, (1, 3, 1), strict=True)
    }
    write_summary(folder / "reports", "subtract_mean", {"subtract_mean": (), **functions})
    file = str(folder / MEAN.name)
    found = answer("run", file, "--depth", "kept=64", "--reports", str(folder / "reports"))
    assert (found["source"]["device"], found["source"]["clock_ns"]) == ("alveo-u280", 3.33)
    starts = found["processes"]["average"]
    assert starts["last_start"] - starts["first_start"] == 3 * 63
    assert [note for note in found["source"]["notes"] if "as reported" in note] == [
        f"loop i (line {line}): as reported ('VITIS_LOOP_{line}_1' of csynth.xml)" for line in loops
    ]
    other = command("run", file, "--reports", str(folder / "nowhere"))
    assert other.exit_code == 2
    assert "nowhere" in other.stderr
    network = command("run", str(MEAN.parents[1] / "networks" / "fork_join.toml"), "--reports", str(folder))
    assert network.exit_code == 2
    assert "--reports can only be used with C and C++ sources" in network.stderr


def test_reports_of_another_design_are_refused(folder: Path) -> None:
    write_summary(folder / "reports", "other", {"other": [Written("VITIS_LOOP_3_1", 64, 4, 1)]})
    done = command("run", str(folder / MEAN.name), "--reports", str(folder / "reports"))
    assert done.exit_code == 2
    assert "the reports do not belong to the source: they have no function 'subtract_mean'" in done.stderr


def test_a_configuration_takes_no_arguments_of_a_script(folder: Path) -> None:
    script = folder / "hls_config.cfg"
    script.write_text("[hls]\nsyn.top=subtract_mean\nsyn.file=subtract_mean.cpp\n", "utf-8")
    done = command("run", str(script), "--tclargs", "a b")
    assert done.exit_code == 2
    assert "--tclargs 'a b' are arguments of a Tcl script, and this is a configuration" in done.stderr


def test_quotes_that_nothing_closes_are_bad_input(folder: Path) -> None:
    script = folder / "hls_config.cfg"
    for line in ('syn.cflags=-DA="b', 'syn.directive.pipeline=subtract_mean "a'):
        script.write_text(f"[hls]\nsyn.top=subtract_mean\nsyn.file=subtract_mean.cpp\n{line}\n", "utf-8")
        done = command("schedule", str(script))
        assert done.exit_code == 2
        assert f"{script}:4: cannot be split into words (no closing quotation)" in done.stderr
    for name in ("run", "schedule"):
        assert "--tclargs: cannot be split into words" in command(name, str(script), "--tclargs", "'a").stderr
