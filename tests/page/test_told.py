"""What a page is told of a run, without a browser: answers, tables, the path, the drawing, runs made before."""

from __future__ import annotations

import hashlib
import platform
import re
from typing import Any

import pytest

from ppnsim.engines.run import run
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.page import build, notebook, placed, sections
from ppnsim.page.build import plays, told_of
from ppnsim.page.drawing import drawing_of
from ppnsim.page.engine_model import engine_model
from ppnsim.page.html import page_of, table_html
from ppnsim.page.large import depth_steps
from ppnsim.page.sections import Origin, path_of, provenance, section
from ppnsim.version import VERSION

FORK = fork_join(firings=4, short_depth=1, long_latency=5)


@pytest.fixture(scope="module")
def done() -> Run:
    return run(FORK)


@pytest.fixture(scope="module")
def told(done: Run) -> dict[str, Any]:
    origin = Origin(
        file="a.toml", content=b"x", source="text", lines={"split": 3}, places={"split": "k.c:3"}
    )  # fmt: skip
    return told_of(done, origin=origin, window="2:9")


@pytest.fixture(scope="module")
def stuck() -> dict[str, Any]:
    still = run(fork_join(firings=20, short_depth=2, style="frozen"), on_deadlock="return")
    return told_of(still, origin=Origin(file="b.toml"))


def test_a_run_is_told_with_its_answer_and_where_it_comes_from(told: dict[str, Any]) -> None:
    said = {key: told[key] for key in ("name", "answer", "deadlock", "finish", "engine", "source", "lines", "places")}
    assert said == {
        "name": "fork and join", "answer": "finish 17 cycles (170 ns)", "deadlock": False, "finish": 17,
        "engine": "des", "source": "text", "lines": {"split": 3}, "places": {"split": "k.c:3"},
    }  # fmt: skip
    assert (told["window"], told["fix"], told["layout"]) == ([2, 9], {}, drawing_of(FORK))
    assert told["model"] == engine_model(FORK) | {"colours": build.colours_of(summary_of(run(FORK)))}
    assert told["model"]["recorded"] is None


def test_the_table_without_javascript_says_where_every_cycle_went(told: dict[str, Any]) -> None:
    (table,) = told["fallback"]
    assert table["columns"] == [
        "process", "firings", "first start", "last start", "starting", "between starts", "starved on", "blocked on",
        "resource", "draining", "done",
    ]  # fmt: skip
    assert table["rows"] == [
        ["split", 4, 0, 5, 4, 0, None, "short_in 3", None, 1, 9],
        ["short", 4, 2, 10, 4, 0, "short_in 4", "short_out 5", None, 2, 2],
        ["long", 4, 2, 8, 4, 0, "long_in 5", None, None, 6, 2],
        ["join", 4, 9, 15, 4, 0, "short_out 8, long_out 4", None, None, 1, 0],
    ]


def test_channels_come_first_with_what_is_noted(told: dict[str, Any]) -> None:
    channels = told["sections"][0]
    assert channels["title"] == "Channels of the run as in the file"
    assert channels["columns"] == ["channel", "from", "to", "kind", "tokens", "most held", "depth", "bits"]
    assert channels["rows"][0] == ["short_in", "split", "short", "IOM-", 4, 1, 1, 32]
    assert channels["rows"][3] == ["long_out", "long", "join", "IOM-", 4, 1, 2, 32]
    suspicious, bottleneck = channels["notes"]
    assert suspicious.startswith("note: split reads no channel and waits 3 cycles for room in 'short_in'")
    assert bottleneck == (
        "bottleneck: 'short_out' is full for 5 cycles of short; 3 cycles above the 14 of FIFOs that never fill"
    )


