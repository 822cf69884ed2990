"""Rows over time that the page draws itself: every shape is where its time and its share are."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ppnsim.files import load_as
from ppnsim.formats.shipped import directory
from ppnsim.messages.model.loggp import LogGP
from ppnsim.messages.model.schedule import receive, send
from ppnsim.messages.report import messages_result
from ppnsim.messages.run.schedules import run_schedule
from ppnsim.page.lanes import Area, TimeRow, lanes_svg, spans
from ppnsim.page.messages import messages_told
from ppnsim.page.placed import placed_told
from ppnsim.page.platform import platform_told
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.lanes import LOOKS, lanes_of
from ppnsim.placed.report.slots import slots_of
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.report.looks import COLOURS
from ppnsim.platform.run.application import run_platform
from validation.ratss.examples import image_filter

LEFT, RIGHT = 190.0, 1250.0  # where the first and the last time are


def svg_of(uri: str) -> Any:
    kind, _, content = uri.partition(",")
    assert kind == "data:image/svg+xml;base64"
    return ElementTree.fromstring(b64decode(content))


def drawn(uri: str) -> list[tuple[str, float, float, float, float]]:
    """Return the filled rectangles: colour, where they begin and end from 0 to 1 of the time, their top and bottom."""
    found = []
    for path in svg_of(uri).iter("{http://www.w3.org/2000/svg}path"):
        for x, y, wide, tall in re.findall(r"M([-.0-9]+),([-.0-9]+)h([-.0-9]+)v([-.0-9]+)H", path.get("d")):
            begin = (float(x) - LEFT) / (RIGHT - LEFT)
            end = begin + float(wide) / (RIGHT - LEFT)
            found.append((path.get("fill"), begin, end, float(y), float(y) + float(tall)))
    return found


def words_of(uri: str) -> list[str]:
    return [each.text for each in svg_of(uri).iter("{http://www.w3.org/2000/svg}text")]


def test_areas_stand_at_their_times_and_heights_and_equal_columns_are_one() -> None:
    edges, high = np.array([0.0, 1, 2, 3, 4]), np.array([0.5, 0.5, 0, 1])
    area = Area(colour="#123456", edges=edges, low=np.zeros(4), high=high)
    uri = lanes_svg([TimeRow(name="a<b", areas=[area], words="max 1")], (0.0, 4.0), "time [ns]", {"at work": "#123456"})
    half, whole = drawn(uri)
    assert [round(each, 2) for each in (*half[1:3], *whole[1:3])] == [0, 0.5, 0.75, 1]
    assert half[0] == whole[0] == "#123456"
    assert whole[4] == half[4] and round((whole[4] - whole[3]) / (half[4] - half[3]), 1) == 2
    assert {"a<b", "max 1", "time [ns]", "at work", "0.0", "4.0"} <= set(words_of(uri))


def test_what_is_outside_a_window_is_cut_off() -> None:
    area = spans("#123456", [(0.0, 2.0), (5.0, 9.0), (11.0, 12.0)], (0.0, 1.0))
    (one,) = (each[1:3] for each in drawn(lanes_svg([TimeRow(name="a", areas=[area])], (4.0, 8.0), "", {})))
    assert [round(each, 2) for each in one] == [0.25, 1.0]


def test_a_placed_page_has_its_occupancy_and_who_sets_the_pace_is_at_work_all_the_time() -> None:
    run = run_placed(load_as(directory() / "networks" / "two_fpgas.toml", Placement))
    told = {each["title"]: each for each in placed_told(run, origin=Origin(file="f"))["sections"]}
    assert {"Nodes", "Over time", "Occupancy"} <= set(told)
    over_time = told["Over time"]["picture"]
    assert [each for each in words_of(over_time) if ": " in each] == [
        "left: source", "left: filter", "right: scale", "right: sink", "cable: left → right",
    ]  # fmt: skip
    at_work = [each for each in drawn(over_time) if each[0] == LOOKS["at work (ii)"]]
    floors = sorted({each[4] for each in at_work if each[4]})
    filter_ = sum(end - begin for _, begin, end, _, floor in at_work if floor == floors[1])
    assert filter_ > 0.97  # of the time, as the table says
    said = words_of(told["Occupancy"]["picture"])
    assert {"raw", "across", "out", "max 4, depth 4", "max 72, depth 128", "max 2, depth 4"} <= set(said)
    assert {"left", "right", "cable", "200 MHz: source filter"} <= set(words_of(told["Nodes"]["picture"]))


def test_a_window_within_a_cycle_shows_that_cycle() -> None:
    run = run_placed(load_as(directory() / "networks" / "two_fpgas.toml", Placement))
    begins = run.start("filter")[7]
    shares = dict(lanes_of(run, np.array([begins + 1000.0, begins + 2000.0])))["left: filter"]
    assert {look: each.tolist() for look, each in shares.items() if each.any()} == {"at work (ii)": [1.0]}


def test_requests_under_way_are_a_number_and_no_share() -> None:
    """0.35 of 8 on average were 35.4 % on the page."""
    run = run_placed(load_as(directory() / "networks" / "dram_copy.toml", Placement))
    told = {each["title"]: each for each in placed_told(run, origin=Origin(file="f"))["sections"]}
    ports = told["Memory ports"]
    place = ports["columns"].index("under way")
    assert [row[place] for row in ports["rows"]] == ["3.16", "0.354"]


def test_slots_in_columns_are_those_of_every_cycle() -> None:
    run = run_placed(load_as(directory() / "networks" / "two_fpgas.toml", Placement))
    for channel, taken in slots_of(run, (0, run.stopped), 40):
        cycles, values = run.taken(channel.name)
        period = float(run.period(channel.source))
        for column in range(len(taken.fewest)):
            first, last = (round(each / period) for each in taken.edges[column : column + 2])
            there = values[np.searchsorted(cycles, np.arange(first, last), side="right") - 1]
            assert (taken.fewest[column], taken.most[column]) == (there.min(), there.max())
        assert taken.peak == values.max() and len(taken.edges) == len(taken.fewest) + 1


def test_pages_of_runs_that_they_do_not_simulate_import_no_matplotlib(tmp_path: Path) -> None:
    """Its import alone takes as long as such a run."""
    script = (
        "import sys; from ppnsim.cli.main import main\ntry: main()\nfinally: assert 'matplotlib' not in sys.modules"
    )
    asked = ["run", str(directory() / "networks" / "two_fpgas.toml"), "--out", str(tmp_path / "o")]
    done = subprocess.run([sys.executable, "-c", script, *asked], capture_output=True, text=True, check=False)
    assert (done.returncode, "report.html" in done.stdout) == (0, True), done.stderr


def test_a_deadlocked_page_of_messages_is_marked_where_it_stands_unless_a_window_leaves_it_out() -> None:
    link = LogGP(latency=2500, overhead=1500, gap=1000, per_byte=0)
    run = run_schedule([[send(8, 1)], [receive(8, 0), receive(8, 0)]], link)
    result = messages_result(run, file="f", unit="")
    marks = []
    for window in (None, (0, 11000), (0, 3000)):
        told = messages_told(run, result, origin=Origin(file="f"), unit="", window=window)
        picture, table, _ = told["sections"]
        paths = svg_of(picture["picture"]).iter("{http://www.w3.org/2000/svg}path")
        marks.append([path.get("d").split(",")[0] for path in paths if path.get("stroke-width") == "3"])
    assert run.deadlock is not None and max(run.rank_end) == 5500
    assert marks == [[f"M{RIGHT:.1f}"], [f"M{(LEFT + RIGHT) / 2:.1f}"], []]
    assert [row[1] for row in table["rows"]] == list(run.rank_end)
    nothing = run_schedule([[receive(8, 1)], [receive(8, 0)]], link)  # stands from 0 on
    told = messages_told(nothing, messages_result(nothing, file="f", unit=""), origin=Origin(file="f"), unit="")
    assert f'd="M{LEFT:g}' in b64decode(told["sections"][0]["picture"].partition(",")[2]).decode()


def test_a_platforms_page_has_its_stages_and_what_each_part_does(monkeypatch: pytest.MonkeyPatch) -> None:
    system, application = image_filter()
    run = run_platform(system, application)
    told = platform_told(system, application, run, origin=Origin(file="f"))
    (picture,) = (each["picture"] for each in told["sections"] if each["title"] == "Over time")
    made: dict[str, float] = {}
    for colour, begin, end, *_ in drawn(picture):
        made[colour] = made.get(colour, 0) + (end - begin) * float(run.makespan)
    for kind in {span.kind for span in run.spans} & {"compute", "bytes"}:
        spent = sum(float(each.end - each.start) for each in run.spans if each.kind == kind)
        assert round(made[COLOURS[kind]] / spent, 2) == 1  # of what is drawn in hundredths of a dot
    stages = {each.stage for each in run.passes}
    monkeypatch.setattr("ppnsim.page.platform.LONGEST", 4)
    told = platform_told(system, application, run, origin=Origin(file="f"))
    assert [each["notes"] for each in told["sections"] if each["title"] == "Over time"] == [["the first 4 of 9 parts"]]
    assert stages & set(words_of(picture))
