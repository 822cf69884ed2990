"""What is said of a source and its network, from parts that are made by hand: ports, streams, settings, places."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import patch

import pytest
from rich.console import Console

from ppnsim.c.declarations import StreamDeclaration, StreamDeclarations
from ppnsim.c.load import Kernels
from ppnsim.derive.derive import derive
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.project.model import Project
from ppnsim.hls.schedule.buses import BusPort, BusPorts
from ppnsim.hls.schedule.model import RegionChannel
from ppnsim.loops.position import Position
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.run import Fix, Run
from ppnsim.model.tokens import Rates
from ppnsim.source_networks import recorded
from ppnsim.source_networks.depths import StreamPragma, pragma_result, stream_pragmas, with_pragmas
from ppnsim.source_networks.load import load_source, load_source_network
from ppnsim.source_networks.model import PragmaScope, SourceNetwork, SourceStream, line_of
from ppnsim.source_networks.ports import port_notes, port_uses, ports_result, print_ports
from ppnsim.source_networks.remarks import remarks, remarks_on
from ppnsim.source_networks.report import (
    deadlock_places,
    fix_pragmas,
    pragma_lines,
    print_deadlock_places,
    print_pragmas,
    source_result,
)
from ppnsim.source_networks.settings import project_depths
from ppnsim.source_networks.streams import grouped, streams_of

PREDICTOR = "scenarios/kernels/predictor.c"


def lines(console: Console) -> list[list[str]]:
    """What was printed, each line as its columns."""
    text = console.file.getvalue()  # type: ignore[attr-defined]
    rows = (line.split("  ") for line in text.splitlines() if line.strip() and "───" not in line)
    return [[cell.strip() for cell in row if cell.strip()] for row in rows]


def declaration(
    variable: str, position: Position, extent: tuple[int, int] = (0, 0), function: tuple[str, int, int] | None = None
) -> StreamDeclaration:
    return StreamDeclaration(variable=variable, position=position, extent=extent, function=function)


def wide() -> Console:
    return Console(file=StringIO(), width=200)


# Ports on buses


def port(*, write: bool = False, **changed: object) -> BusPort:
    """Two requests of four beats, 8 bytes each; the data of a request is there after 10 cycles."""
    memory = Process(name="g.memory", firings=2, ii=4, latency=10, read=0, write=0)
    bus = Process(name="g.bus", firings=8, read=0, write=0)
    beats = Channel(name="g.beats", source="g.memory", target="g.bus", tokens=Rates(4, 1))
    made = BusPort(
        arrays=("a", "b"), task="load", bundle="g", write=write, width=8, bursts=2, outstanding=16, sharing=1,
        longest=4, latency=7, runs=1, per_piece=1, memory=memory, bus=bus, channels=(beats,), addresses=None,
        place=Position("k.cpp", 12, 3),
    )  # fmt: skip
    return replace(made, **changed)  # type: ignore[arg-type]


def ported(*, memory: str = "", **changed: object) -> SourceNetwork:
    each = port(**changed)  # type: ignore[arg-type]
    network = Network(processes=[each.memory, each.bus], channels=list(each.channels), clock_ns=5.0)
    return SourceNetwork(
        network=network, file="k.cpp", function="k", made_of="tasks", device="xc7z020", ports=(each,), memory=memory
    )  # fmt: skip


@pytest.fixture(scope="module")
def moved() -> tuple[SourceNetwork, Run]:
    source = ported()
    return source, run(source.network)


def test_a_port_counts_requests_beats_bytes_and_cycles(moved: tuple[SourceNetwork, Run]) -> None:
    source, done = moved
    (use,) = port_uses(source, done)
    assert (use.arguments, use.task, use.bundle, use.direction) == (("a", "b"), "load", "g", "read")
    assert (use.requests, use.bursts, use.beats, use.bytes, use.busy) == (2, 2, 8, 64, 8)
    # The requests go out at 0 and 4 and are answered 10 cycles later; 64 bytes in 18 cycles of 5 ns.
    assert (use.latency, use.longest) == (10.0, 10)
    assert done.time_ns is not None
    assert use.gbps == pytest.approx(64 / done.time_ns)


def test_a_request_of_a_piece_stands_for_several(moved: tuple[SourceNetwork, Run]) -> None:
    source, done = moved
    changed = replace(source, ports=(replace(source.ports[0], per_piece=4, write=True),))
    (use,) = port_uses(changed, done)
    assert (use.requests, use.direction) == (8, "write")


def test_ports_are_shown_with_the_share_of_the_run_that_they_have_the_bus(moved: tuple[SourceNetwork, Run]) -> None:
    source, done = moved
    console = wide()
    print_ports(console, source, done)
    assert done.finish is not None and done.time_ns is not None
    heads, row = lines(console)
    assert heads == ["port", "task", "moves", "requests", "bursts", "beats", "busy", "latency", "longest", "GB/s"]
    busy, rate = f"{8 / done.finish:.1%}", f"{64 / done.time_ns:.3g}"
    assert row == ["g", "load", "reads a, b", "2", "2", "8", busy, "10.0", "10", rate]
    head, _, line = console.file.getvalue().splitlines()[:3]  # type: ignore[attr-defined]
    for title in heads[3:]:  # numbers stand at the right of their columns
        end = head.index(f" {title}") + 1 + len(title)
        assert line[end - 1] != " " and line[end : end + 1] in ("", " "), title


def test_a_source_without_ports_says_nothing_of_them() -> None:
    source = SourceNetwork(network=chain(firings=2), file="k.cpp", function="k", made_of="tasks")
    done, console = run(source.network), wide()
    print_ports(console, source, done)
    assert lines(console) == []
    assert ports_result(source, done) == {}


def test_the_result_of_ports_names_the_memory_or_none(moved: tuple[SourceNetwork, Run]) -> None:
    source, done = moved
    assert ports_result(source, done)["memory"] is None
    behind = ports_result(replace(source, memory="DDR4-2400"), done)
    assert behind["memory"] == "DDR4-2400"
    assert isinstance(behind["ports"], list)
    assert behind["ports"][0]["arguments"] == ("a", "b")


def test_beats_that_never_came_are_not_counted_after_a_deadlock() -> None:
    source = ported()
    stuck = Channel(name="back", source="g.bus", target="g.memory", tokens=Rates(1, 4), initial=4)
    task = [Process(name="x", firings=1), Process(name="y", firings=1)]
    knot = [Channel(name="xy", source="x", target="y"), Channel(name="yx", source="y", target="x")]
    network = source.network.replace(
        processes=[*source.network.processes, *task],
        channels=[*source.network.channels, stuck, *knot, Channel(name="w", source="y", target="g.memory",
                                                                  tokens=Rates(2, 1), initial=1)],
    )  # fmt: skip
    done = run(network, on_deadlock="return")
    (use,) = port_uses(replace(source, network=network), done)
    assert (use.requests, use.beats, use.bytes, use.gbps) == (1, 4, 32, None)
    assert (use.latency, use.longest) == (10.0, 10)
    console = wide()
    print_ports(console, replace(source, network=network), done)
    assert [lines(console)[1][column] for column in (6, 9)] == ["-", "-"]


def test_what_is_assumed_of_a_port_is_said() -> None:
    buses = BusPorts(ports=(port(),), without={"c": "its address is data"})
    assert list(port_notes(buses, "", stuck=False)) == [
        "'c' has no port; its accesses take the latency of the interface, whatever else its bus does: its address is "
        "data",
        "g reads a, b: 2 bursts of up to 4 beats of 8 bytes, 16 under way, 7 states from request to first beat",
    ]
    written = BusPorts(ports=(port(write=True, sharing=2, runs=3),))
    assert list(port_notes(written, "", stuck=False)) == [
        "g writes a, b: 2 bursts of up to 4 beats of 8 bytes, 16 under way, its part of those of 2 tasks, 7 states "
        "from last beat to response",
    ]


def test_what_is_assumed_of_the_memory_behind_a_port_is_said() -> None:
    lie = (
        "DDR4-2400: arguments lie one after the other, each at a page of 4 KiB; nothing stands between port and "
        "memory, whose latencies are those at the depths of the source"
    )
    found = list(port_notes(BusPorts(ports=(port(runs=2),)), "DDR4-2400", stuck=True))
    assert found == [
        "g reads a, b: 2 bursts of up to 4 beats of 8 bytes, 16 under way, DDR4-2400 behind it",
        "g reads a, b: every run of task 'load' is taken to go to the addresses of its first one",
        lie,
        "DDR4-2400: these depths deadlock, so its latencies are those of unbounded FIFOs",
    ]
    assert list(port_notes(BusPorts(ports=(port(),)), "DDR4-2400", stuck=False))[1:] == [lie]
    assert list(port_notes(BusPorts(), "DDR4-2400", stuck=False)) == []


# The source of a network


def test_a_source_is_named_with_its_parts() -> None:
    network = chain(firings=4).replace(clock_ns=2.5)
    source = SourceNetwork(network=network, file="k.c", function="f", made_of="statements")
    assert str(source) == "k.c: function 'f' at 2.5 ns: 3 statements, 2 channels"
    assert (source.device, source.streams, source.places, source.declared) == ("", (), {}, {})
    assert (source.accesses, source.ports, source.memory, source.notes) == ({}, (), "", ())
    assert str(ported()) == "k.cpp: function 'k' on xc7z020 at 5 ns: 0 tasks, 0 channels, 1 port on buses"
    assert str(ported(memory="HBM2")).endswith(", 1 port on buses with HBM2")


def test_ends_of_a_channel_are_its_accesses_or_where_its_processes_begin() -> None:
    at = {name: Position("src/k.cpp", line, 1) for line, name in enumerate(("p0", "p1", "p2"), start=5)}
    there = Position("src/k.cpp", 20, 1)
    source = SourceNetwork(
        network=chain(firings=4), file="src/k.cpp", function="f", made_of="tasks", places=at,
        accesses={"c0": (there, Position())},
    )  # fmt: skip
    assert source.ends("c0") == (there, at["p1"])
    assert source.ends("c1") == (at["p1"], at["p2"])
    assert (source.line("p2"), source.line("nobody")) == ("src/k.cpp:7", "")
    assert source.lines() == {"p0": "k.cpp:5", "p1": "k.cpp:6", "p2": "k.cpp:7"}
    assert line_of(Position("k.cpp", 1, 9)) == "k.cpp:1"


def test_the_stream_behind_a_channel_is_found() -> None:
    declared = declaration("s", Position("k.cpp", 3, 1))
    streams = SourceStream(variable="s", channels=("c0",), declared=declared), SourceStream(variable="t", channels=())
    source = SourceNetwork(network=chain(firings=1), file="k.cpp", function="f", made_of="tasks", streams=streams)
    assert source.stream_of("c0") is streams[0]
    assert source.stream_of("c1") is None
    assert (streams[0].place, streams[1].place) == ("k.cpp:3", "")
    result = source_result(replace(source, device="u50", notes=("said",), places={"p1": Position("k.cpp", 8, 1)}))
    assert result == {
        "function": "f", "made_of": "tasks", "device": "u50", "clock_ns": 10.0, "notes": ["said"],
        "processes": {"p0": None, "p1": "k.cpp:8", "p2": None},
        "streams": [
            {"variable": "s", "channels": ["c0"], "at": "k.cpp:3"}, {"variable": "t", "channels": [], "at": None},
        ],
    }  # fmt: skip
    assert source_result(source)["device"] is None


# Deadlocks in the words of the source


@pytest.fixture(scope="module")
def stuck() -> tuple[SourceNetwork, Run]:
    network = fork_join(firings=20, short_depth=2, style="frozen")
    places = {name: Position("k.cpp", line, 1) for line, name in enumerate(("split", "short", "long", "join"), 10)}
    shorts = SourceStream(
        variable="s", channels=("short_in", "short_out"), declared=declaration("s", Position("k.cpp", 4, 1))
    )
    source = SourceNetwork(
        network=network, file="k.cpp", function="f", made_of="tasks", places=places,
        streams=(shorts, SourceStream(variable="other", channels=("long_in",))),
        declared={"short_in": Position("k.cpp", 4, 1), "long_in": Position("head.h", 9, 2)},
        accesses={"short_in": (Position("k.cpp", 31, 1), Position("k.cpp", 41, 1))},
    )  # fmt: skip
    return source, run(network, on_deadlock="return")


def test_a_fix_gives_a_variable_the_deepest_of_its_depths(stuck: tuple[SourceNetwork, Run]) -> None:
    source, done = stuck
    fix = Fix(depths={"short_out": 6}, smallest=True, runs=1)
    assert [each.text for each in fix_pragmas(source, done, fix)] == ["#pragma HLS stream variable=s depth=6"]
    assert [each.depth for each in fix_pragmas(source, done, Fix(depths={"short_in": 1}, smallest=True, runs=1))] == [2]
    assert fix_pragmas(source, done, None) == []


def test_the_places_of_a_deadlock_are_those_of_its_channels(stuck: tuple[SourceNetwork, Run]) -> None:
    source, done = stuck
    found = deadlock_places(source, done, Fix(depths={"short_in": 6}, smallest=True, runs=1))
    assert found["processes"] == {"split": "k.cpp:10", "short": "k.cpp:11", "join": "k.cpp:13", "long": "k.cpp:12"}
    assert found["channels"]["short_in"] == {"at": "k.cpp:4", "written_at": "k.cpp:31", "read_at": "k.cpp:41"}
    assert found["channels"]["short_out"] == {"at": None, "written_at": "k.cpp:11", "read_at": "k.cpp:13"}
    assert found["channels"]["long_in"]["at"] == "head.h:9"
    assert found["pragmas"] == [
        {
            "variable": "s",
            "depth": 6,
            "file": "k.cpp",
            "line": 4,
            "inside": None,
            "text": "#pragma HLS stream variable=s depth=6",
        }
    ]


def test_a_deadlock_is_shown_by_lines(stuck: tuple[SourceNetwork, Run]) -> None:
    source, done = stuck
    console = wide()
    print_deadlock_places(console, source, done, Fix(depths={"short_in": 6}, smallest=True, runs=1))
    assert lines(console) == [
        ["in k.cpp:"],
        ["channel", "declared", "written", "read"],
        ["short_in", "line 4", "line 31, by split", "line 41, by short"],
        ["short_out", "-", "line 11, by short", "line 13, by join"],
        ["long_out", "-", "line 12, by long", "line 13, by join"],
        ["long_in", "head.h:9", "line 10, by split", "line 12, by long"],
        ["paste after the declarations:"],
        ["#pragma HLS stream variable=s depth=6", "k.cpp:4"],
    ]


def test_pragmas_are_shown_one_below_the_other() -> None:
    streams = [SourceStream(variable=name, channels=(), declared=declaration(name, Position("k.cpp", 4, 1)))
               for name in ("s", "longer")]  # fmt: skip
    console, source = wide(), SourceNetwork(network=chain(firings=2), file="k.cpp", function="k", made_of="tasks")
    print_pragmas(
        console, source, [StreamPragma(each, 3) for each in [*streams, SourceStream(variable="t", channels=())]]
    )
    assert console.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "paste after the declarations:",
        "  #pragma HLS stream variable=s depth=3        k.cpp:4",
        "  #pragma HLS stream variable=longer depth=3   k.cpp:4",
        "  #pragma HLS stream variable=t depth=3",
    ]
    top = PragmaScope("top", Position("k.cpp", 20, 6), 99)
    inside = wide()
    print_pragmas(inside, source, [StreamPragma(replace(streams[0], scope=top), 3), StreamPragma(streams[1], 3)])
    assert inside.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "paste after the declarations:",
        "  #pragma HLS stream variable=longer depth=3   k.cpp:4",
        "paste in the functions:",
        "  #pragma HLS stream variable=s depth=3        k.cpp:20, at the top of 'top'",
    ]
    there = wide()
    known = replace(streams[0], pragmas=(Position("k.cpp", 5, 9), Position("head.h", 2, 1)))
    print_pragmas(there, source, [StreamPragma(known, 3), StreamPragma(streams[1], 3)])
    assert there.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "paste after the declarations:",
        "  #pragma HLS stream variable=longer depth=3   k.cpp:4",
        "put in place of the pragmas there:",
        "  #pragma HLS stream variable=s depth=3        k.cpp:5, head.h:2",
    ]
    silent = wide()
    print_pragmas(silent, replace(source, holds_for="the tokens of tb.cpp"), [])
    assert lines(silent) == []


def test_for_which_inputs_depths_are_enough_is_said_below_them() -> None:
    source = SourceNetwork(network=chain(firings=2), file="k.cpp", function="k", made_of="tasks")
    pragma = StreamPragma(SourceStream(variable="s", channels=()), 3)
    (*_, said) = pragma_lines(replace(source, holds_for="the tokens of tb.cpp"), [pragma])
    assert said == "these depths hold for the tokens of tb.cpp; with more tokens they may lose cycles or deadlock"
    assert "depths_hold_for" not in source_result(source)


# Depths


@pytest.mark.parametrize(
    ("declared", "own"),
    [("hls::stream<int> c0", False), ("hls::stream<int, 4> c0", True), ("hls::stream<std::array<int, 4>> c0", False),
     ("hls::stream<ap_uint<8>, 16> c0", True), ("hls::stream<f(1, 2)> c0", False), ("hls::stream<", False)],
)  # fmt: skip
def test_the_depth_of_a_project_is_for_streams_that_say_none(declared: str, own: bool) -> None:
    text = f"int é;\n{declared};\n"
    begin = len("int é;\n".encode())
    place = declaration("c0", Position("k.cpp", 2, 1), (begin, begin + len(declared)))
    streams = [SourceStream(variable="c0", channels=("c0",), declared=place)]
    known, project = {"c0": 2, "c1": 2}, Project(file="p.tcl", top="k", sources=(), fifo_depth=9)
    depths, notes = project_depths(known, streams, project, set(), {"k.cpp": text})
    assert depths == ({} if own else {"c0": 9})
    assert notes == (() if own else ("p.tcl: config_dataflow -fifo_depth gives c0 a depth of 9",))


def test_which_streams_a_project_leaves_alone() -> None:
    known, project = {"c0": 2, "c1": 2}, Project(file="p.tcl", top="k", sources=(), fifo_depth=9)
    plain, asked = SourceStream(variable="c0", channels=("c0",)), SourceStream(variable="c1", channels=("c1",))
    with_pragma = replace(plain, pragmas=(Position("k.cpp", 3, 1),))
    assert project_depths(known, [plain, asked], project, {"c1"}, {})[0] == {"c0": 9}
    assert project_depths(known, [with_pragma, asked], project, set(), {})[0] == {"c1": 9}
    deep = {**known, "c0": 5}
    assert project_depths(deep, [plain, asked], project, set(), {})[0] == {"c1": 9}  # 5 came from somewhere
    silent = replace(project, fifo_depth=0)
    assert project_depths(known, [plain, asked], silent, set(), {}) == ({}, ())
    forced = replace(project, override_depth=7)
    assert project_depths(deep, [with_pragma, asked], forced, {"c1"}, {}) == (
        {"c0": 7, "c1": 7},
        ("p.tcl: config_dataflow -override_user_fifo_depth gives c0, c1 a depth of 7",),
    )


def test_pragmas_are_for_variables_with_a_depth() -> None:
    streams = SourceStream(variable="s", channels=("s[0]", "s[1]")), SourceStream(variable="t", channels=("t",))
    source = SourceNetwork(network=chain(firings=1), file="k.cpp", function="f", made_of="tasks", streams=streams)
    found = stream_pragmas(source, {"s[0]": 7, "s[1]": 5, "t": None})
    assert [(each.stream.variable, each.depth) for each in found] == [("s", 7)]
    assert pragma_result(found[0]) == {
        "variable": "s", "depth": 7, "file": None, "line": None, "inside": None,
        "text": "#pragma HLS stream variable=s depth=7"
    }  # fmt: skip


def test_refusals_to_write_name_the_file_or_the_declaration() -> None:
    text = b"void f() { hls::stream<int> s; }\n"
    unknown = StreamPragma(SourceStream(variable="s", channels=("s",)), 3)
    with pytest.raises(InputError) as refused:
        with_pragmas(text, "k.cpp", [unknown])
    assert str(refused.value) == (
        "k.cpp: the declaration of 's' is not known; paste it yourself: #pragma HLS stream variable=s depth=3"
    )
    elsewhere = SourceStream(
        variable="s", channels=("s",), declared=declaration("s", Position("head.h", 7, 1), (0, 5), ("f", 1, 9))
    )
    with pytest.raises(InputError, match=r"^head\.h:7: 's' is not declared here; paste it yourself"):
        with_pragmas(text, "k.cpp", [StreamPragma(elsewhere, 3)])
    within = replace(elsewhere, pragmas=(Position("head.h", 8, 1),))
    with pytest.raises(InputError, match=r"^head\.h:8: the pragma of 's' is in another file; change it yourself"):
        with_pragmas(text, "k.cpp", [StreamPragma(within, 3)])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (b"void f() {\n  g(); }\n", b"void f() {\n#pragma HLS stream variable=s depth=3\n  g(); }\n"),
        (b"void f() { // why\n  g(); }\n", b"void f() { // why\n#pragma HLS stream variable=s depth=3\n  g(); }\n"),
        (b"void f() { g(); }\r\n", b"void f() {\r\n#pragma HLS stream variable=s depth=3\r\n g(); }\r\n"),
    ],
)
def test_a_stream_from_elsewhere_gets_its_pragma_at_the_top_of_the_function(text: bytes, written: bytes) -> None:
    scope = PragmaScope("f", Position("k.cpp", 1, 6), text.index(b"{"))
    stream = SourceStream(variable="s", channels=("s",), scope=scope)
    assert with_pragmas(text, "k.cpp", [StreamPragma(stream, 3)]) == written
    assert pragma_result(StreamPragma(stream, 3))["inside"] == "f"


def test_a_function_that_is_not_there_as_text_gets_no_pragma() -> None:
    scope = PragmaScope("f", Position("k.cpp", 1, 6), 3)
    stream = SourceStream(variable="s", channels=("s",), scope=scope)
    with pytest.raises(InputError) as refused:
        with_pragmas(b"MAKE(f)", "k.cpp", [StreamPragma(stream, 3)])
    assert str(refused.value) == (
        "k.cpp:1: a macro writes 'f'; paste it yourself: #pragma HLS stream variable=s depth=3"
    )
    with pytest.raises(InputError, match=r"^k\.cpp:1: 'f', in which 's' is named, is not here; paste it yourself: "):
        with_pragmas(b"{", "other.cpp", [StreamPragma(stream, 3)])


def test_two_depths_for_one_pragma_are_refused_with_the_file() -> None:
    text = b"#pragma HLS stream variable=s depth=4\nint x;\n"
    place = SourceStream(variable="s", channels=("s",), pragmas=(Position("k.cpp", 1, 1),))
    assert with_pragmas(text, "k.cpp", [StreamPragma(place, 12)]) == text.replace(b"4", b"12")
    with pytest.raises(InputError) as refused:
        with_pragmas(text, "k.cpp", [StreamPragma(place, 12), StreamPragma(place, 13)])
    assert str(refused.value) == "k.cpp: gives two streams their depth, 12 and 13"


# Groups


def test_groups_of_one_name_are_numbered() -> None:
    network = chain(firings=1, length=6)
    streams = [SourceStream(variable="s", channels=("c0", "c1")), SourceStream(variable="s", channels=("c2",)),
               SourceStream(variable="c4", channels=("c3",))]  # fmt: skip
    assert grouped(network, streams).groups == {"s#1": ("c0", "c1"), "s#2": ("c2",), "c4#1": ("c3",)}


def test_channels_of_one_declaration_are_one_stream() -> None:
    class Nothing:
        frames = ()
        arrays: ClassVar[dict[str, object]] = {}

    at, elsewhere = Position("k.cpp", 3, 1), Position("k.cpp", 4, 1)
    fifos = {
        name: RegionChannel("fifo", array, variable, place)
        for name, array, variable, place in (
            ("s[0]", "s", "s", at), ("s[1]", "s", "s", at), ("t", "t_1", "t", elsewhere), ("u", "t_1", "t", elsewhere),
        )
    }  # fmt: skip
    declared = declaration("s", at, (3, 9))
    found = streams_of(Nothing(), fifos, StreamDeclarations(streams=(declared,)), {})  # type: ignore[arg-type]
    assert [(each.variable, each.channels, each.declared) for each in found] == [
        ("s", ("s[0]", "s[1]"), declared), ("t", ("t", "u"), None)
    ]  # fmt: skip


# Functions without a region


def test_latency_ii_io_and_hazards_go_to_the_network_of_statements() -> None:
    program = load_source(PREDICTOR, statements=lambda program: derive(program, latency=3, ii=2)).network
    slow = load_source_network(PREDICTOR, latency=3, ii=2)
    assert {(each.latency, each.ii) for each in slow.processes} == {(3, 2)}
    assert [each.name for each in slow.processes] == [each.name for each in program.processes]
    plain = load_source_network(PREDICTOR)
    assert {(each.latency, each.ii) for each in plain.processes} == {(1, 1)}
    with_ends = load_source_network(PREDICTOR, io=True)
    assert sum((each.read or 0) + (each.write or 0) for each in with_ends.processes) > sum(
        (each.read or 0) + (each.write or 0) for each in plain.processes
    )


def test_hazards_are_channels_of_the_network_of_statements(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        "void f(int a[8], int b[8]) {\n#pragma scop\n  for (int i = 0; i < 7; i++) b[i] = a[i + 1];\n"
        "  for (int i = 0; i < 8; i++) a[i] = i;\n#pragma endscop\n}\n",
        encoding="utf-8",
    )
    assert len(load_source_network(str(path)).channels) == 0
    assert len(load_source_network(str(path), hazards=True).channels) == 1
    source = load_source(str(path), clock="4 ns")
    assert (source.network.clock_ns, source.made_of, source.function) == (4.0, "statements", "f")
    assert sorted(source.lines().values()) == ["k.c:3", "k.c:4"]


@pytest.mark.parametrize(
    ("option", "value"),
    [("device", "xc7z020"), ("unsafe_math", True), ("reports", "nowhere"), ("memory", "DDR4-2400")],
)
def test_options_of_a_region_are_refused_by_name_where_there_is_none(option: str, value: object) -> None:
    with pytest.raises(InputError) as refused:
        load_source(PREDICTOR, **{option: value})  # type: ignore[arg-type]
    remedy = "" if option == "memory" else " (ppnsim schedule takes it)"
    assert str(refused.value) == (
        f"{PREDICTOR}: has no '#pragma HLS dataflow', so it becomes a network of its statements, "
        f"for which --{option.replace('_', '-')} means nothing{remedy}"
    )


@pytest.mark.parametrize("given", [{"arguments": ["fast"]}, {"solution": "one"}])
def test_arguments_and_solutions_are_those_of_projects(given: dict[str, object]) -> None:
    with pytest.raises(InputError, match="is of a project"):
        load_source(PREDICTOR, **given)  # type: ignore[arg-type]


def test_what_a_project_says_in_vain_is_told() -> None:
    project = Project(file="p.tcl", top="k", sources=(), solution="two", solutions=("one", "two"), unknown=("p.tcl:3",))
    assert list(remarks_on(project)) == ["p.tcl: solution 'two' of one, two", "no effect: p.tcl:3"]
    assert list(remarks_on(replace(project, solutions=("two",), unknown=()))) == []


@pytest.mark.parametrize(("pragma", "told"), [("pipeline II=4", 1), ("inline", 0)])
def test_pragmas_of_loops_say_nothing_of_a_network_of_statements(pragma: str, told: int, tmp_path: Path) -> None:
    """Its intervals are those of --ii, which must not pass for that of the pragma."""
    file = tmp_path / "f.c"
    file.write_text(f"void f(int a[8]) {{ for (int i = 0; i < 8; i++) {{\n#pragma HLS {pragma}\na[i] = i; }} }}\n")
    found = load_source(str(file), as_statements=True)
    assert found.network.processes[0].ii == 1
    assert sum("no effect: '#pragma HLS'" in each for each in found.notes) == told


def test_what_was_left_out_of_a_source_comes_before_what_is_assumed() -> None:
    class Left:
        function, reason = "g", "it has no body"

    kernels = Kernels(programs=(), skipped=(Left(),), asked=False, assumed=("a is read",))  # type: ignore[arg-type]
    assert remarks(kernels) == ("skipped g: it has no body", "a is read")


def test_of_a_recorded_region_it_is_said_which_pipelines_of_tasks_without_an_end_stand() -> None:
    """Those that are both: a task that ends, and one that is no pipeline, stand for nothing."""

    def task(name: str, *, endless: bool, pipelined: bool) -> Any:
        return SimpleNamespace(name=name, timing=SimpleNamespace(endless=endless, pipelines=lambda: pipelined))

    tasks = [
        task(f"{endless:d}{pipelined:d}", endless=endless, pipelined=pipelined)
        for endless in (False, True) for pipelined in (False, True)
    ]  # fmt: skip
    design = SimpleNamespace(testbench="bench.cpp")
    found: Any = SimpleNamespace(region=None, timings=(), assumed=("assumed: a",), design=design)
    trace: Any = SimpleNamespace(calls=2, printed="one\ntwo\n")
    call: Any = SimpleNamespace(tasks=tasks)
    with patch.object(recorded, "timing_rule", lambda *_: "the rule"):
        notes = recorded._notes(found, trace, call)
    assert notes[:2] == ("the rule", "assumed: a")
    assert notes[2].startswith("assumed: the pipelines of 11 stop as a whole")
    assert notes[3:] == (
        "bench.cpp calls the region 2 times: the network is its first call", "bench.cpp printed: one",
        "bench.cpp printed: two",
    )  # fmt: skip
    once: Any = SimpleNamespace(calls=1, printed="")
    assert recorded.testbench_notes(found, once) == ()
