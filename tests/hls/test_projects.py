"""Projects of high-level synthesis: Tcl as people write it, ``hls_config.cfg``, and several sources as one design."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ppnsim
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.project.model import MissingFile, Project
from ppnsim.hls.project.read import read_project
from ppnsim.hls.project.tcl_strings import joined
from ppnsim.hls.project.tcl_words import items
from ppnsim.hls.reports.read import read_reports
from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from tests.helpers.hls_sources import written

TOP = """void scale(int a[90], int b[90]);
void k(int a[90], int b[90]) {
  first: for (int i = 0; i < 90; i++) a[i] = i;
  scale(a, b);
}
"""
SCALE = """void scale(int a[90], int b[90]) {
  rows: for (int i = 0; i < 90; i++) b[i] = FACTOR * a[i];
}
"""


def project(folder: Path, text: str, name: str = "run_hls.tcl", **given: object) -> Project:
    """Return the project of a script beside ``src/top.cpp`` and ``src/scale.cpp``."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "inc").mkdir(exist_ok=True)
    written(folder / "src", TOP, "top.cpp")
    written(folder / "src", SCALE, "scale.cpp")
    return read_project(str(written(folder, text, name)), **given)  # type: ignore[arg-type]


SCRIPT = """# a project as people write it
set prj demo ; # its name
set flags "-I inc -DFACTOR=3 -std=c++14"
open_project -reset ${prj}_prj
set_top k
add_files src/top.cpp -cflags $flags
add_files -cflags "$flags -DMORE" \\
    src/scale.cpp
add_files -tb src/k_tb.cpp
open_solution -reset "solution1" -flow_target vivado
set_part {xcu280-fsvh2892-2L-e}
create_clock -period 300MHz -name default
config_compile -unsafe_math_optimizations
config_dataflow -default_channel fifo -fifo_depth 4
set_directive_pipeline -II 2 "k/first"
set_directive_array_partition -type cyclic -factor 2 -dim 1 k b
csynth_design
exit
set_part never
"""


def test_a_script_is_read_whole(tmp_path: Path) -> None:
    found = project(tmp_path, SCRIPT)
    src = f"{tmp_path}/src"
    assert (found.top, found.part, found.solution) == ("k", "xcu280-fsvh2892-2L-e", "solution1")
    assert found.sources == (f"{src}/top.cpp", f"{src}/scale.cpp")
    assert found.include == (f"{tmp_path}/inc",)
    assert found.defines == {"FACTOR": "3", "MORE": "1"}
    assert found.clock_ns == pytest.approx(10 / 3)
    assert found.unsafe_math
    file = f"{tmp_path}/run_hls.tcl"
    assert found.directives == (
        PlacedDirective("k", "first", "pipeline II=2", f"{file}:15"),
        PlacedDirective("k", "", "array_partition type=cyclic factor=2 dim=1 variable=b", f"{file}:16"),
    )
    assert found.unknown == ()
    assert found.fifo_channels == f"{file}:14"
    assert found.missing == (MissingFile("src/k_tb.cpp", f"{src}/k_tb.cpp", True, f"{file}:9"),)
    assert found.fifo_depth == 4


CONFIG = """part=xcu280-fsvh2892-2L-e

[hls]
# the design
flow_target=vivado
clock=4
syn.top=k
syn.file=src/top.cpp
syn.file=src/scale.cpp
syn.cflags=-I inc -DFACTOR=3
syn.file_cflags=src/scale.cpp,-DMORE
syn.compile.unsafe_math_optimizations=1
syn.directive.pipeline=k/first II=2
syn.directive.array_partition=k b type=cyclic factor=2
syn.directive.interface=k mode=ap_fifo a
syn.schedule.enable_dsp_full_reg=0
clock_uncertainty=15%
package.output.format=xo
"""


