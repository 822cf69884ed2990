"""Reports of a vendor's tool: read in each of their forms, and matched to the loops of the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.directives import LoopDirective, Scope
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region.accesses import clocked
from ppnsim.hls.reports.match import Matched, _pipeline, matched
from ppnsim.hls.reports.read import read_reports
from ppnsim.hls.schedule.model import StateMachine
from tests.helpers.csynth import Written, write_summary, write_text, write_xml
from tests.helpers.hls_sources import written

NEST = """void k(float a[40][30], float b[40]) {
  rows: for (int i = 0; i < 40; i++) {
    float sum = 0;
    for (int j = 0; j < 30; j++) {
      sum += a[i][j];
    }
    b[i] = sum;
  }
}
"""


def joined(tmp_path: Path, text: str, function: str = "k") -> tuple[Matched, StateMachine]:
    """Return the match of the reports in ``reports`` and a source, and the schedule that follows."""
    (program,) = load_programs(str(written(tmp_path, text)), function=function, policy=HARDWARE)
    sources = sources_of(program)
    found = matched(read_reports(tmp_path / "reports"), program, sources, read_directives(sources, program))
    return found, schedule_kernel(program, load_library("xc7z020", 10), found.directives)


def shape(machine: StateMachine) -> list[tuple[str, int, int, int]]:
    return [(nest.name, nest.body.schedule.ii, nest.body.depth, nest.iterations) for nest in machine.nests]


def test_a_report_in_xml_is_read_whole(tmp_path: Path) -> None:
    write_xml(tmp_path, "k", [Written("rows_VITIS_LOOP_4_1", 1200, 16, 4, places=(2, 4))])
    reports = read_reports(tmp_path)
    assert (reports.head.part, reports.head.clock_ns, reports.head.version, reports.head.top) == (
        "xcu280-fsvh2892-2L-e", 3.33, "2023.2", "k",
    )  # fmt: skip
    (loop,) = reports.functions["k"].loops
    assert (loop.trips, loop.ii, loop.iteration_latency, loop.latency) == ((1200, 1200), 4, 16, (4811, 4811))
    assert loop.pipelined and loop.sources == (("src/kernel.cpp", 2), ("src/kernel.cpp", 4))


def test_a_report_in_text_is_read_whole(tmp_path: Path) -> None:
    loops = [(0, Written("outer", 7, 12, None)), (1, Written("inner", 3, 4, 2)), (1, Written("other", None, 1, None))]
    write_text(tmp_path, "k", loops, ["callee"])
    reports = read_reports(tmp_path)
    function = reports.functions["k"]
    assert (function.latency, function.instances) == ((43, 47), (("grp_callee_fu_7", "callee"),))
    (outer,) = function.loops
    assert (outer.name, outer.pipelined, outer.iteration_latency) == ("outer", False, 12)
    assert [(each.name, each.ii, each.trips) for each in outer.inner] == [("inner", 2, (3, 3)), ("other", None, None)]
    assert reports.head.clock_ns == 3.33 and reports.head.version == "2023.2"


def test_a_functions_own_report_goes_before_the_summary_and_the_summary_adds_instances(tmp_path: Path) -> None:
    loop = Written("VITIS_LOOP_3_1", 10, 5, 1)
    write_summary(tmp_path, "k", {"k": (), "k_Pipeline_VITIS_LOOP_3_1": [Written("VITIS_LOOP_3_1", 10, 9, 1)]})
    write_xml(tmp_path, "k_Pipeline_VITIS_LOOP_3_1", [loop])
    reports = read_reports(tmp_path)
    assert reports.head.top == "k"
    assert reports.functions["k"].instances == (("grp_k_Pipeline_VITIS_LOOP_3_1_fu_7", "k_Pipeline_VITIS_LOOP_3_1"),)
    assert [loop.iteration_latency for loop in reports.loops()] == [5]


def test_the_only_folder_with_reports_below_is_taken(tmp_path: Path) -> None:
    write_xml(tmp_path / "prj" / "solution1" / "syn" / "report", "k", [])
    assert read_reports(tmp_path).folder.endswith("report")
    write_xml(tmp_path / "prj" / "solution2" / "syn" / "report", "k", [])
    with pytest.raises(InputError, match=r"2 folders have reports \(prj/solution1/syn/report, .*name one"):
        read_reports(tmp_path)
    for number, end in (
        (3, "solution3/syn/report"),
        (4, "solution4/syn/report"),
        (5, "solution4/syn/report and 1 more"),
    ):
        write_xml(tmp_path / "prj" / f"solution{number}" / "syn" / "report", "k", [])
        with pytest.raises(InputError, match=rf"{number} folders have reports \(.*{end}\); name one"):
            read_reports(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("k_csynth.xml", "<profile><a></profile>", "the report is not XML: mismatched tag"),
        ("k_csynth.xml", "<profile/>", "no report of Vitis HLS: 'UserAssignments'"),
        ("k_csynth.rpt", "hello", "no report of Vitis HLS: it has no line"),
        ("k_csynth.rpt", "== Vitis HLS Report for 'k'", "the report has no table of latencies"),
        ("csynth.rpt", "== Synthesis Summary Report of 'k'", "the summary has no table of modules and loops"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words) as error:
        read_reports(tmp_path)
    assert str(error.value).startswith(str(tmp_path / name))


def test_a_folder_without_reports_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match=rf"^--reports {re.escape(str(tmp_path))}: no \*csynth\.xml and no \*csynth\.rpt in it or below",
    ):
        read_reports(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        read_reports(tmp_path / "nowhere")


def test_interval_and_depth_come_from_the_report(tmp_path: Path) -> None:
    write_xml(tmp_path / "reports", "k", [Written("rows_VITIS_LOOP_4_1", 1200, 16, 4, places=(2, 4))])
    found, machine = joined(tmp_path, NEST)
    # The nest is not perfect and its code around the inner loop goes into it, because the report says so.
    assert shape(machine) == [("i.j", 4, 16, 1200)]
    (nest,) = machine.nests
    assert nest.body.reported is not None and "k_csynth.xml" in nest.body.reported.where
    assert not found.unused and not found.assumed
    # R10.3: a kernel that is one loop takes (T - 1) II + IL - 1 cycles.
    assert machine.cycles == 1199 * 4 + 15


def test_a_loop_that_is_not_pipelined_stays_one_and_its_run_costs_two_cycles(tmp_path: Path) -> None:
    write_xml(tmp_path / "reports", "k", [Written("rows", 40, 50, None, places=(2,))])
    write_xml(tmp_path / "reports", "k_Pipeline_VITIS_LOOP_4_1", [Written("VITIS_LOOP_4_1", 30, 10, 1, places=(4,))])
    _, machine = joined(tmp_path, NEST)
    assert shape(machine) == [("j", 1, 10, 1200)]
    (nest,) = machine.nests
    assert nest.cycles == 40 * (29 + 10)


def test_a_loop_without_a_report_keeps_our_schedule(tmp_path: Path) -> None:
    text = """void k(int a[9], int b[9]) {
  first: for (int i = 0; i < 9; i++) a[i] = i;
  second: for (int i = 0; i < 9; i++) b[i] = i;
}
"""
    write_xml(tmp_path / "reports", "k", [Written("second", 9, 7, 3, places=(3,))])
    _, machine = joined(tmp_path, text)
    assert [(nest.line, nest.body.reported is not None) for nest in machine.nests] == [(2, False), (3, True)]
    assert shape(machine)[1][1:3] == (3, 7)


def test_loops_of_the_same_label_are_told_apart_by_their_function(tmp_path: Path) -> None:
    text = """void one(int a[9]) { all: for (int i = 0; i < 9; i++) a[i] = i; }
