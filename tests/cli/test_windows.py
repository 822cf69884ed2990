"""``--window`` of what is not a network: pictures in time, and refusals that say why."""

from __future__ import annotations

import json
from csv import DictReader
from pathlib import Path

import numpy as np
import pytest

import ppnsim as library
from ppnsim import InputError
from ppnsim.formats.shipped import directory
from ppnsim.model.metrics import occupancy
from ppnsim.placed.model.placement import one_node
from ppnsim.placed.run.network import run_placed
from tests.helpers.commands import ppnsim

FORK = str(directory() / "networks" / "fork_join.toml")
TWO = str(directory() / "networks" / "two_fpgas.toml")
FILTER = str(directory() / "platforms" / "image_filter.toml")
MESSAGES = {
    "loggp": {"L": 5, "o": 2, "g": 4, "G": 1, "unit": "us"},
    "schedule": [
        [["calc", 10, None, []], ["send", 8, 1, [0]]],
        [["recv", 8, 0, []], ["calc", 30, None, [0]]],
    ],
}


@pytest.fixture
def messages(tmp_path: Path) -> str:
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(MESSAGES), encoding="utf-8")
    return str(file)


def test_pictures_show_the_window_in_their_own_time(messages: str) -> None:
    for file, window, ends in (
        (TWO, "1us:2us", (1.0, 2.0)),
        (FILTER, "2ms:8ms", (2.0, 8.0)),
        (messages, "10:40", (10, 40)),
    ):
        found = library.run(file)
        assert found.figure(window=window).axes[0].get_xlim() == pytest.approx(ends)
        assert found.figure().axes[0].get_xlim()[0] == 0


def test_a_window_of_messages_is_in_the_unit_of_the_file_or_in_time(tmp_path: Path) -> None:
    tables = {}
    for unit, window in (("us", "10:40"), ("us", "10us:40us"), ("us", "10000ns : 0.04 ms"), (None, "10:40")):
        file = tmp_path / "messages.json"
        link = {name: value for name, value in MESSAGES["loggp"].items() if name != "unit"}  # type: ignore[attr-defined]
        loggp = link | ({"unit": unit} if unit else {})
        file.write_text(json.dumps(MESSAGES | {"loggp": loggp}), encoding="utf-8")
        assert ppnsim("run", str(file), "--window", window, "--out", str(tmp_path / "out")).exit_code == 0
        tables[unit, window] = (tmp_path / "out" / "intervals.csv").read_text(encoding="utf-8")
    assert len(set(tables.values())) == 1 and len(next(iter(tables.values())).splitlines()) > 2
    unknown = ppnsim("run", str(file), "--window", "10us:40us", "--out", str(tmp_path / "out"))
    assert unknown.exit_code == 2 and "the file has no unit, so '10us:40us' is no time of it" in unknown.output


def test_a_window_is_written_and_a_wrong_one_is_refused_by_what_it_lacks(messages: str, tmp_path: Path) -> None:
    for file, window in ((TWO, "1us:2us"), (FILTER, "2ms:"), (messages, ":20")):
        assert ppnsim("run", file, "--window", window, "--out", str(tmp_path / "out")).exit_code == 0
    for file, window, words in (
        (TWO, "10:20", "several clocks, so cycles name none"), (FILTER, "1s:2s", "holds no moment"),
        (messages, "10:1kg", "is not of the form A:B"), (messages, "900:", "holds no cycle"),
    ):  # fmt: skip
        done = ppnsim("run", file, "--window", window, "--out", str(tmp_path / "bad"))
        assert (done.exit_code, words in done.output) == (2, True), done.output


def test_tables_and_shares_are_those_of_the_window(messages: str, tmp_path: Path) -> None:
    for file, window, table, ends in (
        (TWO, "1us:2us", "messages.csv", (10**6, 2 * 10**6)), (FILTER, "2ms:8ms", "timeline.csv", (0.002, 0.008)),
        (messages, "10:20", "intervals.csv", (10, 20)),
    ):  # fmt: skip
        names = {"messages.csv": ("ready", "accepted"), "timeline.csv": ("start_s", "end_s")}.get(table)
        first, last = names or ("start", "end")
        for place, more in (("all", ()), ("part", ("--window", window))):
            assert ppnsim("run", file, *more, "--out", str(tmp_path / place)).exit_code == 0
        rows = {
            place: list(DictReader((tmp_path / place / table).read_text().splitlines())) for place in ("all", "part")
        }
        assert rows["part"] == [r for r in rows["all"] if float(r[first]) < ends[1] and float(r[last]) > ends[0]]
        assert 0 < len(rows["part"]) < len(rows["all"])
    done = library.run(FILTER)
    for picture in ("shares", "utilisation"):
        whole, part = (done.figure(picture, window=each).axes[0] for each in (None, "2ms:8ms"))
        assert "2 to 8 ms" in part.get_xlabel()
        assert "makespan" in whole.get_xlabel()
        assert [each.get_text() for each in part.get_yticklabels()] == [e.get_text() for e in whole.get_yticklabels()]
        assert [bar.get_width() for bar in part.patches] != [bar.get_width() for bar in whole.patches]


def test_a_page_begins_with_the_window_or_refuses_it(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    for file, window, words in (
        (FORK, "10:20", '"window":[10,20]'), (FORK, "50ns:", '"window":[10,55]'), (TWO, "1us:2us", "Over time"),
        (FILTER, "2ms:8ms", "Over time"),
    ):  # fmt: skip
        assert ppnsim("report", file, "--window", window, "-o", str(place)).exit_code == 0
        assert words in place.read_text(encoding="utf-8")
    for file, window, words in ((FORK, "99:", "holds no cycle"), (TWO, "1:2", "several clocks")):
        done = ppnsim("report", file, "--window", window, "-o", str(place))
        assert (done.exit_code, words in done.output) == (2, True), done.output
    with pytest.raises(InputError, match="give times"):
        library.report(TWO, window=(10, 20))


def test_slots_of_a_placed_network_are_those_of_the_run_on_one_node() -> None:
    network = library.fork_join(firings=20)
    placed, alone = run_placed(one_node(network)), library.run(network)
    for channel in network.channels:
        ours, known = placed.taken(channel.name), occupancy(alone.timeline, channel.name)
        assert np.array_equal(ours[0], known[0]) and np.array_equal(ours[1], known[1])


def test_a_placed_network_and_its_pictures_have_names_and_take_depths() -> None:
    deep, shallow = library.run(TWO, depths={"across": 128}), library.run(TWO, depths={"across": 8})
    assert deep.record.finish < shallow.record.finish
    (axes,) = deep.figure("occupancy").axes
    names = [channel.name for channel in deep.record.placement.network.channels]
    assert len(names) == 3 and set(names) <= {text.get_text() for text in axes.texts}
    with pytest.raises(InputError, match="is none of nodes, occupancy"):
        deep.figure("gantt")