def test_the_critical_path_is_listed_and_drawn(told: dict[str, Any]) -> None:
    path = told["sections"][1]
    assert (path["title"], path["columns"]) == (
        "Critical path of the run as in the file", ["cycles", "how many", "the path is in", "which lacked"]
    )  # fmt: skip
    assert path["rows"][:4] == [
        ["0", 1, "split", "nothing: cycle 0"], ["2..7", 6, "long", "a token of long_in, under way in cycle 1"],
        ["9", 0, "join", "a token of long_out, under way in cycle 8"],
        ["10", 0, "short", "a slot of short_out, on its way back in cycle 9"],
    ]  # fmt: skip
    # By number of the process, all stretches of the 17 cycles.
    assert told["path"] == [
        [0, 0, 1], [2, 2, 8], [3, 9, 9], [1, 10, 10], [3, 11, 11], [1, 12, 12], [3, 13, 13], [1, 14, 14], [3, 15, 17]
    ]  # fmt: skip
    assert path["rows"][-1][0] == "15..16"  # a run of 17 cycles has no cycle 17
    assert not any(note.startswith("the first") for note in path["notes"])


def test_estimates_stand_beside_the_run(told: dict[str, Any]) -> None:
    estimates = told["sections"][2]
    assert (estimates["title"], estimates["columns"]) == ("Estimates beside the run", ["", "cycles", "time", "because"])
    assert estimates["rows"][:3] == [
        ["simulated", 17, "170 ns", "engine des"],
        ["absolute", 14, "140 ns", "FIFOs that never fill"],
        ["unbounded", 11, "110 ns", "a process of its own for each firing"],
    ]
    assert [row[:3] for row in estimates["rows"][3:]] == [
        ["no run is below: one process per statement", 14, ""],
        ["no run is below: longest dependence path", 11, ""],
        ["no run is below: busiest process", 10, ""],
    ]


def test_provenance_names_what_made_the_page() -> None:
    full = provenance(Origin(file="a.toml", content=b"x"), engine="des")
    digest = hashlib.sha256(b"x").hexdigest()
    rest = [["ppnsim", VERSION], ["engine", "des"], ["Python", platform.python_version()]]
    assert full["rows"] == [["input", "a.toml"], ["SHA-256 of the input", digest], *rest]
    styled = provenance(Origin(file="a.toml"), engine="des", style="frozen")["rows"]
    assert styled == [["input", "a.toml"], ["style", "frozen"], *rest]
    assert provenance(Origin(file="a.toml"), engine="des")["rows"] == [["input", "a.toml"], *rest]


def test_a_deadlock_is_told_with_what_breaks_it(stuck: dict[str, Any]) -> None:
    assert stuck["deadlock"] is True
    assert (stuck["finish"], stuck["window"], stuck["path"], stuck["fix"]) == (None, None, [], {"short_out": 10})
    assert stuck["answer"].startswith("deadlock at cycle 8 after 8 of 80 firings:\n")
    # The page did not say in which style the run deadlocks.
    assert stuck["style"] == "style frozen" and ["style", "frozen"] in stuck["sections"][-1]["rows"]
    circle = stuck["sections"][1]
    assert circle["title"] == "Deadlock of the run as in the file"
    assert circle["notes"][0] == "deadlock at cycle 8 after 8 of 80 firings:"
    fix = "'short_out' at depth 10 or more breaks the circle (checked by running it)"
    elastic = "in style flushable or elastic it finishes with its depths as they are (checked by running it)"
    assert circle["notes"][-1] == f"{fix}; {elastic}"
    assert stuck["sections"][2]["rows"][0] == ["simulated", None, "-", "engine des"]


def test_shared_resources_are_shown_as_they_were_recorded() -> None:
    processes = [Process(name="a", firings=4, resource="mul"), Process(name="b", firings=4, resource="mul", ii=2)]
    network = Network(name="m", processes=processes, channels=[], resources={"mul": 1}).checked()
    model = told_of(run(network), origin=Origin(file="m.toml"))["model"]
    # a has the unit in cycles 0 to 3, then b, two cycles each.
    assert model["recorded"] == {
        "passed": [[0, 1, 2, 3], [1, 2, 3, 4], [4, 6, 8, 10], [5, 7, 9, 11]], "holds": [[], []]
    }  # fmt: skip
    assert [each["resource"] for each in model["processes"]] == ["mul", "mul"]