void two(int a[9]) { all: for (int i = 0; i < 9; i++) a[i] += i; }
void k(int a[9], int b[9]) { one(a); two(b); }
"""
    write_summary(
        tmp_path / "reports", "k", {"k": (), "one": [Written("all", 9, 2, 1)], "two": [Written("all", 9, 8, 3)]}
    )
    _, machine = joined(tmp_path, text)
    assert [(nest.line, nest.body.schedule.ii, nest.body.depth) for nest in machine.nests] == [(1, 1, 2), (2, 3, 8)]


def test_copies_of_a_function_belong_to_its_calls_in_order(tmp_path: Path) -> None:
    text = """void one(int a[9]) { all: for (int i = 0; i < 9; i++) a[i] = i; }
void k(int a[9], int b[9]) { one(a); one(b); }
"""
    copies = {"k": (), "one_2": [Written("all", 9, 8, 3)], "one_1": [Written("all", 9, 2, 1)]}
    write_summary(tmp_path / "reports", "k", copies)
    found, machine = joined(tmp_path, text)
    assert [(nest.body.schedule.ii, nest.body.depth) for nest in machine.nests] == [(1, 2), (3, 8)]
    assert "in the order of their names" in found.assumed[0]


def test_of_copies_that_belong_to_no_call_the_slowest_counts(tmp_path: Path) -> None:
    text = """void one(int a[100]) { all: for (int i = 0; i < 100; i++) a[i] = i; }
