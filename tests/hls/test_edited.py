"""Reports and projects with one word changed or one line left out at a time: what is read then, or why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ppnsim.errors import PpnsimError
from ppnsim.hls.project.read import read_project
from ppnsim.hls.reports.read import read_reports
from tests.golden.records import unlike
from tests.helpers.csynth import Written, write_summary, write_text, write_xml

_SUMMARY = """== Synthesis Summary Report of 'k'
    * Version:        2022.1 (Build 2)
    * Target device:  xc7z020-clg400-1

+ Performance & Resource Estimates:
    |       Modules       | Issue|      |  Latency |  Latency  | Iteration|         | Trip |          |
    |       & Loops       | Type | Slack| (cycles) |    (ns)   |  Latency | Interval| Count| Pipelined|
    |+ k*                 |     -|  0.33|       210|  2.100e+03|         -|      105|     -|  dataflow|
    | + one               |     -|  0.58|   12 ~ 90|  1.200e+02|         -|       14|     -|        no|
    |  o rows             |     -|  7.30|        99|  9.900e+01|         9|        1|    11|        no|
    |   o VITIS_LOOP_4_1  |     -|  7.30|         ?|  9.900e+01|         3|        2| 4 ~ 8|       yes|
    |  o again            |     -|  7.30|        20|  2.000e+01|         2|        1|     ?|       yes|
    | + two               |     -|  0.58|         -|          -|         -|        -|     -|       yes|
"""
_SCRIPT = """set flags "-I inc -DFACTOR=3 -D MORE -std=c++14"
open_project -reset demo_prj
set_top k
add_files src/top.cpp -cflags $flags
add_files -tb src/k_tb.cpp
open_solution -reset "one" -flow_target vitis
set_part {xcu280-fsvh2892-2L-e}
create_clock -period 300MHz -name default
config_compile -unsafe_math_optimizations=1 -pipeline_loops 9
config_dataflow -default_channel fifo -fifo_depth 4 -override_user_fifo_depth 7
config_interface -m_axi_latency 30
config_rtl -reset all
set_directive_pipeline -II 2 -rewind "k/first"
set_directive_array_partition -type cyclic -factor 2 -dim 1 k b
set_directive_interface -mode m_axi -bundle g -depth 8 k a
set_directive_dataflow k
if {[llength $argv] > 0} { create_clock -period [expr {[lindex $argv 0] * 2}]ns }
foreach {name factor} {first 2 second 3} { set_directive_unroll -factor $factor k/$name }
csynth_design
"""
_CONFIG = """part=xcu280-fsvh2892-2L-e
[hls]
flow_target=vivado
freqhz=250000000
clock=4ns
syn.top=k
syn.file=src/top.cpp
tb.file=src/tb.cpp
syn.cflags=-I inc -DFACTOR=3
syn.file_cflags=src/top.cpp,-DMORE
syn.compile.unsafe_math_optimizations=true
syn.compile.pipeline_loops=5
syn.dataflow.fifo_depth=3
syn.interface.m_axi_latency=12
syn.directive.pipeline=k/first II=2 off
syn.directive.array_partition=k b type=cyclic factor=2
syn.directive.interface=k mode=ap_fifo a
syn.rtl.reset=control
"""
_OTHERS = {"yes": ("no",), "no": ("yes",), "dataflow": ("no",), "off": ("on",), "true": ("off", "maybe")}


def edited_projects() -> str:
    """Return what is read of projects and their edits."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path("src").mkdir()
        Path("inc").mkdir()
        Path("src/top.cpp").write_text("void k(int a[9], int b[9]) {}\n", encoding="utf-8")
        lines = [
            *_told("run_hls.tcl", _SCRIPT, lambda: read_project("run_hls.tcl")),
            *_told("run_hls.tcl", _SCRIPT, lambda: read_project("run_hls.tcl", arguments=["3"])),
            *_told("hls_config.cfg", _CONFIG, lambda: read_project("hls_config.cfg")),
        ]
    return "".join(f"{line}\n" for line in lines)


def edited_reports() -> str:
    """Return what is read of reports in their forms and of their edits."""
    rows = Written("rows_VITIS_LOOP_4_1", 120, 16, 4, places=(2, 4))
    loops = [
        (0, Written("outer", 7, 12, None)),
        (1, Written("inner", 3, 4, 2)),
        (2, Written("deep", 2, 3, 1)),
        (0, rows),
    ]
    lines: list[str] = []
    with TemporaryDirectory() as folder, chdir(folder):
        for path in (
            write_text(Path("text"), "k", loops, ["f", "g"]),
            write_xml(Path("xml"), "k", [rows, Written("i", 5, 3, None)]),
            write_summary(Path("design"), "k", {"k": [rows], "f": [Written("i", None, 3, 1)]}),
            _summary(Path("summary")),
        ):  # fmt: skip
            lines += _told(str(path), path.read_text(encoding="utf-8"), lambda path=path: read_reports(path.parent))  # type: ignore[misc]
    return "".join(f"{line}\n" for line in lines)


def _summary(folder: Path) -> Path:
    folder.mkdir()
    (folder / "csynth.rpt").write_text(_SUMMARY, encoding="utf-8")
    return folder / "csynth.rpt"


def _told(name: str, text: str, read: Callable[[], object]) -> Iterator[str]:
    """Yield what is read of a file, and for each edit of it what is another value then."""
    Path(name).write_text(text, encoding="utf-8")
    first = _values(read())
    yield from (f"{name}: {key} = {value}" for key, value in first.items())
    for what, edited in _edits(text):
        Path(name).write_text(edited, encoding="utf-8")
        try:
            now = _values(read())
        except PpnsimError as refused:
            said = " / ".join(str(refused).splitlines())
        else:
            said = "; ".join(f"{key} = {now.get(key)}" for key in {**first, **now} if now.get(key) != first.get(key))
        if said:
            yield f"  {what}: {_short(said)}"
    Path(name).write_text(text, encoding="utf-8")


def _edits(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text without one of its lines, and with one of its words changed."""
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if line.strip():
            yield f"without line {at + 1}", "".join((*lines[:at], *lines[at + 1 :]))
    for word in re.finditer(r"-?[\w.?]+", text):
        number = text.count("\n", 0, word.start()) + 1
        for other in _others(word.group()):
            yield f"{number}: {word.group()} is {other!r}", text[: word.start()] + other + text[word.end() :]


def _others(word: str) -> tuple[str, ...]:
    if word.isdecimal():
        return str(int(word) + 1), "0", "?"
    return (word[:-1], *_OTHERS.get(word, ()))


def _values(found: object, name: str = "") -> dict[str, str]:
    """Return the values of a dataclass, also of those inside it, by the way to them."""
    if not is_dataclass(found):
        return {name: str(found)}
    made: dict[str, str] = {}
    for each in fields(found):
        value = getattr(found, each.name)
        inside = list(value.items()) if isinstance(value, dict) else [("", value)]
        for key, one in inside:
            made |= _values(one, f"{name}.{each.name}{key and f'[{key}]'}".strip("."))
    return made


def _short(line: str) -> str:
    return line if len(line) < 200 else f"{line[:150]} ... {sha256(line.encode()).hexdigest()[:12]}"


def test_edited_projects_are_read_as_recorded() -> None:
    assert unlike("edited_projects") == []


def test_edited_reports_are_read_as_recorded() -> None:
    assert unlike("edited_reports") == []