def test_a_configuration_is_read_whole(tmp_path: Path) -> None:
    found = project(tmp_path, CONFIG, "hls_config.cfg")
    assert (found.top, found.part, found.clock_ns, found.unsafe_math) == ("k", "xcu280-fsvh2892-2L-e", 4.0, True)
    assert found.defines == {"FACTOR": "3", "MORE": "1"}
    assert [(each.function, each.label, each.text) for each in found.directives] == [
        ("k", "first", "pipeline II=2"),
        ("k", "", "array_partition variable=b type=cyclic factor=2"),
        ("k", "", "interface mode=ap_fifo port=a"),
    ]
    assert [each.rpartition(":")[2] for each in found.unknown] == [" config_schedule -enable_dsp_full_reg 0"]
    assert found.clock_uncertainty == ClockUncertainty("15%", f"{tmp_path}/hls_config.cfg:17")


def test_tcl_is_followed_where_it_decides(tmp_path: Path) -> None:
    script = """set kind [lindex $argv 0]
proc files {names {folder src}} {
  foreach name $names { add_files [file join $folder $name.cpp] }
}
set_top [lindex {a k b} [expr 2 - 1]]
if {$kind == "fast" && [llength $argv] > 1} {
  create_clock -period 2
} elseif {$kind ne "slow"} {
  create_clock -period 3
} else {
  create_clock -period 4.5ns
}
files [list top scale]
for {set n 0} {$n < 3} {incr n} { if {$n == 1} continue; set_directive_unroll -factor [expr {$n + 2}] k/first }
if {[catch {csynth_design} error]} { exit 1 }
source more.tcl
"""
    written(tmp_path, "set_part xc7z020-clg484-1\nnot_a_command -x 1\n", "more.tcl")
    found = project(tmp_path, script, arguments=["slow"])
    assert (found.top, found.clock_ns, len(found.sources)) == ("k", 4.5, 2)
    assert [each.text for each in found.directives] == ["unroll factor=2", "unroll factor=4"]
    assert found.part == "xc7z020-clg484-1"
    assert found.unknown == (f"{tmp_path}/more.tcl:2: not_a_command -x 1",)
    assert project(tmp_path, script, arguments=["fast", "x"]).clock_ns == 2
    assert project(tmp_path, script, arguments=["fast"]).clock_ns == 3


