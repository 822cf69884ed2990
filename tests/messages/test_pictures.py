"""The picture of ranks over time: which intervals, which rows, which words."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.text import Text
from rich.console import Console

from ppnsim.messages.model.flows import FairFlow, FlowRun, Star
from ppnsim.messages.pictures import rank_gantt
from ppnsim.messages.report import print_flows, print_messages
from ppnsim.messages.run.record import Interval, MessageDeadlock, MessageRun
from ppnsim.plots.axis import boxes_of, plain
from ppnsim.plots.style import LABEL, SMALL

RUN = MessageRun(
    completion=9, rank_end=(5, 9), messages=0, sent=0, unreceived=0,
    intervals=(
        Interval(0, "compute", 0, 2), Interval(0, "compute", 2, 5), Interval(1, "compute", 0, 9),
        Interval(1, "wait", 4, 6),
    ),
)  # fmt: skip


def spans(run: MessageRun, window: tuple[int, int] | None = None) -> list[tuple[float, float, float]]:
    """Return left and right ends of what is drawn, with the rank whose row holds it."""
    (axes,) = rank_gantt(run, window=window).axes
    found = []
    for each in axes.patches:
        assert isinstance(each, PathPatch)
        for left, _, right, high in boxes_of(each).tolist():
            found.append((left, right, -int(np.ceil(high))))
    return sorted(found)


def test_a_window_shows_what_is_inside_and_not_what_touches_it() -> None:
    assert spans(RUN) == [(0, 2, 0), (0, 9, 1), (2, 5, 0), (4, 6, 1)]
    assert spans(RUN, (2, 4)) == [(0, 9, 1), (2, 5, 0)]  # neither what ends at 2 nor what starts at 4
    (axes,) = rank_gantt(RUN, window=(2, 4)).axes
    assert axes.get_xlim() == (2, 4)
    assert rank_gantt(RUN).axes[0].get_xlim() == (0, 9)


def test_the_first_64_ranks_have_a_row() -> None:
    many = replace(RUN, rank_end=(3,) * 65, intervals=(Interval(63, "compute", 0, 1), Interval(64, "compute", 0, 1)))
    figure = rank_gantt(many, unit="us")
    assert len(figure.axes[0].get_yticks()) == 64 and spans(many) == [(0, 1, 63)]
    assert figure.get_suptitle() == "completion 9 us · first 64 of 65 ranks"
    assert figure.axes[0].get_xlabel() == "time [us]; thin lines: the port, sending above receiving"
    exact = rank_gantt(replace(many, rank_end=(3,) * 64))
    assert exact.get_suptitle() == "completion 9"


def test_a_deadlock_and_what_is_seen_are_told() -> None:
    stood = MessageDeadlock(at=12, done=3, operations=4, waiting=())
    figure = rank_gantt(replace(RUN, completion=None, deadlock=stood))
    (line,) = figure.axes[0].lines
    assert (np.asarray(line.get_xdata()).tolist(), figure.axes[0].get_xlim()) == ([12, 12], (0, 12))
    assert not rank_gantt(replace(RUN, deadlock=stood), window=(0, 9)).axes[0].lines
    assert figure.get_suptitle() == "deadlock"
    assert figure.axes[0].get_xlabel() == "time; thin lines: the port, sending above receiving"
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == ["compute", "wait"]
    (only,) = [text.get_text() for text in rank_gantt(RUN, window=(0, 3)).legends[0].get_texts()]
    assert only == "compute"


@pytest.mark.parametrize(("ranks", "size"), [(2, LABEL), (16, LABEL), (17, SMALL)])
def test_names_of_ranks_have_no_ticks_and_are_small_where_many_stand_above_each_other(ranks: int, size: float) -> None:
    (axes,) = rank_gantt(replace(RUN, rank_end=(3,) * ranks)).axes
    names = axes.get_yticklabels()
    assert [each.get_text() for each in names] == [f"rank {rank}" for rank in range(ranks)]
    assert {each.get_fontsize() for each in names} == {size}
    assert {tick.tick1line.get_markersize() for tick in axes.yaxis.get_major_ticks()} == {0}
    assert {tick.tick1line.get_markersize() for tick in axes.xaxis.get_major_ticks()} != {0}
    assert {each.get_fontsize() for each in axes.get_xticklabels()} == {each.get_fontsize() for each in plain_labels()}


def plain_labels() -> list[Text]:
    axes = Figure().add_subplot()
    plain(axes)
    return list(axes.get_xticklabels())


@pytest.mark.parametrize(
    ("unreceived", "said"),
    [(0, []), (1, ["1 message is asked for by no receive"]), (2, ["2 messages are asked for by no receive"])],
)
def test_messages_that_nobody_receives_are_counted_in_words(unreceived: int, said: list[str]) -> None:
    console = Console(file=StringIO(), width=120)
    print_messages(console, replace(RUN, unreceived=unreceived), file="f", unit="", seconds=0.0)
    assert isinstance(console.file, StringIO)
    assert [line for line in console.file.getvalue().splitlines() if "receive" in line and "rank" not in line] == said


@pytest.mark.parametrize(("rows", "left"), [(1, 1), (2, 0), (3, 0)])
def test_a_table_of_many_ranks_says_how_many_it_leaves_out(
    rows: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppnsim.messages.report._ROWS", rows)
    console = Console(file=StringIO(), width=120)
    print_messages(console, RUN, file="f", unit="", seconds=0.0)
    flows = [FairFlow(source=0, target=1, size=8.0, start=0.0), FairFlow(source=1, target=0, size=8.0, start=1.0)]
    star = Star(hosts=2, bandwidth=8.0, latency=0.5)
    print_flows(console, FlowRun(finish=(2.0, 3.0), pieces=()), star, flows, file="g", seconds=0.0)
    assert isinstance(console.file, StringIO)
    said = [line for line in console.file.getvalue().splitlines() if "more" in line]
    assert said == [f"... and {left} {each} more (--json has all)" for each in ("ranks", "flows") if left]
