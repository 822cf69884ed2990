"""Scripts away from the machine that they were written on: files, variables and folders of it are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.project.places import elsewhere
from ppnsim.hls.project.read import read_project
from tests.helpers.hls_sources import written
from tests.hls.test_projects import project

DESIGN = "set_top k\nadd_files src/top.cpp\n"


@pytest.mark.parametrize("name", ["/home/me/work/src/top.cpp", "$env(PPNSIM_ROOT)/src/top.cpp", "C:/me/src/top.cpp"])
def test_a_source_of_another_machine_is_that_with_the_longest_end_of_its_name(tmp_path: Path, name: str) -> None:
    found = project(tmp_path, f"set root {name}\nset_top k\nadd_files $root")
    assert found.sources == (f"{tmp_path}/src/top.cpp",)
    assert found.unknown[0].endswith(f"it is not there; '{tmp_path}/src/top.cpp' is read")


def test_a_pattern_is_looked_for_where_its_folder_is_now(tmp_path: Path) -> None:
    found = project(tmp_path, "set_top k\nadd_files [glob -nocomplain /home/me/work/src/t*.cpp]")
    assert found.sources == (f"{tmp_path}/src/top.cpp",)
    assert "/home/me/work/src/top.cpp: it is not there" in found.unknown[0]


def test_a_folder_that_a_script_goes_to_is_said(tmp_path: Path) -> None:
    found = project(tmp_path, f"cd [file dirname [info script]]\ncd src\n{DESIGN}")
    assert [each.partition(": ")[2] for each in found.unknown] == [
        "cd src: names of files stay those from the folder of the script"
    ]


def test_one_word_of_a_name_is_looked_for_beside_the_script_alone(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    written(tmp_path, "void k() {}", "k.cpp")
    assert elsewhere(tmp_path / "p", "/home/me/k.cpp") is None
    (tmp_path / "src").mkdir()
    written(tmp_path / "src", "void k() {}", "k.cpp")
    assert elsewhere(tmp_path / "p", "../../me/src/k.cpp") == tmp_path / "src" / "k.cpp"
    (tmp_path / "p" / ".git").mkdir()  # what is above is not of the repository
    assert elsewhere(tmp_path / "p", "../../me/src/k.cpp") is None


def test_a_file_that_a_makefile_writes_is_not_needed_for_what_only_runs_the_tool(tmp_path: Path) -> None:
    script = """source settings.tcl
if {![info exists PERIOD]} { set PERIOD 4 }
set_part $XPART
create_clock -period $PERIOD
if {$CSIM == 1} { csim_design -argv a } else { puts no }
"""
    found = project(tmp_path, DESIGN + script)
    assert (found.part, found.clock_ns) == ("", 4)
    said = [each.partition(": ")[2] for each in found.unknown]
    assert said == [
        f"source {tmp_path}/settings.tcl: it is not there",
        "set_part $XPART: the variable has no value; --device says the part",
    ]


def test_a_script_that_is_named_from_where_the_tool_runs_is_sourced(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "config").mkdir()
    written(tmp_path / "config", "set period 7\n", "settings.tcl")
    written(tmp_path / "config", "source ./config/settings.tcl\nset_top k\nadd_files ../k.cpp\n"
            "create_clock -period $period\n", "hls.tcl")  # fmt: skip
    written(tmp_path, "void k() {}", "k.cpp")
    found = read_project(str(tmp_path / "config" / "hls.tcl"))
    assert found.clock_ns == 7
    assert any("it is not there; '" in each for each in found.unknown)


def test_each_project_of_a_script_has_files_and_macros_of_its_own(tmp_path: Path) -> None:
    script = """open_project p
set_top k
add_files src/top.cpp -cflags -DONE
open_solution a
create_clock -period 5
close_project
open_project p
add_files src/top.cpp -cflags -DTWO
open_solution b
open_project -reset q
set_top scale
add_files src/scale.cpp
open_solution a
create_clock -period 2
"""
    first, second = project(tmp_path, script), project(tmp_path, script, solution="b")
    assert (first.top, first.defines, first.clock_ns) == ("k", {"ONE": "1"}, 5)
    assert (second.top, second.defines, second.sources) == ("k", {"TWO": "1"}, first.sources)
    assert first.solutions == ("a", "b")


def test_a_source_in_a_submodule_that_is_not_there_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / ".gitmodules").write_text('[submodule "lib"]\n\tpath = common/lib\n\turl = x\n', "utf-8")
    with pytest.raises(InputError, match=r"run_hls.tcl:1: .*'common/lib' is a submodule .* --init common/lib$"):
        project(tmp_path, "add_files common/lib/top.cpp")
    with pytest.raises(InputError, match=r"\(looked for [^;]*\)$"):
        project(tmp_path, "add_files common/other.cpp")


def test_spaces_around_a_part_are_not_of_its_name(tmp_path: Path) -> None:
    assert project(tmp_path, DESIGN + "set_part { xc7z020clg484-1 }").device == "xc7z020clg484-1"


def test_a_source_that_lies_once_below_the_script_is_read_and_said(tmp_path: Path) -> None:
    (tmp_path / "hls").mkdir()
    written(tmp_path / "hls", "void k() {}", "one.cpp")
    found = project(tmp_path, "set_top k\nadd_files sources/one.cpp")
    assert found.sources == (f"{tmp_path}/hls/one.cpp",)
    assert found.unknown[0].endswith(f"it is not there; '{tmp_path}/hls/one.cpp' is read")
    (tmp_path / "copy").mkdir()
    written(tmp_path / "copy", "void k() { }", "one.cpp")  # another text: which one is meant is not clear
    with pytest.raises(InputError, match=r"the source 'sources/one\.cpp' is not there"):
        project(tmp_path, "set_top k\nadd_files sources/one.cpp")


MAKEFILE = """all: build \\
  csim
