"""The picture of ranks over time: which intervals, which rows, which words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.collections import PolyCollection

from ppnsim.messages.pictures import rank_gantt
from ppnsim.messages.run.record import Interval, MessageRun

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
    for each in axes.collections:
        assert isinstance(each, PolyCollection)
        for path in each.get_paths():
            corners = np.asarray(path.vertices)
            found.append((float(corners[:, 0].min()), float(corners[:, 0].max()), -int(np.ceil(corners[:, 1].max()))))
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
    assert figure.axes[0].get_xlabel() == "time (us); thin lines: the port, sending above receiving"
    exact = rank_gantt(replace(many, rank_end=(3,) * 64))
    assert exact.get_suptitle() == "completion 9"


def test_a_deadlock_and_what_is_seen_are_told() -> None:
    figure = rank_gantt(replace(RUN, completion=None))
    assert figure.get_suptitle() == "deadlock"
    assert figure.axes[0].get_xlabel() == "time; thin lines: the port, sending above receiving"
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == ["compute", "wait"]
    (only,) = [text.get_text() for text in rank_gantt(RUN, window=(0, 3)).legends[0].get_texts()]
    assert only == "compute"
