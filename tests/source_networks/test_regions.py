"""Regions with streams of every kind: what is taken from the source, and where pragmas for depths go, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import chdir
from difflib import unified_diff
from pathlib import Path

import pytest

from ppnsim.c.declarations import StreamDeclaration
from ppnsim.engines.run import run
from ppnsim.errors import PpnsimError
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.hls.project.model import Project
from ppnsim.loops.position import Position
from ppnsim.source_networks.depths import pragma_result, stream_pragmas, with_pragmas
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork, SourceStream
from ppnsim.source_networks.ports import port_uses
from ppnsim.source_networks.report import deadlock_lines, deadlock_places, source_result, start_to_done_of
from ppnsim.source_networks.settings import project_depths
from tests.golden.records import unlike

_FILES = Path(__file__).parents[1] / "golden" / "files"


def regions() -> str:
    """Return what is taken from some regions, what becomes of them, and the sources with other depths."""
    with chdir(_FILES):
        text = Path("regions.cpp").read_text(encoding="utf-8")
        names = re.findall(r"^void (\w+)\(", text, re.MULTILINE)
        return "".join(f"{line}\n" for name in names for line in _told(name, text))


def _told(name: str, text: str) -> Iterator[str]:
    try:
        found = load_source("regions.cpp", function=name)
    except PpnsimError as refused:
        yield f"{name}: {refused}"
        return
    yield str(found)
    yield f"  late {dict(found.late)}, control {found.control}, RAMs {found.rams}"
    yield from (f"  {key} {value}" for key, value in source_result(found).items())
    yield from (f"  stream {each}" for each in found.streams)
    yield f"  lines {found.lines()}"
    for each in found.network.channels:
        yield f"  {each.name} depth {each.depth} group {each.group} {' '.join(map(str, found.ends(each.name)))}"
        yield f"    declared {found.declared.get(each.name)} as {getattr(found.stream_of(each.name), 'variable', '-')}"
    ran = run(found.network, engine="des", on_deadlock="return")
    yield f"  finish {ran.finish}, from start to done {start_to_done_of(found, ran)}"
    yield from (f"  port {each}" for each in port_uses(found, ran))
    if ran.deadlock is not None:
        fix = fix_deadlock(ran)
        yield from deadlock_lines(found, ran).splitlines()
        yield f"  {deadlock_places(found, ran, fix)}"
    yield from _deeper(found, text)


def _deeper(found: SourceNetwork, text: str) -> Iterator[str]:
    """Yield the lines of the source that other depths change."""
    depths = {each.name: 6 + n for n, each in enumerate(found.network.channels)}
    pragmas = stream_pragmas(found, depths)
    yield from (f"  pragma {pragma_result(each)}" for each in pragmas)
    try:
        written = with_pragmas(text.encode(), "regions.cpp", pragmas).decode()
    except PpnsimError as refused:
        yield f"  not written: {refused}"
        return
    changed = unified_diff(text.splitlines(), written.splitlines(), lineterm="", n=0)
    yield from (f"  {line}" for line in changed if line[0] in "+-" and line[:3] not in ("+++", "---"))


def test_regions_are_taken_as_recorded() -> None:
    assert unlike("regions") == []


def _stream(text: str, **given: object) -> SourceStream:
    declared = StreamDeclaration(variable="s", position=Position("k.cpp", 1, 1), extent=(0, len(text.encode())))
    return SourceStream(variable="s", channels=("s",), **({"declared": declared} | given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "known", "project", "directed", "depths"),
    [
        ("hls::stream<int> s", 2, {"fifo_depth": 4}, (), {"s": 4}),
        ("hls::stream<ap_uint<8> > s, t", 2, {"fifo_depth": 4}, (), {"s": 4}),
        ("hls::stream<pair<int, 3>> s", 2, {"fifo_depth": 4}, (), {"s": 4}),
        ("hls::stream<int, 2> s", 2, {"fifo_depth": 4}, (), {}),
        ("hls::stream<ap_int<(8, 9)>, 2> s", 2, {"fifo_depth": 4}, (), {}),
        ("hls::stream<f(1, 2)> s", 2, {"fifo_depth": 4}, (), {"s": 4}),
        ("fifo s", 2, {"fifo_depth": 4}, (), {"s": 4}),
        ("fifo s", 3, {"fifo_depth": 4}, (), {}),
        ("fifo s", 2, {"fifo_depth": 4}, ("s",), {}),
        ("fifo s", 2, {"fifo_depth": 4}, ("t",), {"s": 4}),
        ("fifo s", 2, {"fifo_depth": 1}, (), {"s": 1}),
        ("fifo s", 2, {}, (), {}),
        ("hls::stream<int, 9> s", 9, {"override_depth": 5}, ("s",), {"s": 5}),
        ("hls::stream<int, 9> s", 9, {"override_depth": 5, "fifo_depth": 4}, (), {"s": 5}),
        ("fifo s", 2, {"override_depth": 1}, (), {"s": 1}),
    ],
)
def test_depths_of_a_project_are_for_streams_that_say_none(
    text: str, known: int, project: Mapping[str, int], directed: tuple[str, ...], depths: dict[str, int]
) -> None:
    given = Project(file="run.tcl", top="k", sources=("k.cpp",), **project)  # type: ignore[arg-type]
    found, said = project_depths({"s": known}, [_stream(text)], given, set(directed), {"k.cpp": text})
    assert found == depths
    option = "override_user_fifo_depth" if "override_depth" in project else "fifo_depth"
    words = f"run.tcl: config_dataflow -{option} gives s a depth of {depths.get('s')}"
    assert said == ((words,) if depths else ())


def test_a_stream_whose_declaration_is_not_known_says_no_depth() -> None:
    given = Project(file="run.tcl", top="k", sources=("k.cpp",), fifo_depth=4)
    for stream in (_stream("", declared=None), _stream("hls::stream<int, 9> s")):
        assert project_depths({"s": 2}, [stream], given, set(), {"other.cpp": ""})[0] == {"s": 4}
    directed = _stream("fifo s", pragmas=(Position("k.cpp", 2, 1),))
    assert project_depths({"s": 2}, [directed], given, set(), {"k.cpp": "fifo s"})[0] == {}


PACKETS = """#include "hls_stream.h"
static void take(hls::stream<int> &in, hls::stream<int> &to) {
  int w; do { w = in.read(); to.write(w); } while (w); }
static void give(hls::stream<int> &from, hls::stream<int> &out) {
  for (int i = 0; i < 9; i++) out.write(from.read()); }
static void pass(hls::stream<int> &from, hls::stream<int> &out) {
  int w; do { w = from.read(); out.write(w); } while (w); }
void top(hls::stream<int> &in, hls::stream<int> &out) {
#pragma HLS dataflow
  hls::stream<int> s; TASKS }
"""


@pytest.mark.parametrize(
    ("tasks", "holds_for"),
    [
        ("take(in, s); pass(s, out);", "the assumed or annotated iterations of the loops in lines 3, 7"),
        ("give(in, s); pass(s, out);", ""),  # as often as tokens are brought
        ("give(in, s); give(s, out);", ""),
    ],
)
def test_depths_hold_for_the_iterations_that_are_assumed(tmp_path: Path, tasks: str, holds_for: str) -> None:
    (path := tmp_path / "k.cpp").write_text(PACKETS.replace("TASKS", tasks), encoding="utf-8")
    found = load_source(str(path))
    assert found.holds_for == holds_for
    assert source_result(found).get("depths_hold_for", "") == holds_for