def test_every_solution_has_settings_of_its_own(tmp_path: Path) -> None:
    script = """set_top k
add_files src/top.cpp
foreach {name period} {one 5 two 2} {
  open_solution $name
  create_clock -period $period
  set_directive_pipeline k
}
"""
    assert project(tmp_path, script).clock_ns == 5
    second = project(tmp_path, script, solution="two")
    assert (second.clock_ns, len(second.directives), second.solutions) == (2, 1, ("one", "two"))
    with pytest.raises(InputError, match="no solution 'three' \\(solutions: one, two\\)"):
        project(tmp_path, script, solution="three")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("set_top k\nadd_files src/none.cpp", "run_hls.tcl:2: the source 'src/none.cpp' is not there"),
        ("add_files src/top.cpp", "run_hls.tcl: no top function is set"),
        ("set_top k", "run_hls.tcl: no source is added"),
        ("set_top $name", "run_hls.tcl:1: no variable 'name' is set"),
        ("\n\nif {1} {\n set_top $name\n}", "run_hls.tcl:4: no variable 'name' is set"),
        ("set_top {k", "run_hls.tcl:1: '{' is not closed"),
        ('set x "k', "run_hls.tcl:1: a quote is not closed"),
        (
            "source other.tcl\nif {$x} {set_top k}",
            "run_hls.tcl:2: no variable 'x' is set; '.*other.tcl', which it sources",
        ),
        ("source other.tcl\nset_top $x", "run_hls.tcl:2: set_top \\$x: the variable has no value"),
        ("add_files src/top.cpp -cflags -D$env(PPNSIM_NO_SUCH)", "1: flag -D.*: the variable has no value"),
        ('set m {}\nadd_files src/top.cpp -cflags "-D $m"', "run_hls.tcl:2: flag -D names no macro"),
        ("create_clock -period soon", "run_hls.tcl:1: .*soon"),
        ("create_clock -name clk", "run_hls.tcl:1: create_clock has no -period"),
        ("while {1} { puts x }", "run_hls.tcl:1: the script takes more than 100000 steps"),
        ("while {1} {}", "run_hls.tcl:1: the script takes more than 100000 steps"),
        ("proc f {} { f }\nf", "more than 100 scripts inside each other"),
        ("proc f {a} {}\nf 1 2", "run_hls.tcl:2: 'f' takes a"),
        ("if {a b} {}", "run_hls.tcl:1: 'a b' is not an expression"),
        ("set x [expr 1 / 0]", "run_hls.tcl:1: '1 / 0' is not an expression"),
        ("lindex {a b} x", "run_hls.tcl:1: 'lindex' is used in a way"),
        ("set_directive_pipeline -II 2", "run_hls.tcl:1: set_directive_pipeline is for no function"),
        ("set_top [lindex $argv 0]", "run_hls.tcl:1: set_top names no function; the script takes arguments"),
        (
            "set x $env(PPNSIM_NO_SUCH_VARIABLE)\nif {$x} {exec a}",
            "the environment has no variable 'PPNSIM_NO_SUCH_VARIABLE'",
        ),
    ],
)
def test_what_a_script_gets_wrong_is_said_with_its_line(tmp_path: Path, script: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        project(tmp_path, script)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[hls\nsyn.top=k", r"hls_config.cfg:1: '\[hls' is not closed: a section is \[hls\]"),
        ("syn.tops=k", r"no top function is set; 'syn.tops' in line 1 is no key \(did you mean 'syn.top'\?\)"),
        ("[hls]\nsyn.top", "hls_config.cfg:2: 'syn.top' is not of the form key=value"),
        ("syn.top=k\nsyn.file=src/none.cpp", "hls_config.cfg:2: the source 'src/none.cpp' is not there"),
        ("syn.compile.unsafe_math_optimizations=perhaps", "hls_config.cfg:1: .* perhaps is neither true nor false"),
        ("syn.directive.pipeline=", "hls_config.cfg:1: directive 'pipeline' is for no function"),
    ],
)
def test_what_a_configuration_gets_wrong_is_said_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        project(tmp_path, text, "hls_config.cfg")


COMPONENTS = """
open_component -reset one
set_top k
add_files src/top.cpp
add_files inc/gone.h
set_part xc7z020-clg400-1
open_component -reset two
set_top scale
add_files src/scale.cpp -cflags -DFACTOR=2
"""


def test_each_component_has_files_of_its_own(tmp_path: Path) -> None:
    one, two = project(tmp_path, COMPONENTS), project(tmp_path, COMPONENTS, solution="two")
    src = f"{tmp_path}/src"
    assert (one.top, one.sources, one.part, one.defines) == ("k", (f"{src}/top.cpp",), "xc7z020-clg400-1", {})
    assert (two.top, two.sources, two.part, two.defines) == ("scale", (f"{src}/scale.cpp",), "", {"FACTOR": "2"})
    gone = MissingFile("inc/gone.h", f"{tmp_path}/inc/gone.h", False, f"{tmp_path}/run_hls.tcl:5")
    assert (one.unknown, one.missing, two.missing) == ((), (gone,), ())


@pytest.mark.parametrize("name", ["scale", "ns::scale", "shape<T, N>::scale", "shape<f<3>, N>::scale"])
def test_a_directive_finds_a_function_by_its_bare_name(tmp_path: Path, name: str) -> None:
    script = f"set_top k\nadd_files src/top.cpp\nset_directive_pipeline {{{name}/rows}}\n"
    assert project(tmp_path, script).directives[0].function == "scale"