void k(int a[100], int b[100], int c[100]) { one(a); one(b); one(c); }
"""
    copies = {"k": (), "one_1": [Written("all", 100, 30, 1)], "one_2": [Written("all", 100, 10, 2)]}
    write_summary(tmp_path / "reports", "k", copies)
    found, machine = joined(tmp_path, text)
    # 99 intervals and a last iteration: 129 cycles in the one, 208 in the other.
    assert [(nest.body.schedule.ii, nest.body.depth) for nest in machine.nests] == [(2, 10)] * 3
    assert "2 copies for 3 calls; which is which is not said, so the slowest counts" in found.assumed[0]


def test_a_factor_that_does_not_divide_makes_one_loop(tmp_path: Path) -> None:
    text = """void k(float a[41]) {
  all: for (int i = 0; i < 41; i++) {
#pragma HLS unroll factor=20
    a[i] = a[i] * 2;
  }
}
"""
    # The tool prints 2 iterations for 41 / 20 and a latency of 3: R10.4.
    write_xml(tmp_path / "reports", "k", [Written("all", 2, 14, 1, places=(2,), latency=15)])
    _, machine = joined(tmp_path, text)
    assert shape(machine) == [("i", 1, 14, 3)]


def test_accesses_keep_their_distance_from_both_ends(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
void k(hls::stream<float> &in, hls::stream<float> &out) {
  all: for (int i = 0; i < 5; i++) out.write(in.read() * 2.5f + 1.0f);
}
"""
    write_xml(tmp_path / "reports", "k", [Written("all", 5, 30, 2, places=(3,))])
    _, machine = joined(tmp_path, text)
    times = clocked(machine)
    # R10.2: the write in step IL - 2; the read at our distance from it, but no more than 3 steps after our own.
    assert times.of(("out", "put")).tolist() == [28, 30, 32, 34, 36]
    assert times.of(("in", "take")).tolist() == [4, 6, 8, 10, 12]
    assert machine.cycles == 4 * 2 + 29


def test_a_fifo_in_a_ram_takes_a_cycle_more(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
void one(hls::stream<float> &s) { first: for (int i = 0; i < 5; i++) s.write(i); }
void two(hls::stream<float> &s, float a[5]) { second: for (int i = 0; i < 5; i++) a[i] = s.read(); }
void k(float a[5]) {
#pragma HLS dataflow
  hls::stream<float> s;
#pragma HLS stream variable=s depth=DEPTH
  one(s);
  two(s, a);
}
"""
    loops = {"k": (), "one": [Written("first", 5, 8, 1)], "two": [Written("second", 5, 2, 1)]}
    write_summary(tmp_path / "reports", "k", loops)
    # Tokens are written in steps 6..10, the last one is read a cycle (32 x 32 bits) or two later, and ends its task.
    assert joined(tmp_path, text.replace("DEPTH", "32"))[1].cycles == 12
    assert joined(tmp_path, text.replace("DEPTH", "33"))[1].cycles == 13


@pytest.mark.parametrize(
    ("function", "loop", "words"),
    [
        ("other", Written("rows_VITIS_LOOP_4_1", 1200, 16, 4),
         "reports: the reports do not belong to the source: they have no function 'k' \\(known: other\\)"),
        ("k", Written("rows_VITIS_LOOP_4_1", 1100, 16, 4),
         "kernel.cpp:4:5: the report does .*: 'rows_.*' of k_csynth.xml runs 1100 times, .* 1200"),
        ("k", Written("columns", 12, 16, 4),
         "reports/k_csynth.xml: the report .*: it has a loop 'columns' of 12 iterations, and .* has line 4, rows"),
        ("k", Written("VITIS_LOOP_7_1", 12, 16, 4), "it has a loop 'VITIS_LOOP_7_1' of 12 iterations"),
    ],
)  # fmt: skip
def test_a_report_that_does_not_belong_to_the_source_is_refused(
    tmp_path: Path, function: str, loop: Written, words: str
) -> None:
    write_xml(tmp_path / "reports", function, [loop])
    with pytest.raises(InputError, match=words):
        joined(tmp_path, NEST)


@pytest.mark.parametrize("loop", [Written("memset_b", 40, 2), Written("deep", 3, 2, places=(9,), file="hls_math.h")])
def test_loops_that_the_tool_made_are_listed(tmp_path: Path, loop: Written) -> None:
    write_xml(tmp_path / "reports", "k", [loop, Written("rows_VITIS_LOOP_4_1", 1200, 16, 4)])
    found, _ = joined(tmp_path, NEST)
    assert found.unused == (f"'{loop.name}' of k_csynth.xml",)


def test_a_loop_of_one_iteration_inside_a_pipeline_is_unrolled_with_the_rest(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
void k(hls::stream<float> out[1]) {
  all: for (int i = 0; i < 5; i++) {
    once: for (int j = 0; j < 1; j++) out[j].write(i);
  }
}
"""
    write_xml(tmp_path / "reports", "k", [Written("all", 5, 3, 1, places=(3,))])
    _, machine = joined(tmp_path, text)
    assert shape(machine) == [("i", 1, 3, 5)]
    assert clocked(machine).of(("out[0]", "put")).tolist() == [1, 2, 3, 4, 5]


def test_a_reported_nest_is_one_pipeline_and_no_more_than_it() -> None:
    outer, middle, inner = (("k.cpp", line, 1) for line in (3, 4, 5))
    loops = {middle: LoopDirective(unroll=2), inner: LoopDirective(ii=3, pipeline=False)}
    _pipeline(loops, (middle, inner), outer)
    assert loops == {
        outer: LoopDirective(flatten=False, joined=False),
        middle: LoopDirective(unroll=2, pipeline=None, flatten=None, joined=True),
        inner: LoopDirective(ii=3, pipeline=True),
    }
    alone: dict[Scope, LoopDirective] = {}
    _pipeline(alone, (inner,), None)
    assert alone == {inner: LoopDirective(pipeline=True)}
