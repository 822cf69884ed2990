"""What is written is read back by other programs' readers, and is the timeline."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from vcd.reader import TokenKind, tokenize

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.export.perfetto import write_perfetto
from ppnsim.export.place import replacing
from ppnsim.export.tables import TYPES, chunks_of, write_csv, write_parquet
from ppnsim.export.trace import Spans, Trace, trace_of
from ppnsim.export.vcd import clock_of, write_gtkwave, write_vcd
from ppnsim.export.wavedrom import waves_of, write_svg, write_wavejson
from ppnsim.export.window import Window, window_called, window_of
from ppnsim.model.builders import chain, fork_join, predictor
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import StepList
from ppnsim.model.timeline import NEVER, Timeline

# Rows of a picture with gaps between them, into a task that reads a row, computes, and reads the next one.
SCHEDULED = Network(
    processes=[
        Process.scheduled(name="rows", steps=6, runs=4, start_steps=StepList.of([0, 3])),
        Process.scheduled(name="sums", steps=5, runs=4),
        Process(name="out", firings=4),
    ],
    channels=[
        Channel(
            name="pixels", source="rows", target="sums", depth=3, write_steps=StepList.of([0, 1, 5]),
            read_steps=StepList.of([0, 1, 2]),
        ),
        Channel(name="results", source="sums", target="out", depth=1, write_steps=StepList.of([4])),
    ],
).checked()  # fmt: skip
NETWORKS = {
    "scheduled": SCHEDULED,
    "predictor": predictor(),
    "deadlock": fork_join(firings=20, short_depth=2, style="frozen"),
    "many at once": chain(firings=5, length=2, ii=0),
    "odd names": Network(
        processes=[Process(name="a b", firings=3), Process(name="a.b", firings=3)],
        channels=[Channel(name="a b->a.b", source="a b", target="a.b", depth=1)],
        clock_ns=10 / 3,
    ).checked(),
}


@pytest.fixture(params=NETWORKS)
def timeline(request: pytest.FixtureRequest) -> Timeline:
    return run(NETWORKS[request.param], on_deadlock="return").timeline


def windows(timeline: Timeline) -> list[Window]:
    stopped = timeline.stopped
    return [Window(0, stopped), Window(stopped // 3, 2 * stopped // 3 + 1)]


def state_at(timeline: Timeline, process: str, cycle: int) -> str:
    classes = cycle_classes(timeline, process)
    kind, cause = classes.labels[int(classes.codes[np.searchsorted(classes.edges, cycle, side="right") - 1])]
    return kind if cause is None else f"{kind}:{cause}"


def tokens_at(timeline: Timeline, channel: str, cycle: int) -> int:
    writes, releases = timeline.token_writes(channel), timeline.releases(channel)
    written = int(((writes <= cycle) & (writes != NEVER)).sum())
    return timeline.network.channel(channel).initial + written - int((releases <= cycle).sum())


# -- VCD --------------------------------------------------------------------------------------------------------------


def vcd_values(text: str, window: Window, per_tick: int) -> dict[str, list[Any]]:
    """Return the value of every signal in every cycle of the window, by full name."""
    scope: list[str] = []
    names: dict[str, str] = {}
    changes: dict[str, dict[int, Any]] = defaultdict(dict)
    now = window.first
    for token in tokenize(io.BytesIO(text.encode())):
        data: Any = token.data
        if token.kind is TokenKind.SCOPE:
            scope.append(data.ident)
        elif token.kind is TokenKind.UPSCOPE:
            scope.pop()
        elif token.kind is TokenKind.VAR:
            names[data.id_code] = ".".join([*scope, data.reference])
        elif token.kind is TokenKind.CHANGE_TIME:
            assert data % per_tick == 0
            now = data // per_tick
        elif token.kind in (TokenKind.CHANGE_VECTOR, TokenKind.CHANGE_STRING):
            changes[names[data.id_code]][now] = data.value
    values: dict[str, list[Any]] = {}
    for name, known in changes.items():
        series: list[Any] = []
        for cycle in range(window.first, window.last):
            series.append(known.get(cycle, series[-1] if series else None))
        values[name] = series
    return values


def test_vcd_read_back_is_the_timeline(timeline: Timeline) -> None:
    trace = trace_of(timeline)
    for window in windows(timeline):
        out = io.StringIO()
        groups = write_vcd(trace, window, out)
        values = vcd_values(out.getvalue(), window, clock_of(trace).per_tick)
        assert {name for _, signals in groups for name in signals} == set(values)
        by_group = dict(groups)
        for process in timeline.network.processes:
            state, firing, active = (values[name] for name in by_group[process.name])
            start, end = timeline.start(process.name), timeline.end(process.name)
            for place, cycle in enumerate(range(window.first, window.last)):
                # A VCD string has no white space; pyvcd escapes it.
                assert state[place].replace("\\x20", " ") == state_at(timeline, process.name, cycle)
                started = int(((start != NEVER) & (start <= cycle)).sum())
                assert firing[place] == started - 1 if started else firing[place] in ("x", None)
                ended = int(((end != NEVER) & (end <= cycle)).sum())
                assert active[place] == started - ended
        for channel, name in zip(timeline.network.channels, by_group["channels"], strict=True):
            told = [tokens_at(timeline, channel.name, cycle) for cycle in range(window.first, window.last)]
            assert values[name] == told


def test_the_save_file_of_gtkwave_groups_all_signals(tmp_path: Path) -> None:
    out, save = io.StringIO(), io.StringIO()
    timeline = run(predictor()).timeline
    groups = write_vcd(trace_of(timeline), Window(0, timeline.stopped), out)
    write_gtkwave(groups, tmp_path / "run.vcd", save)
    text = save.getvalue()
    assert "run.vcd" in text
    assert all(signal in text for _, signals in groups for signal in signals)
    assert [name for name, _ in groups] == ["source", "transformer", "sink", "channels"]


# -- Perfetto ---------------------------------------------------------------------------------------------------------


def perfetto(trace: Trace, window: Window, *, flows: bool = False) -> list[dict[str, Any]]:
    out = io.StringIO()
    write_perfetto(trace, window, out, flows=flows)
    events: list[dict[str, Any]] = json.loads(out.getvalue())["traceEvents"]
    return events


_KEYS = {
    "M": {"name", "ph", "ts", "pid", "tid", "args"},
    "X": {"name", "cat", "ph", "ts", "dur", "pid", "tid"},
    "C": {"name", "ph", "ts", "pid", "tid", "args"},
    "s": {"name", "cat", "ph", "ts", "pid", "tid", "id"},
    "f": {"name", "cat", "ph", "ts", "pid", "tid", "id", "bp"},
}  # from the "Trace Event Format" of Chrome: required keys of each phase


def test_perfetto_events_have_the_keys_of_their_phase_and_slices_nest(timeline: Timeline) -> None:
    events = perfetto(trace_of(timeline), Window(0, max(timeline.stopped, 1)), flows=True)
    threads: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for event in events:
        assert _KEYS[event["ph"]] <= set(event)
        assert isinstance(event["ts"], int)
        if event["ph"] == "X":
            assert event["dur"] >= 0
            threads[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for spans in threads.values():
        spans.sort()
        assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))


def test_perfetto_slices_counters_and_arrows_are_the_timeline(timeline: Timeline) -> None:
    events = perfetto(trace_of(timeline), Window(0, max(timeline.stopped, 1)), flows=True)
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    firings = defaultdict(list)
    for event in events:
        if event["ph"] == "X" and event["cat"] == "firing":
            firings[names[event["pid"]]].append((event["args"]["firing"], event["ts"], event["ts"] + event["dur"]))
    for process in timeline.network.processes:
        start, end = timeline.start(process.name), timeline.end(process.name)
        told = [
            (n, int(start[n]), timeline.stopped if end[n] == NEVER else int(end[n]))
            for n in range(process.firings)
            if start[n] != NEVER
        ]
        assert sorted(firings[process.name]) == told
    for channel in timeline.network.channels:
        arrows = [event for event in events if event["ph"] in "sf" and event["name"] == channel.name]
        reads = timeline.token_reads(channel.name)
        fed = timeline.reading_pairs(channel.name)[:, 1] >= channel.initial
        assert sorted(event["ts"] for event in arrows if event["ph"] == "f") == sorted(
            int(cycle) for cycle in reads[fed] if cycle != NEVER
        )
        counted = [(event["ts"], event["args"]["tokens"]) for event in events
                   if event["ph"] == "C" and event["name"] == channel.name]  # fmt: skip
        assert all(tokens_at(timeline, channel.name, cycle) == tokens for cycle, tokens in counted)


def test_of_what_began_before_a_window_the_last_one_is_still_shown() -> None:
    begin = np.array([0, 2, 4, 6, 9], dtype=np.int64)
    spans = Spans(name="p", begin=begin, end=begin + 1, number=np.arange(5, dtype=np.int64))
    assert list(spans.begun(Window(5, 9))) == [(5, 2), (6, 3)]
    assert list(spans.begun(Window(0, 3))) == [(0, 0), (2, 1)]


# -- WaveDrom ---------------------------------------------------------------------------------------------------------


def test_wavejson_read_back_is_the_timeline(timeline: Timeline) -> None:
    for window in windows(timeline):
        out = io.StringIO()
        write_wavejson(trace_of(timeline), window, out)
        diagram = json.loads(out.getvalue())
        rows = {(group[0], row["name"]): row for group in diagram["signal"] for row in group[1:]}
        for process in timeline.network.processes:
            told = unrolled(rows[process.name, "state"], window)
            assert told == [state_at(timeline, process.name, c) for c in range(window.first, window.last)]
        for channel in timeline.network.channels:
            told = unrolled(rows["channels", channel.name], window)
            assert told == [str(tokens_at(timeline, channel.name, c)) for c in range(window.first, window.last)]


def unrolled(row: dict[str, Any], window: Window) -> list[str | None]:
    """Return the text of a WaveDrom row in every cycle, None where it says x."""
    assert len(row["wave"]) == window.last - window.first
    texts, told = iter(row.get("data", [])), list[str | None]()
    for letter in row["wave"]:
        told.append(told[-1] if letter == "." else None if letter == "x" else next(texts))
    return told


def test_the_svg_shows_every_row_and_needs_nothing_else() -> None:
    timeline = run(predictor()).timeline
    out = io.StringIO()
    write_svg(trace_of(timeline), Window(0, 30), out)
    text = out.getvalue()
    assert text.count("<rect") == 1 + sum(len(row.boxes) for row in waves_of(trace_of(timeline), Window(0, 30)))
    assert "href" not in text


def test_a_diagram_of_too_many_cycles_is_refused() -> None:
    trace = trace_of(run(chain(firings=2000)).timeline)
    with pytest.raises(InputError, match="more than a diagram shows"):
        waves_of(trace, Window(0, trace.stopped))


# -- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["firings", "states", "occupancy"])
def test_parquet_reads_in_pandas_with_the_documented_types(timeline: Timeline, table: str, tmp_path: Path) -> None:
    window = Window(0, max(timeline.stopped, 1))
    with replacing(tmp_path / "t.parquet", binary=True) as binary:
        write_parquet(chunks_of(timeline, table, window), table, binary)
    with replacing(tmp_path / "t.csv") as text:
        write_csv(chunks_of(timeline, table, window), table, text)
    types: Any = TYPES[table]
    back = pd.read_parquet(tmp_path / "t.parquet", dtype_backend="numpy_nullable").astype(types)
    assert list(back.columns) == list(types)
    pd.testing.assert_frame_equal(back, pd.read_csv(tmp_path / "t.csv", dtype=types))
    if table == "firings":
        told = [timeline.start(process.name) for process in timeline.network.processes]
        assert back["start"].fillna(NEVER).tolist() == np.concatenate(told).tolist()


def test_a_window_of_the_firings_holds_those_that_touch_it() -> None:
    timeline = run(predictor()).timeline
    chunk = pd.concat(chunks_of(timeline, "firings", Window(20, 30)))
    start, end = timeline.start("sink"), timeline.end("sink")
    told = np.flatnonzero((start < 30) & (end > 20)).tolist()
    assert chunk[chunk["process"] == "sink"]["firing"].tolist() == told


# -- windows and places -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["5", "a:b", "-1:4", "1:2:3"])
def test_what_is_not_a_window_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="A:B"):
        window_called(text)


@pytest.mark.parametrize("ends", [(5, 5), (9, 3), (100, 200)])
def test_an_empty_window_is_refused(ends: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="holds no cycle"):
        window_of(*ends, stopped=83)


def test_an_error_leaves_no_half_written_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    place = tmp_path / "run.vcd"
    place.write_text("old", encoding="utf-8")
    with pytest.raises(RuntimeError), replacing(place) as out:
        out.write("half")
        raise RuntimeError
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("run.vcd", "old")]


def test_parts_of_a_trace_are_numbered_from_one_in_their_order() -> None:
    timeline = run(predictor()).timeline
    out = io.StringIO()
    write_perfetto(trace_of(timeline), Window(0, timeline.stopped), out)
    events = json.loads(out.getvalue())["traceEvents"]
    named = [(each["pid"], each["args"]["name"]) for each in events if each["name"] == "process_name"]
    assert [name for number, name in sorted(named) if number in (1, 2, 3)] == ["source", "transformer", "sink"]
    order = {each["pid"]: each["args"]["sort_index"] for each in events if each["name"] == "process_sort_index"}
    assert [order[number] for number, _ in named] == [1, 2, 3, 4]  # the channels stand behind the processes


def test_names_that_vcd_cannot_write_stay_apart() -> None:
    made = [Process(name=name, firings=2) for name in ("a b", "a.b", "a[b", "a_b", "a->b", "c")]
    out = io.StringIO()
    timeline = run(Network(name="n", processes=made, channels=[]).checked()).timeline
    write_vcd(trace_of(timeline), Window(0, timeline.stopped), out)
    scopes = [line.split()[2] for line in out.getvalue().splitlines() if line.startswith("$scope")]
    assert scopes == ["top", "processes", "a_b", "a_b_2", "a_b_3", "a_b_4", "a_to_b", "c"]
