"""What the tool keeps of a clock: as projects and options say it, and what it does to a schedule (R2.5)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.project.read import read_project
from ppnsim.library.schedule import KernelSchedules, schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.commands import ppnsim
from tests.helpers.hls_sources import written

# Adders that nothing joins: how many of them chain in a state is a matter of its budget.
SUM = (
    "void k(int a[9], int b[9], int x, int y, int z) {\n"
    "  for (int i = 0; i < 9; i++) b[i] = ((((a[i] + x) ^ y) + z) ^ x) + z;\n}\n"
)
SCRIPT = "set_top k\nadd_files k.cpp\nopen_solution one\nset_part xc7z020clg484-1\ncreate_clock -period 10\n"


def script(folder: Path, more: str = "") -> str:
    """Return the path of a script beside its source."""
    written(folder, SUM, "k.cpp")
    return str(written(folder, SCRIPT + more, "run_hls.tcl"))


def depth(found: KernelSchedules) -> int:
    """Return the states of the loop."""
    return found.kernels[0].nests[0].body.depth


@pytest.mark.parametrize(
    ("text", "kept"), [("12.5%", 1.0), ("27.0 %", 2.16), ("0.5ns", 0.5), ("0.5", 0.5), ("250 ps", 0.25), ("0", 0)]
)
def test_a_number_without_a_unit_is_nanoseconds(text: str, kept: float) -> None:
    assert ClockUncertainty(text).ns(8) == pytest.approx(kept)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8", "'8' leaves nothing of the clock period of 8 ns"),
        ("100%", "leaves nothing of the clock period"),
        ("-1", "is below 0"),
        ("some", "must be a number and a unit"),
        ("nan", "must be a number and a unit"),
        ("100 MHz", "must be a number and a unit"),
    ],
)
def test_an_uncertainty_leaves_some_of_the_period(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as error:
        ClockUncertainty(text, "run.tcl:7").ns(8)
    assert str(error.value).startswith("run.tcl:7: ")


def test_the_last_uncertainty_of_a_solution_counts(tmp_path: Path) -> None:
    more = """set_clock_uncertainty 5% a
set_clock_uncertainty 12.5% b
open_solution two
set_clock_uncertainty 0.4
"""
    file = script(tmp_path, more)
    first, second = (read_project(file, solution=name) for name in ("one", "two"))
    assert first.clock_uncertainty == ClockUncertainty("12.5%", f"{file}:7")
    assert first.unknown == (
        f"{file}:6: clock uncertainty 5% of clock 'a': a design has one clock, and the last one counts",
    )
    assert second.clock_uncertainty == ClockUncertainty("0.4", f"{file}:9")
    assert second.unknown == ()


def test_a_script_is_refused_where_it_says_no_uncertainty(tmp_path: Path) -> None:
    for wrong, words in (("", "says no uncertainty"), ("much", "must be a number"), ("10", "leaves nothing")):
        file = script(tmp_path, f"set_clock_uncertainty {wrong}\n")
        with pytest.raises(InputError, match=f"run_hls.tcl:6: .*{words}"):
            schedule(file)


def test_a_state_has_what_the_uncertainty_leaves(tmp_path: Path) -> None:
    plain, none, most = (
        schedule(script(tmp_path, more)) for more in ("", "set_clock_uncertainty 0\n", "set_clock_uncertainty 60%\n")
    )
    assert depth(none) < depth(plain) < depth(most)
    given = schedule(script(tmp_path, "set_clock_uncertainty 60%\n"), clock_uncertainty="0ns")
    assert depth(given) == depth(none)  # the option wins over the project
    assert (plain.to_dict()["clock_uncertainty_ns"], none.to_dict()["clock_uncertainty_ns"]) == (2.7, 0)


def test_an_uncertainty_is_said_unless_it_is_the_usual_one(tmp_path: Path) -> None:
    file = script(tmp_path, "set_clock_uncertainty 0.5\n")
    assert schedule(file).to_dict()["assumptions"][0] == (
        f"clock uncertainty of 0.5 ns (5 % of the period instead of 27 %, {file}:6): a state has 9.5 of 10 ns"
    )
    usual = schedule(file, clock_uncertainty="27%").to_dict()
    assert not any("uncertainty" in each for each in usual["assumptions"])


def test_vivado_hls_keeps_an_eighth(tmp_path: Path) -> None:
    old = schedule(script(tmp_path), release="2019.1", pragmas=["2: pipeline"]).to_dict()
    assert old["clock_uncertainty_ns"] == 1.25
    assert "the default of Vivado HLS" in old["assumptions"][0]
    assert schedule(script(tmp_path), release="2020.2").to_dict()["clock_uncertainty_ns"] == 2.7
    written(tmp_path, "## This file is generated automatically by Vivado HLS.\n" + SCRIPT, "old.tcl")
    assert read_project(str(tmp_path / "old.tcl")).clock_uncertainty == ClockUncertainty(
        "12.5%", "the default of Vivado HLS"
    )


def test_the_option_is_of_schedules_alone(tmp_path: Path) -> None:
    file = str(written(tmp_path, SUM, "k.cpp"))
    found = ppnsim("schedule", file, "--clock-uncertainty", "20%", "--json", "-")
    assert json.loads(found.stdout)["clock_uncertainty_ns"] == 2
    with pytest.raises(InputError, match="--clock-uncertainty means nothing"):
        load_source(file, clock_uncertainty="20%")