STREAMS = """#include "hls_stream.h"
void put(hls::stream<int> &a, hls::stream<int, 2> &b, hls::stream<int> &c, hls::stream<int> &d) {
  for (int i = 0; i < 10; i++) { int x = 0; for (int j = 0; j < 8; j++) x += j * i; a.write(x); b.write(x); }
  for (int i = 0; i < 10; i++) { c.write(i); d.write(i); }
}
void get(hls::stream<int> &a, hls::stream<int, 2> &b, hls::stream<int> &c, hls::stream<int> &d, int out[10]) {
  for (int i = 0; i < 10; i++) out[i] = a.read() + b.read();
  for (int i = 0; i < 10; i++) out[i] += c.read() + d.read();
}
void k(int out[10]) {
#pragma HLS dataflow
  hls::stream<int> a;
  hls::stream<int, 2> b;
  hls::stream<int> c, d;
#pragma HLS stream variable=c depth=3
  put(a, b, c, d);
  get(a, b, c, d, out);
}
"""


def region(folder: Path, *settings: str) -> SourceNetwork:
    written(folder, STREAMS, "k.cpp")
    script = "set_top k\nadd_files k.cpp\n" + "\n".join(settings)
    return load_source(str(written(folder, script, "run_hls.tcl")))


def test_depths_of_config_dataflow_are_for_streams_without_one(tmp_path: Path) -> None:
    def depths(*settings: str) -> dict[str, int | None]:
        return {each.name: each.depth for each in region(tmp_path, *settings).network.channels}

    assert depths() == {"a": 2, "b": 2, "c": 3, "d": 2}
    assert depths("config_dataflow -fifo_depth 5") == {"a": 5, "b": 2, "c": 3, "d": 5}
    directive = "set_directive_stream -depth 7 k d"
    assert depths("config_dataflow -fifo_depth 5", directive) == {"a": 5, "b": 2, "c": 3, "d": 7}
    assert depths("config_dataflow -override_user_fifo_depth 6", directive) == dict.fromkeys("abcd", 6)
    (note,) = region(tmp_path, "config_dataflow -fifo_depth 5 -start_fifo_depth 4").notes[-1:]
    assert note.endswith("config_dataflow -fifo_depth gives a, d a depth of 5")
    assert any("start_fifo_depth 4" in each for each in region(tmp_path, "config_dataflow -start_fifo_depth 4").notes)


@pytest.mark.parametrize("part", ["xc7z020", "xcvu9p"])
def test_a_depth_of_config_dataflow_is_one_of_the_source_in_every_command(tmp_path: Path, part: str) -> None:
    """A FIFO of 64 words is a RAM for newer tools; ``schedule`` took depths of 2, `load_source` those of registers."""
    target = f"set_part {part}\ncreate_clock -period 5"
    by_setting = region(tmp_path, target, "config_dataflow -fifo_depth 64").network
    scheduled = schedule(tmp_path / "run_hls.tcl").kernels[0].machine
    asked = (f"set_directive_stream -depth 64 k {name}" for name in "ad")
    by_directive = region(tmp_path, target, *asked).network
    assert by_setting == by_directive
    assert scheduled.outcome is not None
    assert scheduled.outcome.network.channels == by_setting.channels
    assert [each.depth for each in by_setting.channels] == [64, 2, 3, 64]


def test_loops_are_pipelined_up_to_the_trip_count_of_config_compile(tmp_path: Path) -> None:
    def steps(*settings: str) -> int:
        schedule = region(tmp_path, *settings).network.process("put").schedule
        assert schedule is not None
        return schedule.steps

    # The loop of 8 is unrolled into the pipeline around it, or stays a loop of its own, or nothing is a pipeline.
    usual, short, none = (steps(f"config_compile -pipeline_loops {most}") for most in (64, 7, 0))
    assert steps() == usual < short < none


def test_a_script_s_reset_of_the_design_is_one_setting(tmp_path: Path) -> None:
    text = "open_project -reset p\nset_top top\nadd_files src/top.cpp\nconfig_rtl -reset {}\n"
    assert project(tmp_path, text.format("control")).unknown == ()
    assert project(tmp_path, text.format("all")).unknown == (f"{tmp_path}/run_hls.tcl:4: config_rtl -reset all",)
    (slip,) = project(tmp_path, text.replace("rtl -reset {}", "compile -pipline_loops 3")).unknown
    assert slip.endswith(":4: config_compile -pipline_loops 3 (did you mean 'pipeline_loops'?)")


