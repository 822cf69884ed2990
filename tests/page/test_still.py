"""What the page shows of a long run: a run with fewer repetitions says the same as all of it would."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ppnsim import Channel, Network, Process, Rates, chain, fork_join, run
from ppnsim.library import save_run
from ppnsim.model.run import Run
from ppnsim.model.step_lists import StepList
from ppnsim.model.summary import classes_of, summary_of
from ppnsim.page import excerpt, still
from ppnsim.page.build import colours_of
from ppnsim.page.excerpt import Excerpt, detail_of, excerpt_of
from ppnsim.page.still import still_of
from ppnsim.plots.gantt import gantt

REDUCED = Network(
    processes=[Process(name="pixel", firings=40_000), Process(name="sum", firings=10_000, ii=3, latency=5)],
    channels=[Channel(name="c", source="pixel", target="sum", depth=8, tokens=Rates(produce=(1,), consume=(4,)))],
)
TASKS = Network(  # stops of a task are not its firings
    processes=[Process.scheduled(name="task", steps=6, runs=9000), Process(name="sink", firings=9000)],
    channels=[Channel(name="c", source="task", target="sink", depth=4, write_steps=StepList((3,)))],
)
LONG = {
    "chain": chain(firings=30_000, ii=(1, 3, 1), depth=2),
    "fork and join": fork_join(firings=20_000, short_depth=3),
    "frozen": fork_join(firings=20_000, short_depth=12, style="frozen"),
    "flushable": chain(firings=30_000, ii=(2, 1, 3), depth=3, style="flushable"),
    "reduction": REDUCED,
    "tasks": TASKS,
    # A firing lasts for many repetitions while steps stand still, and for less of them at the end of the run.
    "long firings": chain(firings=20_000, length=2, ii=(5, 1), latency=200, style="frozen"),
}


def whole(run_: Run, width: int) -> Excerpt:
    """Return all of a run, in columns that are so wide."""
    timeline = run_.timeline
    edges = np.append(np.arange(0, timeline.stopped, width, dtype=np.int64), timeline.stopped)
    return Excerpt(timeline=timeline, classes=classes_of(run_), edges=edges)


@pytest.mark.parametrize("name", LONG)
def test_fewer_repetitions_show_what_all_of_them_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(LONG[name], engine="compiled")
    view = (0, done.stopped)
    found = excerpt_of(done, view, detail_of(done, view), 400)
    assert found is not None and found.gone and found.timeline.stopped < done.stopped / 3
    monkeypatch.setattr(still, "_COLUMNS", 400)
    told = still_of(done, view)
    width = told["columns"]["width"]
    monkeypatch.setattr(still, "excerpt_of", lambda done, *_: whole(done, width))
    assert told == still_of(run(LONG[name], engine="compiled", fast_forward=False), view)


@pytest.mark.parametrize("first", [0, 7, 30_000, 59_000, 89_000])
def test_a_detail_is_found_wherever_it_lies(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the repetitions, within them, and behind them; where it lies across, all of the run is put together."""
    done = run(LONG["chain"], engine="compiled")
    monkeypatch.setattr(still, "detail_of", lambda *_: (first, first + 300))
    told = still_of(done, (0, done.stopped))
    monkeypatch.setattr(still, "excerpt_of", lambda done, *_: whole(done, told["columns"]["width"]))
    assert told["detail"] == still_of(done, (0, done.stopped))["detail"]


def test_the_tables_of_a_long_run_are_those_of_the_whole_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save_run, "_MOST_ROWS", 5000)
    done = run(LONG["chain"], engine="compiled")
    detail = detail_of(done, (0, done.stopped))
    save_run.save_run(done, tmp_path / "short")
    save_run.save_run(done, tmp_path / "same", window=detail)
    for name in ("timeline.csv", "occupancy.csv"):
        rows = [(tmp_path / place / name).read_text(encoding="utf-8").splitlines() for place in ("short", "same")]
        assert rows[0] == rows[1] and len(rows[0]) > 100


def test_shares_are_exact_and_a_short_view_has_no_columns() -> None:
    done = run(fork_join(firings=2000, short_depth=3))
    told = still_of(done, (0, done.stopped))
    for process, each in zip(done.network.processes, told["columns"]["processes"], strict=True):
        cycles = np.sum([times * np.array(counts) for times, counts in each["spent"]], axis=0)
        assert cycles.sum() == done.stopped
        by_kind = dict.fromkeys(("starting", "done", "draining", "ii"), 0)
        for label, number in zip(each["labels"], cycles.tolist(), strict=True):
            if label["kind"] in by_kind:
                by_kind[label["kind"]] = number
        counts: Any = summary_of(done).processes[process.name].cycles
        assert by_kind == {kind: getattr(counts, kind) for kind in by_kind}
    for channel, each in zip(done.network.channels, told["columns"]["channels"], strict=True):
        assert max(most for _, most in each["most"]) <= summary_of(done).occupancy[channel.name]
    part = still_of(done, (100, 140))
    assert (part["columns"], part["detail"]["first"], part["detail"]["last"]) == (None, 100, 140)


def test_what_is_too_long_for_a_picture_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "_LARGEST", 100)
    done = run(chain(firings=3000, depth=1), engine="des")
    told = still_of(done, (0, done.stopped))
    assert (told["columns"], told["detail"]) == (None, None) and told["model"]["channels"][0]["most"] == 1
    cut = run(chain(firings=10**9, depth=1))
    assert still_of(cut, (0, cut.stopped))["columns"] is not None


def test_a_run_that_another_one_would_not_show_is_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(LONG["chain"], engine="compiled")
    asked = (0, done.stopped), detail_of(done, (0, done.stopped)), 400
    monkeypatch.setattr(excerpt, "fewer_rounds", lambda *_: chain(firings=3000, ii=(1, 3, 1), depth=2))
    found = excerpt_of(done, *asked)
    assert found is not None and not found.gone and found.timeline.stopped == done.stopped
    assert done.left_out is not None
    held = replace(done, left_out=replace(done.left_out, held={"c0": 1}))
    monkeypatch.undo()
    assert getattr(excerpt_of(held, *asked), "gone", None) == 0


@pytest.mark.parametrize("network", [fork_join(firings=20, short_depth=3), LONG["reduction"]])
def test_a_channel_has_the_colour_of_the_other_pictures(network: Network) -> None:
    done = run(network)
    colours = colours_of(summary_of(done))
    patches = [patch for legend in gantt(done.timeline).legends for patch in legend.get_patches()]
    drawn = {patch.get_label(): patch.get_facecolor() for patch in patches}
    for channel, (paint, _) in zip(network.channels, colours["channels"], strict=True):
        rgb = tuple(int(paint[at : at + 2], 16) / 255 for at in (1, 3, 5))
        own = [colour for label, colour in drawn.items() if f"on {channel.name} (" in str(label)]
        assert own and all(each[:3] == pytest.approx(rgb) for each in own)