csim:
\t#export GOAL=none; vitis_hls -f run_hls.tcl
build:
\t@export GOAL=synth; PERIOD=$(NS) \\
\t  vitis_hls -f run_hls.tcl
again:
\texport GOAL=other; vitis_hls -f run_hls.tcl
NS := 4
"""


def test_a_makefile_beside_a_script_gives_its_environment_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE, "utf-8")
    script = """if {$env(GOAL) eq "synth"} { create_clock -period $env(PERIOD) }
if {[info exists env(LEFT)]} { create_clock -period 9 }
"""
    found = project(tmp_path, DESIGN + script)
    assert found.clock_ns == 4
    assert [each.partition("variable ")[2] for each in found.said] == [
        f"'GOAL': it is synth, as in {tmp_path}/Makefile:6", f"'PERIOD': it is 4, as in {tmp_path}/Makefile:6"
    ]  # fmt: skip


def test_a_recipe_of_a_script_with_a_longer_name_is_of_another_script(tmp_path: Path) -> None:
    recipes = "a:\n\tPERIOD=8 tool -f my{0}\nb:\n\tPERIOD=9 tool -f sub/{0}\nc:\n\tPERIOD=4 tool -f ./{0}\n"
    found = recipes.format("run_hls.tcl")
    (tmp_path / "Makefile").write_text(found, "utf-8")
    assert project(tmp_path, DESIGN + "create_clock -period $env(PERIOD)\n").clock_ns == 4


def test_the_environment_of_the_caller_comes_before_that_of_a_makefile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE, "utf-8")
    monkeypatch.setenv("PERIOD", "7")
    found = project(tmp_path, f"{DESIGN}create_clock -period $env(PERIOD)")
    assert (found.clock_ns, found.said) == (7, ())


def test_a_script_hears_of_a_recent_installation_of_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XILINX_VIVADO", raising=False)
    script = "set v [file tail $::env(XILINX_VIVADO)]\ncreate_clock -period [expr entier(${v}) - 2019 + max(1, 0)]\n"
    found = project(tmp_path, DESIGN + script)
    assert found.clock_ns == 2023 - 2019 + 1
    assert "XILINX_VIVADO" in found.said[0]


def test_a_source_is_looked_for_in_the_repository_around_a_script(tmp_path: Path) -> None:
    """Where the nearest folder that has files of the name has several, none of them is read."""
    (tmp_path / ".git").mkdir()
    for folder in ("hls/run", "code", "other/one", "other/two"):
        (tmp_path / folder).mkdir(parents=True)
    source = written(tmp_path / "code", "void k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }", "only.cpp")
    script = "set_top k\nadd_files made/only.cpp\n"
    found = read_project(str(written(tmp_path / "hls/run", script, "run.tcl")))
    assert found.sources == (str(source.resolve()),)
    assert f"it is not there; '{source.resolve()}' is read" in found.unknown[0]
    for number, folder in enumerate(("other/one", "other/two")):
        written(tmp_path / folder, f"void k(int a[{number + 1}]) {{}}", "twice.cpp")
    with pytest.raises(InputError, match=r"run\.tcl:2: the source 'made/twice\.cpp' is not there"):
        read_project(str(written(tmp_path / "hls/run", script.replace("only", "twice"), "run.tcl")))


def test_a_script_that_gets_no_arguments_takes_a_word_of_its_own_with_which_it_synthesizes(tmp_path: Path) -> None:
    arms = 'switch $what {\n "sim" { set syn 0 }\n "build" { set syn 1 }\n default { exit }\n}\n'
    end = "open_solution s\nif {$syn} {\n set_part $device\n create_clock -period 4\n csynth_design\n}\n"
    script = f"set what [lindex $argv 0]\nset device [lindex $argv 1]\n{arms}{DESIGN}{end}"
    found = project(tmp_path, script)
    assert (found.top, found.clock_ns) == ("k", 4)
    told = "the script takes arguments and none is given: 'build' is taken (of sim, build), with which it synthesizes"
    assert told in "".join(found.said)
    with pytest.raises(InputError, match="no top function is set; the script takes arguments"):
        project(tmp_path, script.replace('"build"', '"build it"'))
    assert project(tmp_path, 'if {[lindex $argv 0] == "sim"} { exit }\n' + DESIGN).said == ()