def test_a_file_that_is_no_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.tcl: no such file"):
        read_project(str(tmp_path / "run.tcl"))
    with pytest.raises(InputError, match=r"hls\.cfg: no such file"):
        read_project(str(tmp_path / "hls.cfg"))
    with pytest.raises(InputError, match=r"top\.cpp: is not the name of a project \(.tcl or .cfg\)"):
        read_project(str(tmp_path / "top.cpp"))


def shapes(found: Project) -> list[tuple[int, int]]:
    """Return line and interval of the pipelined loops of a project."""
    (program,) = load_programs(
        found.main, function=found.top, defines=found.defines, include=found.include, policy=HARDWARE,
        linked=found.linked,
    )  # fmt: skip
    sources = sources_of(program)
    directives = read_directives(sources, program, (), found.directives)
    machine = schedule_kernel(program, load_library("xc7z020", found.clock_ns), directives)
    return [(nest.line, nest.body.schedule.ii) for nest in machine.nests]


def test_several_sources_are_one_design_and_directives_find_their_loops(tmp_path: Path) -> None:
    base = 'set_top k\nadd_files {src/scale.cpp "src/top.cpp"} -cflags -DFACTOR=11\ncreate_clock -period 10\n'
    found = project(tmp_path, base)
    assert (found.main, found.linked) == (f"{tmp_path}/src/top.cpp", (f"{tmp_path}/src/scale.cpp",))
    assert shapes(found) == [(3, 1), (2, 1)]
    # By label, in the function that the location names; the one in the other file stays.
    assert shapes(project(tmp_path, base + "set_directive_pipeline -II 5 scale/rows\n")) == [(3, 1), (2, 5)]
    # For the function itself.
    assert shapes(project(tmp_path, base + "set_directive_pipeline scale\n"))[0] == (3, 1)


@pytest.mark.parametrize(
    ("directive", "words"),
    [
        ("set_directive_pipeline -speed 2 scale/rows", "run_hls.tcl:4: pipeline knows no 'speed'"),
    ],
)
def test_a_directive_with_a_wrong_clause_is_refused(tmp_path: Path, directive: str, words: str) -> None:
    base = "set_top k\nadd_files {src/scale.cpp src/top.cpp} -cflags -DFACTOR=11\ncreate_clock -period 10\n"
    with pytest.raises(InputError, match=words):
        shapes(project(tmp_path, base + directive + "\n"))


@pytest.mark.parametrize(
    ("directive", "words"),
    [
        ("pipeline scale/row", "pipeline for a loop 'row' that 'scale' does not have (did you mean 'rows'?)"),
        ("pipeline scald/rows", "pipeline for a function 'scald' that is not there (did you mean 'scale'?)"),
        ("array_partition -factor 2 k c", "array_partition for 'c', which 'k' does not have (known: a, b)"),
        ("function_instantiate k b", "function_instantiate of 'k', which nothing calls"),
    ],
)
def test_a_directive_for_what_is_not_there_is_listed(tmp_path: Path, directive: str, words: str) -> None:
    base = "set_top k\nadd_files {src/scale.cpp src/top.cpp} -cflags -DFACTOR=11\ncreate_clock -period 10\n"
    project(tmp_path, f"{base}set_directive_{directive}\n")
    (kernel,) = schedule(tmp_path / "run_hls.tcl").kernels
    assert kernel.directives.ignored == (f"{tmp_path}/run_hls.tcl:4: {words}",)


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab1 ;#$[]\n\t", max_size=6), max_size=6))
def test_a_list_is_read_as_it_was_made(parts: list[str]) -> None:
    assert items(joined(parts), "x.tcl") == parts


