import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ppnsim.engines.run import run
from ppnsim.model.builders import fork_join, predictor, sdf
from ppnsim.model.network import Network, Process
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.report import tables
from ppnsim.report.tables import (
    OCCUPANCY_COLUMNS,
    TIMELINE_COLUMNS,
    occupancy_table,
    timeline_table,
    write_occupancy,
    write_timeline,
)

NETWORKS = {
    "predictor": predictor(),
    "deadlock": fork_join(firings=20, short_depth=2, style="frozen"),
    "sdf": sdf({"a": 2, "b": 3}, {"c": ("a", 2, 1, "b", 4)}, firings={"a": 5, "b": 10}, capacities={"c": 6}),
    "no channel": Network(processes=[Process(name="alone", firings=3)]).checked(),
}


@pytest.fixture(params=NETWORKS)
def timeline(request: pytest.FixtureRequest) -> Timeline:
    return run(NETWORKS[request.param], on_deadlock="return").timeline


def test_a_timeline_read_back_is_the_timeline(timeline: Timeline, tmp_path: Path) -> None:
    path = tmp_path / "timeline.csv"
    write_timeline(timeline, path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    expected = []
    for process in timeline.network.processes:
        name = process.name
        columns = [timeline.start(name), timeline.execute(name), timeline.write(name), timeline.end(name)]
        for firing in range(process.firings):
            cells = [int(column[firing]) for column in columns]
            expected.append([name, str(firing), *("" if cell == NEVER else str(cell) for cell in cells)])
    assert rows == [list(TIMELINE_COLUMNS), *expected]


def test_what_never_happened_is_missing_and_the_rest_are_whole_numbers() -> None:
    timeline = run(NETWORKS["deadlock"], on_deadlock="return").timeline
    table = timeline_table(timeline)
    assert [str(table[column].dtype) for column in ("start", "execute", "write", "end")] == ["Int64"] * 4
    ended = {process.name: int((timeline.end(process.name) != NEVER).sum()) for process in timeline.network.processes}
    assert table.groupby("process", sort=False)["end"].count().to_dict() == ended
    assert 0 < sum(ended.values()) < len(table)


def test_the_frame_and_the_file_of_a_timeline_agree(timeline: Timeline, tmp_path: Path) -> None:
    write_timeline(timeline, tmp_path / "timeline.csv")
    back = pd.read_csv(tmp_path / "timeline.csv", dtype=dict.fromkeys(("start", "execute", "write", "end"), "Int64"))
    pd.testing.assert_frame_equal(back, timeline_table(timeline))


def test_occupancy_read_back_counts_the_tokens_of_every_cycle(timeline: Timeline, tmp_path: Path) -> None:
    path = tmp_path / "occupancy.csv"
    write_occupancy(timeline, path)
    back = pd.read_csv(path)
    assert tuple(back.columns) == OCCUPANCY_COLUMNS
    assert len(back) == len(occupancy_table(timeline))
    for channel in timeline.network.channels:
        rows = back[back["channel"] == channel.name]
        writes = timeline.token_writes(channel.name)
        writes, releases = writes[writes != NEVER], timeline.releases(channel.name)
        for cycle in range(timeline.stopped):
            counted = channel.initial + int((writes <= cycle).sum()) - int((releases <= cycle).sum())
            told = rows["tokens"].to_numpy()[np.searchsorted(rows["cycle"].to_numpy(), cycle, side="right") - 1]
            assert told == counted, (channel.name, cycle)


def test_occupancy_without_channels_is_a_table_without_rows(tmp_path: Path) -> None:
    timeline = run(NETWORKS["no channel"]).timeline
    table = occupancy_table(timeline)
    assert (tuple(table.columns), len(table)) == (OCCUPANCY_COLUMNS, 0)
    write_occupancy(timeline, tmp_path / "occupancy.csv")
    assert (tmp_path / "occupancy.csv").read_bytes() == b"channel,cycle,tokens\n"


def test_chunks_leave_no_trace_in_the_file(timeline: Timeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, pieces = tmp_path / "whole.csv", tmp_path / "pieces.csv"
    for write in (write_timeline, write_occupancy):
        write(timeline, whole)
        with monkeypatch.context() as patched:
            patched.setattr(tables, "_ROWS", 7)
            write(timeline, pieces)
        assert pieces.read_bytes() == whole.read_bytes()


def test_names_with_commas_and_quotes_survive(tmp_path: Path) -> None:
    network = Network(processes=[Process(name='a, "b"', firings=2)]).checked()
    write_timeline(run(network).timeline, tmp_path / "timeline.csv")
    assert pd.read_csv(tmp_path / "timeline.csv")["process"].tolist() == ['a, "b"'] * 2


def test_a_window_has_the_firings_that_touch_it_and_what_channels_hold_in_it(tmp_path: Path) -> None:
    timeline = run(predictor()).timeline
    first, last = 20, 50
    write_occupancy(timeline, tmp_path / "some.csv", window=(first, last))
    whole, some = occupancy_table(timeline), pd.read_csv(tmp_path / "some.csv")
    for name in {channel.name for channel in timeline.network.channels}:
        rows, own = (table[table["channel"] == name] for table in (whole, some))
        before = rows[rows["cycle"] <= first].iloc[-1]
        inside = rows[(rows["cycle"] > first) & (rows["cycle"] < last)]
        assert own["cycle"].tolist() == [first, *inside["cycle"]]
        assert own["tokens"].tolist() == [before["tokens"], *inside["tokens"]]
    write_timeline(timeline, tmp_path / "firings.csv", window=(first, last))
    firings, all_of_them = pd.read_csv(tmp_path / "firings.csv"), timeline_table(timeline)
    touching = all_of_them[(all_of_them["start"] < last) & (all_of_them["end"] > first)]
    assert firings.to_numpy().tolist() == touching.to_numpy().tolist()
    assert 0 < len(firings) < len(all_of_them)
