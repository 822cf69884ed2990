"""``--window`` of what is not a network: pictures in time, and refusals that say why."""

from __future__ import annotations

import json
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


def test_a_window_is_written_and_a_wrong_one_is_refused_by_what_it_lacks(messages: str, tmp_path: Path) -> None:
    for file, window in ((TWO, "1us:2us"), (FILTER, "2ms:"), (messages, ":20")):
        assert ppnsim("run", file, "--window", window, "--out", str(tmp_path / "out")).exit_code == 0
    for file, window, words in (
        (TWO, "10:20", "several clocks, so cycles name none"), (FILTER, "1s:2s", "holds no moment"),
        (messages, "1us:2us", "is not of the form A:B"), (messages, "900:", "holds no cycle"),
    ):  # fmt: skip
        done = ppnsim("run", file, "--window", window, "--out", str(tmp_path / "bad"))
        assert (done.exit_code, words in done.output) == (2, True), done.output


def test_slots_of_a_placed_network_are_those_of_the_run_on_one_node() -> None:
    network = library.fork_join(firings=20)
    placed, alone = run_placed(one_node(network)), library.run(network)
    for channel in network.channels:
        ours, known = placed.taken(channel.name), occupancy(alone.timeline, channel.name)
        assert np.array_equal(ours[0], known[0]) and np.array_equal(ours[1], known[1])


def test_a_placed_network_and_its_pictures_have_names_and_take_depths() -> None:
    deep, shallow = library.run(TWO, depths={"across": 128}), library.run(TWO, depths={"across": 8})
    assert deep.record.finish < shallow.record.finish
    assert len(deep.figure("occupancy").axes) == 3
    with pytest.raises(InputError, match="is none of nodes, occupancy"):
        deep.figure("gantt")