def test_every_key_of_a_configuration_ends_in_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    written(tmp_path / "src", "int main() { return 0; }\n", "k_tb.cpp")
    text = """[hls]
# a comment; and another
; one more
syn.top=k
part = xc7z020clg484-1
freqhz=250000000
syn.file=src/top.cpp
syn.file=src/scale.cpp
syn.file=src/top.cpp
syn.file=src/notes.txt
tb.file=src/k_tb.cpp
tb.file=src/data.txt
tb.cflags=-DTB
syn.cflags=-DA -D B=2 -I inc -Iinc -O2 -Wall -march=native
syn.file_cflags=src/top.cpp,-DC=3
syn.compile.pipeline_loops=8
syn.compile.unsafe_math_optimizations=on
syn.dataflow.fifo_depth=6
syn.dataflow.override_user_fifo_depth=7
syn.dataflow.default_channel=fifo
syn.rtl.reset=control
syn.rtl.reset=all
syn.directive.pipeline=ns::k<int>/first II=2 rewind
syn.directive.array_partition=k a type=cyclic factor=2
syn.directive.interface=k mode=m_axi a off
package.output.format=xo
flow_target=vivado
syn.other=1
syn.interface.m_axi_max_widen_bitwidth=100
syn.interface.m_axi_alignment_byte_size=3
"""
    found = project(tmp_path, text, "hls_config.cfg")
    file, src = f"{tmp_path}/hls_config.cfg", f"{tmp_path}/src"
    assert found == Project(
        file=file, top="k", top_at=f"{file}:4", part_at=f"{file}:5",
        sources=(f"{src}/top.cpp", f"{src}/scale.cpp"), testbench=(f"{src}/k_tb.cpp",),
        include=(f"{tmp_path}/inc",), defines={"A": "1", "B": "2", "C": "3"}, part="xc7z020clg484-1", clock_ns=4.0,
        unsafe_math=True, pipeline_loops=8, fifo_depth=6, override_depth=7, fifo_channels=f"{file}:20",
        solution="", solutions=(),
        directives=(
            PlacedDirective("k", "first", "pipeline II=2 rewind", f"{file}:23"),
            PlacedDirective("k", "", "array_partition variable=a type=cyclic factor=2", f"{file}:24"),
            PlacedDirective("k", "", "interface mode=m_axi port=a off", f"{file}:25"),
        ),
        unknown=(
            f"{file}:14: flag -march=native",
            f"{file}:22: config_rtl -reset all",
            f"{file}:28: syn.other=1",
            f"{file}:29: config_interface -m_axi_max_widen_bitwidth 100, not 0 or a power of two up to 1024: "
            "tools pass over others",
            f"{file}:30: config_interface -m_axi_alignment_byte_size 3, not 0 or a power of two",
        ),
        missing=(
            MissingFile("src/notes.txt", f"{src}/notes.txt", False, f"{file}:10"),
            MissingFile("src/data.txt", f"{src}/data.txt", True, f"{file}:12"),
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("syn.top", "'syn.top' is not of the form key=value"),
        ("syn.compile.pipeline_loops=x", "pipeline_loops = x is not a whole number"),
        ("syn.dataflow.fifo_depth=", "fifo_depth = nothing is not a whole number"),
        ("syn.compile.unsafe_math_optimizations=2", "unsafe_math_optimizations = 2 is neither true nor false"),
        ("syn.directive.pipeline=", "directive 'pipeline' is for no function"),
        ("clock=soon", "'soon' must be a number and a unit: fs, ps, ns, us, ms, s, Hz, kHz, MHz, GHz"),
    ],
)
def test_what_a_line_of_a_configuration_gets_wrong_is_said_whole(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        project(tmp_path, f"\n{line}\n", "hls_config.cfg")
    assert str(error.value) == f"{tmp_path}/hls_config.cfg:2: {words}"


def test_folders_of_reports_are_listed_up_to_four(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"s{number}").mkdir()
        written(tmp_path / f"s{number}", "", "k_csynth.rpt")
    with pytest.raises(InputError) as error:
        read_reports(tmp_path)
    assert str(error.value) == f"--reports {tmp_path}: 6 folders have reports (s0, s1, s2, s3 and 2 more); name one"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("set_top k", "set_top kk", "run_hls.tcl:2: .*: no function 'kk' with a body \\(did you mean 'k'"),
        ("xc7z020clg484-1", "xc9", "run_hls.tcl:5: no device 'xc9'"),
    ],
)
def test_a_top_or_a_part_that_is_unknown_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    written(tmp_path, "void k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }\n", "k.cpp")
    script = "open_project p\nset_top k\nadd_files k.cpp\nopen_solution s\nset_part xc7z020clg484-1\n"
    file = tmp_path / "run_hls.tcl"
    file.write_text(script.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        schedule(str(file))


@pytest.mark.parametrize(
    ("line", "latency"), [("", 0), ("flow_target=vitis\n", 64), ("syn.interface.m_axi_latency=20\n", 20)]
)
def test_the_flow_says_the_latency_of_buses(tmp_path: Path, line: str, latency: int) -> None:
    text = "void k(int a[8], int b[8]) {\n#pragma HLS interface m_axi port=a\n"
    (tmp_path / "k.cpp").write_text(text + "for (int i = 0; i < 8; i++) b[i] = a[i]; }\n", encoding="utf-8")
    (tmp_path / "hls_config.cfg").write_text(f"{line}syn.top=k\nsyn.file=k.cpp\n", encoding="utf-8")
    (kernel,) = schedule(tmp_path / "hls_config.cfg").kernels
    assert kernel.directives.storage["a"].latency == 1 + 7 + latency
    # An argument without an interface is a memory; in that flow it is a bus by default (UG1399).
    assert kernel.directives.storage.keys() == ({"a", "b"} if latency == 64 else {"a"})
    said = [each for each in kernel.assumptions if "without an interface" in each]
    assert [each.partition(" ")[0] for each in said] == ["'b'"] * (latency == 64)


def test_another_flow_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "hls_config.cfg").write_text("flow_target=vivid\nsyn.top=k\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"hls_config\.cfg:1: flow_target 'vivid' is none of vivado, vitis"):
        read_project(str(tmp_path / "hls_config.cfg"))


def test_what_a_project_says_in_vain_is_in_the_answer(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("int other(int x) { return x; }\nvoid k(int A[8]) { A[0] = 1; }")
    script = "open_project p\nset_top k\nadd_files k.cpp\nopen_solution s\nconfig_rtl -reset_level low\n"
    script += "config_compile -unsafe_math_optimizations=true\nset_directive_pipeline -II 2 other\nsource nothing.tcl\n"
    (tmp_path / "run.tcl").write_text(script)
    (result,) = ppnsim.schedule(tmp_path / "run.tcl")._results()
    assert [each.rpartition("run.tcl:")[2] for each in result["without_effect"]] == [
        "7: pipeline for 'other', which is not part of 'k'",
        "5: config_rtl -reset_level low",
        f"8: source {tmp_path / 'nothing.tcl'}: it is not there",
    ]


@pytest.mark.parametrize("bus", [True, False])
def test_a_setting_of_buses_is_listed_where_no_argument_is_on_one(tmp_path: Path, bus: bool) -> None:
    head = "#pragma HLS interface m_axi port=a\n" if bus else ""
    text = f"void k(int a[8], int b[8]) {{\n{head}for (int i = 0; i < 8; i++) b[i] = a[i]; }}\n"
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    config = "flow_target=vivado\nsyn.top=k\nsyn.file=k.cpp\nsyn.interface.m_axi_latency=20\n"
    (tmp_path / "hls_config.cfg").write_text(config, encoding="utf-8")
    (kernel,) = schedule(tmp_path / "hls_config.cfg").kernels
    words = f"{tmp_path}/hls_config.cfg:4: config_interface -m_axi_latency 20: no argument is on an AXI bus"
    assert (words in kernel.without_effect) is not bus
