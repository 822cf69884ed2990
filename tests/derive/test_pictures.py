"""The picture of a design space: what lies over what, which labels stand where, and how far the axes go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

from ppnsim.derive.designs.pictures import design_space
from ppnsim.plots.style import FAINT

ALL: dict[str, Any] = {
    "start": (2, 90), "unbounded": (40, 30), "bound": 45, "points": [(2, 90), (3, 80), (4, 50)],
    "walk": [(2, 90), (3, 80), (4, 50)], "front": [(2, 90), (4, 50)], "rules": {"cut": (8, 60)},
}  # fmt: skip


def axes_of(**changes: Any) -> Axes:
    return design_space("f", **(ALL | changes)).axes[0]


def labels(axes: Axes) -> dict[str, Annotation]:
    return {text.get_text(): text for text in axes.texts if isinstance(text, Annotation)}


def test_limits_are_labelled_inside_and_below_their_lines() -> None:
    found = labels(axes_of())
    places = {words: (text.xy, text.xyann) for words, text in found.items() if "cycles" in words}
    assert places == {
        "absolute throughput: 90 cycles": ((0.14, 90), (0, 5)),
        "unbounded throughput: 30 cycles": ((0.008, 30), (0, -15)),
        "statements that stay: 45 cycles": ((0.008, 45), (0, -15)),
    }
    for bound in (None, 30):  # none, or none that is above the unbounded finish
        assert "statements that stay" not in "".join(labels(axes_of(bound=bound)))
    assert "unbounded throughput: 1 cycles" in labels(axes_of(unbounded=(40, 0), bound=None))


def test_designs_lie_over_lines_and_lines_over_shades_and_words_over_all() -> None:
    axes = axes_of()
    shades = [each.get_zorder() for each in axes.patches if isinstance(each, Rectangle)]
    across = [line for line in axes.lines if line.get_linewidth() == 1.8 and len(np.asarray(line.get_xdata())) == 2]
    limits = [line.get_zorder() for line in across if line.get_drawstyle() == "default"]
    (stairs,) = [line.get_zorder() for line in axes.lines if line.get_drawstyle() == "steps-post"]
    (walk,) = [
        line.get_zorder() for line in axes.lines if line.get_marker() == "o" and len(np.asarray(line.get_xdata()))
    ]
    marks = {str(each.get_label()): each.get_zorder() for each in axes.collections if isinstance(each, PathCollection)}
    words = [text.get_zorder() for text in axes.texts]
    assert len(shades) == 2 and len(limits) == 3
    assert max(shades) < min(limits) < stairs < marks["best for its processes"] < walk
    assert walk < marks["a process for each execution"] < min(words)


def test_axes_go_a_little_further_than_all_designs() -> None:
    axes = axes_of(busy=900)
    assert axes.get_xlim() == pytest.approx((2 / 1.25, 40 * 1.6)) and axes.get_ylim() == pytest.approx((30 / 1.6, 135))
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes_of(rules={"all": (64, 20)}).get_xlim()[1] == pytest.approx(64 * 1.6)
    assert axes_of(unbounded=(40, 0), bound=None).get_ylim()[0] == pytest.approx(1 / 1.6)
    assert axes_of(rules=None, points=[], walk=[]).get_legend() is not None


def test_ends_and_front_are_labelled_unless_they_are_close() -> None:
    found = labels(axes_of())
    assert {words for words in found if " p, " in words} == {"2 p, 90", "4 p, 50", "40 p, 30"}
    assert found["2 p, 90"].get_horizontalalignment() == "left" and found["2 p, 90"].xyann == (6, 7)
    close = labels(axes_of(front=[(2, 90), (2, 88), (4, 50)]))
    assert "2 p, 88" not in close
    edge = labels(axes_of(front=[(2, 90), (200, 50)]))["200 p, 50"]
    assert (edge.get_horizontalalignment(), edge.xyann) == ("right", (-6, 9))  # beyond nine tenths of the width


def test_the_axis_at_the_right_tells_the_average_parallelism() -> None:
    (mean,) = axes_of(busy=360).child_axes
    assert (mean.yaxis.label.get_text(), mean.yaxis.label.get_color()) == ("average parallelism", FAINT)
    assert [mean._functions[way](90) for way in (0, 1)] == [4, 4]  # type: ignore[attr-defined]  # 360 cycles of work in 90
    assert axes_of(busy=0).child_axes == []
