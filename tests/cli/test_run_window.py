"""``ppnsim run --out --window``: tables and pictures of a part of a run, and of runs too long to be written whole."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings

from ppnsim import Channel, Network, Process, Rates, chain, predictor, run
from ppnsim.model import metrics
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.network import is_monotone
from ppnsim.model.summary import summary_of
from ppnsim.report import bottleneck
from ppnsim.report.tables import occupancy_table, timeline_table, write_occupancy
from tests.helpers.commands import Save, ppnsim
from tests.helpers.strategies import networks

LONG = chain(firings=3000, ii=(1, 2, 1), depth=2)


def test_a_window_is_said_in_cycles_or_time_and_holds_the_firings_that_touch_it(save: Save, tmp_path: Path) -> None:
    table = timeline_table(run(predictor()).timeline)
    for window in ("20:40", "200 ns:0.4us"):
        assert ppnsim("run", save(predictor()), "--out", str(tmp_path / "o"), "--window", window).exit_code == 0
        found = pd.read_csv(tmp_path / "o" / "timeline.csv")
        inside = table[(table["start"] < 40) & (table["end"] > 20)]
        assert found.to_numpy().tolist() == inside.to_numpy().tolist()


def test_the_occupancy_of_a_window_begins_with_what_is_there(tmp_path: Path) -> None:
    timeline = run(predictor()).timeline
    whole = occupancy_table(timeline)
    write_occupancy(timeline, tmp_path / "o.csv", window=(20, 40))
    for name, found in pd.read_csv(tmp_path / "o.csv").groupby("channel"):
        curve = whole[whole["channel"] == name]
        assert found["cycle"].iloc[0] == 20
        for cycle, tokens in zip(found["cycle"], found["tokens"], strict=True):
            assert curve[curve["cycle"] <= cycle]["tokens"].iloc[-1] == tokens


def test_a_long_run_has_an_overview_and_a_detail_and_says_what_its_tables_leave_out(
    save: Save, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppnsim.library.save_run._MOST_ROWS", 5000)
    file, out = save(LONG), tmp_path / "o"
    shown = ppnsim("run", file, "-o", str(out), "--plot", str(out)).stdout
    said = re.search(r"the tables have cycles (\d+)\.\.(\d+) of 9000 firings; --window : writes all of them", shown)
    assert said is not None
    first, last = int(said[1]), int(said[2])
    assert last - first == 299
    assert first < int(run(LONG).timeline.start("p1")[1500]) < last  # p1 sets the pace
    assert (out / "gantt_detail.png").is_file()
    rows = pd.read_csv(out / "timeline.csv")
    assert 400 < len(rows) < 500 and rows["start"].max() == last
    shown = ppnsim("run", file, "-o", str(out), "--window", ":").stdout
    assert "tables have" not in shown and len(pd.read_csv(out / "timeline.csv")) == 9000


@pytest.mark.parametrize(
    ("window", "reason"),
    [("5", "'5' is not of the form A:B"), ("1kg:2kg", "1us:2us"), ("90:100", "holds no cycle: the run has the cycles")],
)
def test_a_window_without_a_cycle_is_refused(save: Save, tmp_path: Path, window: str, reason: str) -> None:
    done = ppnsim("run", save(predictor()), "--out", str(tmp_path / "o"), "--window", window)
    assert done.exit_code == 2 and reason in done.stderr


@settings(deadline=None, max_examples=40)
@given(networks())
def test_counting_by_cycle_and_sorting_say_the_same(network: Network) -> None:
    timeline = run(network, on_deadlock="return").timeline
    found = []
    for dense in (10**9, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(metrics, "_DENSE", dense)
            patch.setattr("ppnsim.model.cycles._DENSE", dense)
            classes = [cycle_classes(timeline, process.name) for process in network.processes]
            curves = [metrics.occupancy(timeline, channel.name) for channel in network.channels]
            found.append(
                (
                    [(each.edges.tolist(), each.codes.tolist()) for each in classes],
                    [[part.tolist() for part in each] for each in (*curves, metrics.parallelism_profile(timeline))],
                )
            )
    assert found[0] == found[1]


@settings(deadline=None, max_examples=25)
@given(networks(styles=["elastic"], resources=False, scheduled=False).filter(is_monotone))
def test_the_bottleneck_of_a_long_run_is_that_of_a_short_one(network: Network) -> None:
    done = run(network, on_deadlock="return")
    short = bottleneck.bottleneck(summary_of(done))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bottleneck, "_LONG", 0)
        assert bottleneck.bottleneck(summary_of(done)) == short


def test_who_is_slowed_by_another_is_not_the_bottleneck() -> None:
    processes = [Process(name="pixel", firings=400), Process(name="sum", firings=100, ii=3)]
    four = Channel(name="c", source="pixel", target="sum", depth=8, tokens=Rates(produce=(1,), consume=(4,)))
    said = bottleneck.bottleneck(summary_of(run(Network(processes=processes, channels=[four]))))
    assert said == "pixel starts its 400 firings 1 cycle apart; deeper FIFOs change nothing"


def test_a_run_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bottleneck, "_TOO_LONG", 10)
    monkeypatch.setattr(bottleneck, "_LONG", 10)
    monkeypatch.setattr(bottleneck, "_AT_ONCE", 10)
    done = run(predictor())
    size = done.network.events
    said = bottleneck.bottleneck(summary_of(done))
    assert said == f"not looked for: {size} firings and tokens that never repeat themselves (at most 10)"