def test_the_model_of_the_page_has_every_number_of_the_network() -> None:
    processes = [Process(name="a", firings=3, latency=(1, 2, 1), style="flushable"), Process(name="b", firings=3, ii=2)]
    channels = [Channel(name="c", source="a", target="b", depth=3, initial=1, width=8)]
    model = engine_model(Network(name="n", processes=processes, channels=channels, clock_ns=4).checked())
    assert (model["name"], model["clock_ns"]) == ("n", 4.0)
    first, second = model["processes"]
    assert first == {
        "name": "a", "style": "flushable", "ii": 1, "firings": 3, "count": 3, "latency": [1, 2, 1], "read": 0,
        "write": 1, "resource": None, "places": None, "starts": None,
    }  # fmt: skip
    assert (second["latency"], second["ii"], second["read"], second["write"]) == (1, 2, 1, 0)
    (channel,) = model["channels"]
    assert channel == {
        "name": "c", "source": 0, "target": 1, "kind": "IOM-", "depth": 3, "width": 8, "initial": 1, "forward": 1,
        "release": 1, "from_offset": None, "to_offset": None, "tokens": 4, "put": {"table": [1], "growth": 1},
        "need": channel["need"], "freed": channel["freed"],
    }  # fmt: skip


# How large a run may be


def test_a_page_plays_up_to_its_limits(done: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = summary_of(done)
    size, cells = FORK.events, done.stopped * 4
    for largest, most, found in ((size, cells, True), (size - 1, cells, False), (size, cells - 1, False)):
        monkeypatch.setattr(build, "LARGEST", largest)
        monkeypatch.setattr(build, "_CELLS", most)
        assert plays(summary) is found


def test_a_large_run_is_told_with_pictures_and_runs_made_before(done: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LARGEST", 1)
    told = told_of(done, origin=Origin(file="a.toml"), window="2:9")
    assert "model" not in told and "path" not in told
    titles = ["Other depths", "Where the cycles went", "Channels of the run as in the file",
              "Critical path of the run as in the file", "Estimates beside the run", "Provenance"]  # fmt: skip
    assert [each["title"] for each in told["sections"]] == titles
    depths = told["sections"][0]
    assert depths["notes"] == [
        f"{FORK.events} firings and tokens are too many for this page: the slider shows runs made before"
    ]
    assert depths["steps"] == depth_steps(done)
    still = told["still"]
    assert (still["columns"], still["detail"]["first"], still["detail"]["last"]) == (None, 2, 9)
    assert still["model"]["colours"] == build.colours_of(summary_of(done))
    quick = told_of(done, origin=Origin(file="a.toml"), other_depths=False)
    assert [each["title"] for each in quick["sections"]] == titles[1:]


def test_other_depths_are_from_a_quarter_to_four_times_the_declared_ones_and_unbounded() -> None:
    steps = depth_steps(run(chain(firings=100, depth=4)))
    assert steps == [
        ["times 0.25", 211], ["times 0.5", 112], ["as in the file", 112], ["times 2", 112], ["times 4", 112],
        ["unbounded", 112],
    ]  # fmt: skip
    assert run(chain(firings=100, depth=1)).finish == 211
    # A depth is at least 1, and holds the initial tokens; after a deadlock there is no finish.
    assert depth_steps(run(chain(firings=5, depth=1)))[0][1] == run(chain(firings=5, depth=1)).finish
    held = Channel(name="c", source="p0", target="p1", depth=4, initial=4)
    network = chain(firings=5, length=2).replace(channels=[held]).checked()
    assert depth_steps(run(network))[0][1] == depth_steps(run(network))[2][1]
    frozen = fork_join(firings=20, short_depth=20, long_depth=2, style="frozen")
    assert [finish is None for _, finish in depth_steps(run(frozen))][:3] == [True, False, False]


def test_the_path_is_not_worked_out_for_large_runs(done: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "_LARGEST", FORK.events)
    assert not isinstance(path_of(done, None), str)
    whole = [each["title"] for each in told_of(done, origin=Origin(file="a.toml"))["sections"]]
    assert len(whole) == 4, "estimates are among them up to the limit"
    monkeypatch.setattr(sections, "_LARGEST", FORK.events - 1)
    assert path_of(done, None) == (
        f"not worked out for {FORK.events} firings and tokens (up to {FORK.events - 1}); see ppnsim explain"
    )
    told = told_of(done, origin=Origin(file="a.toml"))
    assert [each["title"] for each in told["sections"]] == [
        "Channels of the run as in the file", "Critical path of the run as in the file", "Provenance"
    ]  # fmt: skip
    assert told["path"] == []


def test_only_the_first_stretches_of_a_path_are_listed(done: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for most, more in ((9, False), (8, True)):
        monkeypatch.setattr(sections, "_STRETCHES", most)
        path = told_of(done, origin=Origin(file="a.toml"))["sections"][1]
        assert (len(path["rows"]), path["notes"][-1] == f"the first {most} stretches") == (most, more)
    monkeypatch.setattr(sections, "_DRAWN", 2)
    assert told_of(done, origin=Origin(file="a.toml"))["path"] == [[0, 0, 1], [2, 2, 8]]


def test_a_large_network_is_shown_in_a_notebook_without_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    network = chain(firings=5, ii=(1, 2))
    monkeypatch.setattr(notebook, "_SIMULATED", network.events - 1)
    assert network._repr_html_() == (
        f"<p>chain: {network.events} firings and tokens, too many to be run just to be shown (ppnsim.run does)</p>"
        "<h3>Processes</h3><table><tr><th>process</th><th>firings</th><th>ii</th><th>style</th></tr>"
        "<tr><td>p0</td><td>5</td><td>1</td><td>elastic</td></tr>"
        "<tr><td>p1</td><td>5</td><td>2</td><td>elastic</td></tr></table>"
    )


# HTML


def test_a_page_holds_its_entries_as_data_that_cannot_end_the_script() -> None:
    table = section("T<", ["a"], [[1], [None], ["<b>"]])
    entries: list[dict[str, Any]] = [
        {"name": "a</script>&", "fallback": [table]},
        {"name": "b"},
    ]
    page = page_of(entries)
    assert "<title>a&lt;/script&gt;&amp;, b" in page
    assert '"a\\u003c/script>&"' in page
    assert page.count("<h3>T&lt;</h3><table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>-</td></tr>") == 1
    assert "@@" not in page
    assert table_html(section("T", ["a", "b"], [[0, "<"]])).endswith("<tr><td>0</td><td>&lt;</td></tr></table>")


# The drawing


@pytest.fixture(scope="module")
def drawn() -> dict[str, Any]:
    names = ["a", "b_middle_sized_name", "a_very_long_name_of_a_process_indeed"]
    ends = {"x": (0, 1, 0), "own": (0, 0, 1), "own2": (0, 0, 1), "y": (1, 2, 0), "back": (2, 0, 4)}
    channels = [
        Channel(name=name, source=names[source], target=names[target], initial=initial)
        for name, (source, target, initial) in ends.items()
    ]
    return drawing_of(Network(processes=[Process(name=name, firings=4) for name in names], channels=channels).checked())


def test_boxes_are_as_wide_as_their_names_within_limits(drawn: dict[str, Any]) -> None:
    assert [(each["width"], each["height"]) for each in drawn["processes"]] == [
        (124.0, 46.0), (pytest.approx(7.6 * 19 + 28), 46.0), (200.0, 46.0)
    ]  # fmt: skip
    lefts = [each["x"] - each["width"] / 2 for each in drawn["processes"]]
    rights = [each["x"] + each["width"] / 2 for each in drawn["processes"]]
    # A column of FIFOs, 118 wide, lies between two boxes.
    loops = 22 + 8  # on either side of the first box are the outermost of its two channels to itself
    assert lefts[0] - loops == drawn["left"] == 0
    assert rights[2] == drawn["right"]
    gaps = [left - right for left, right in zip(lefts[1:], rights[:-1], strict=True)]
    assert gaps == pytest.approx([218 + loops, 218])


def test_boxes_below_each_other_keep_their_heights_apart() -> None:
    drawn = drawing_of(Network(processes=[Process(name=name, firings=4) for name in "abc"]).checked())
    assert [each["y"] for each in drawn["processes"]] == [-62, 0, 62]
    assert (drawn["top"], drawn["bottom"]) == (-62 - 23, 62 + 23)


def test_lines_leave_on_the_right_and_enter_on_the_left(drawn: dict[str, Any]) -> None:
    a, b, c = drawn["processes"]
    path = {name: each["path"] for name, each in zip(("x", "own", "own2", "y", "back"), drawn["channels"], strict=True)}
    numbers = {name: [float(word) for word in re.findall(r"-?[0-9.]+", text)] for name, text in path.items()}
    begin = {name: tuple(found[:2]) for name, found in numbers.items()}
    ends = {name: tuple(found[-2:]) for name, found in numbers.items()}
    lefts = [round(each["x"] - each["width"] / 2, 1) for each in (a, b, c)]
    rights = [round(each["x"] + each["width"] / 2, 1) for each in (a, b, c)]
    assert (begin["x"][0], ends["x"][0]) == (rights[0], lefts[1])
    assert (begin["back"][0], ends["back"][0]) == (lefts[2], rights[0])
    # Two lines on a side are a third of 80 % of the height apart, one is in the middle; y grows downwards.
    third = 46 * 0.8 / 3
    assert begin["x"][1] == round(a["y"] - third / 2, 1)
    assert ends["back"][1] == round(a["y"] + third / 2, 1)
    assert ends["x"][1] == round(b["y"], 1)
    assert drawn["channels"][4]["label"][1] > a["y"]


def test_channels_of_a_process_to_itself_lie_one_above_the_other(drawn: dict[str, Any]) -> None:
    a = drawn["processes"][0]
    inner, outer = drawn["channels"][1:3]
    assert inner["label"][0] == outer["label"][0] == a["x"]
    top = a["y"] - 23
    assert (top - inner["label"][1], top - outer["label"][1]) == (pytest.approx(0.55 * 54), pytest.approx(1.55 * 54))
    assert drawn["top"] == pytest.approx(top - 2 * 54)
    left, y = a["x"] - 62, f"{a['y']:.1f}"
    assert inner["path"].startswith(f"M{left + 124:.1f} {y}C{left + 124 + 22:.1f} {y} ")
    assert outer["path"].startswith(f"M{left + 124:.1f} {y}C{left + 124 + 30:.1f} {y} ")
    assert inner["path"].endswith(f" {left - 22:.1f} {y} {left:.1f} {y}")
    assert (
        f"{a['x'] + 62 * 0.6:.1f} {inner['label'][1]:.1f}L{a['x'] - 62 * 0.6:.1f} {inner['label'][1]:.1f}"
        in (inner["path"])
    )


# Placed networks


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("finish_s", 1.5e-6, "1500 ns"), ("finish_s", None, None), ("busy", 0.25, "25 %"), ("busy", 1.0, "100 %"),
        ("under_way", 1.5, "1.5"), ("under_way", 0.354, "0.354"), ("messages", 3, 3), ("node", "cpu", "cpu"),
        ("waits_s", {}, None),
        ("waits_s", {"link": 2e-5, "dram": 1e-9}, "link 20 us, dram 1 ns"),
    ],
)  # fmt: skip
def test_cells_of_a_placed_network_have_units(key: str, value: object, shown: object) -> None:
    assert placed._cell(key, value) == shown


def test_a_table_of_a_placed_network_has_the_keys_of_all_rows() -> None:
    table = placed._table("Links", {"a": {"busy_s": 1e-6, "share": 0.5}, "b": {"bytes_sent": 4}})
    assert (table["title"], table["columns"]) == ("Links", ["", "busy", "share", "bytes sent"])
    assert table["rows"] == [["a", "1000 ns", "50 %", None], ["b", None, None, 4]]


def inside(drawn: dict[str, Any]) -> bool:
    """Return whether all that is drawn is in the frame."""
    numbers = [
        [float(word) for word in re.findall(r"-?[0-9.]+", each["path"])] for each in drawn["channels"]
    ]  # fmt: skip
    return all(
        drawn["left"] - 10 <= min(each[::2]) and max(each[::2]) <= drawn["right"] + 10
        and drawn["top"] <= min(each[1::2]) and max(each[1::2]) <= drawn["bottom"]
        for each in numbers
    )  # fmt: skip


def test_channels_to_itself_are_not_cut_off() -> None:
    processes = [Process(name="only", firings=4)]
    loops = [Channel(name=f"own{n}", source="only", target="only", initial=1) for n in range(3)]
    assert inside(drawing_of(Network(processes=processes, channels=loops).checked()))


def test_a_long_chain_goes_on_below() -> None:
    drawn = drawing_of(chain(firings=4, length=9))
    assert drawn["right"] - drawn["left"] < 1600 and len({each["y"] for each in drawn["processes"]}) == 2
    assert inside(drawn)
