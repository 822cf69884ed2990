"""Pictures of platform runs: which bars, how long, under which names, in which unit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle

from ppnsim.files import load_as
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.model.presets import src6
from ppnsim.platform.model.system import System
from ppnsim.platform.pictures.drawing import draw_platform
from ppnsim.platform.pictures.time import platform_gantt, platform_shares, platform_utilisation
from ppnsim.platform.report.looks import coalesced
from ppnsim.platform.run.record import Pass, PlatformRun, PlatformSpan
from ppnsim.plots.axis import boxes_of

MS = Fraction(1, 1000)
SPANS = (
    PlatformSpan("fpga[10]", "compute", "s", 0 * MS, 6 * MS), PlatformSpan("fpga[2]", "compute", "s", 0 * MS, 3 * MS),
    PlatformSpan("fpga[2]", "bytes", "s", 3 * MS, 4 * MS), PlatformSpan("fpga[2]", "compute", "s", 7 * MS, 8 * MS),
)  # fmt: skip
PASSES = Pass("filter", 0 * MS, 4 * MS), Pass("a", 4 * MS, 8 * MS)
RUN = PlatformRun(
    makespan=8 * MS, times={}, spans=SPANS, passes=PASSES, messages=0, transfers=0, speedup=None
)  # fmt: skip


def rows(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def drawn(axes: Axes, label: str) -> list[tuple[float, float]]:
    """Return left and right ends of the bars with a label."""
    found = []
    for each in axes.patches:
        if isinstance(each, PathPatch) and each.get_label() == label:
            found += [(round(left, 9), round(right, 9)) for left, _, right, _ in boxes_of(each).tolist()]
    return sorted(found)


def bars(axes: Axes) -> dict[int, list[tuple[float, float]]]:
    """Return left end and width of the bars that have one, by row."""
    found: dict[int, list[tuple[float, float]]] = {}
    for each in axes.patches:
        if isinstance(each, Rectangle) and each.get_width():
            row = round(-(each.get_y() + each.get_height() / 2) - 0.5)
            found.setdefault(row, []).append((round(each.get_x(), 6), round(each.get_width(), 6)))
    return found


def test_lanes_are_in_the_order_of_their_numbers_and_times_in_their_unit() -> None:
    figure = platform_gantt(RUN, title="two")
    (axes,) = figure.axes
    assert rows(axes) == ["fpga[2]", "fpga[10]"]
    assert figure.get_suptitle() == "two · 8 ms"
    assert axes.get_xlabel() == "time [ms]" and axes.get_xlim() == (0, 8)
    assert drawn(axes, "fpga[2]: compute") == [(0, 3), (7, 8)]
    assert drawn(axes, "fpga[2]: bytes") == [(3, 4)] and drawn(axes, "fpga[10]: compute") == [(0, 6)]
    assert sorted(text.get_text() for text in figure.legends[0].get_texts()) == ["G", "compute"]


def test_a_window_has_its_own_unit_and_the_heading_the_whole() -> None:
    figure = platform_gantt(RUN, window=(3 * MS / 10, 9 * MS / 10))
    (axes,) = figure.axes
    assert axes.get_xlabel() == "time [us]" and axes.get_xlim() == pytest.approx((300, 900))
    assert figure.get_suptitle() == "platform · 8 ms"
    assert drawn(axes, "fpga[2]: bytes") == []


@pytest.mark.parametrize(
    ("makespan", "shown"), [(Fraction(1), "1 s"), (1 * MS, "1 ms"), (MS / 1000, "1 us"), (MS / 10**6, "1 ns")]
)
def test_the_unit_is_the_largest_that_is_not_larger_than_the_time(makespan: Fraction, shown: str) -> None:
    assert platform_gantt(replace(RUN, makespan=makespan)).get_suptitle() == f"platform · {shown}"


def stages(run: PlatformRun, **more: Any) -> list[tuple[str, float]]:
    """Return the names of stages that are written, and where."""
    (axes,) = platform_gantt(run, **more).axes
    return [(text.get_text(), round(text.get_position()[0], 6)) for text in axes.texts]


def test_stages_are_named_in_the_middle_of_what_is_seen_of_them() -> None:
    assert stages(RUN) == [("filter", 2), ("a", 6)]
    assert stages(RUN, window=(2 * MS, 8 * MS)) == [("filter", 3), ("a", 6)]
    assert stages(RUN, window=(4 * MS, 8 * MS)) == [("a", 6)]


@pytest.mark.parametrize(("cycles", "name"), [(291, "filter"), (280, "filter"), (200, "fi…r"), (140, None)])
def test_a_name_has_the_letters_that_fit(cycles: int, name: str | None) -> None:
    """The page is 110 letters wide: of a stage as long as its part of it, at least four (or all) are shown."""
    part = Fraction(cycles, 5000)
    short = replace(RUN, passes=(Pass("filter", 0 * MS, part * RUN.makespan),))
    found = [text for text, _ in stages(short)]
    letters = int(float(part) * 110)
    assert found == ([] if letters < 4 else [name]), letters


def test_shares_and_utilisation_are_percent_of_the_makespan_or_of_the_window() -> None:
    (axes,) = platform_shares(RUN).axes
    assert rows(axes) == ["fpga[2]", "fpga[10]"]
    assert bars(axes)[0] == [(0, 50), (50, 12.5), (62.5, 37.5)]  # computes, moves bytes, waits
    assert bars(axes)[1] == [(0, 75), (75, 25)]
    assert axes.get_xlabel() == "share of the makespan (%)" and axes.get_xlim() == (0, 100)
    (axes,) = platform_utilisation(RUN, window=(2 * MS, 6 * MS)).axes
    assert bars(axes) == {0: [(0, 50)], 1: [(0, 100)]}
    assert axes.get_xlabel() == "working (% of 2 to 6 ms)"
    assert [text.get_text() for text in axes.texts] == ["50.0%", "100.0%"]


def test_neighbours_closer_than_a_column_are_one_bar() -> None:
    left, right = coalesced([SPANS[1], SPANS[3]], 4 * MS)
    assert (left.tolist(), right.tolist()) == ([0], [0.008])
    left, right = coalesced([SPANS[3], SPANS[1]], 3 * MS)
    assert (left.tolist(), right.tolist()) == ([0, 0.007], [0.003, 0.008])
    inner = replace_end(SPANS[0], 2 * MS)
    left, right = coalesced([SPANS[0], inner], 0 * MS)
    assert (left.tolist(), right.tolist()) == ([0], [0.006])


def replace_end(span: PlatformSpan, end: Fraction) -> PlatformSpan:
    return span._replace(end=end)


def test_letters_are_counted_by_the_window_that_is_seen() -> None:
    """Four hundredths of a window of 4 ms have room for four letters, wherever the window lies."""
    short = replace(RUN, passes=(Pass("filter", 6 * MS, 6 * MS + 16 * MS / 100),))
    assert [text for text, _ in stages(short, window=(4 * MS, 8 * MS))] == ["fi…r"]


def test_stages_that_overlap_have_rows_one_above_the_other() -> None:
    passes = (Pass("filter", 0 * MS, 5 * MS), Pass("a", 4 * MS, 8 * MS), Pass("filter", 5 * MS, 8 * MS))
    (axes,) = platform_gantt(replace(RUN, passes=passes)).axes
    assert [text.get_text() for text in axes.texts] == ["filter", "a", "filter"]
    places = [tuple(round(float(number), 6) for number in text.get_position()) for text in axes.texts]
    assert places == [(2.5, 0.42), (6, 1.02), (6.5, 0.42)]
    bars = [each.get_paths()[0].get_extents() for each in axes.collections]
    assert [(round(float(bar.y0), 6), round(float(bar.y1), 6)) for bar in bars] == [
        (0.15, 0.7),
        (0.75, 1.3),
        (0.15, 0.7),
    ]
    assert axes.get_ylim() == pytest.approx((-2, 1.5)) and not axes.lines
    assert platform_gantt(RUN).axes[0].get_ylim() == pytest.approx((-2, 0.9))


def centres(system: System) -> dict[str, tuple[float, float]]:
    """Return the centre of each box of a drawing, by the words in it."""
    (axes,) = draw_platform(system).axes
    boxes = [each for each in axes.patches if isinstance(each, FancyBboxPatch)]
    found = {}
    for box in boxes:
        left, low, wide, high = box.get_x(), box.get_y(), box.get_width(), box.get_height()
        (name, *_) = [
            text.get_text() for text in axes.texts
            if left <= text.get_position()[0] <= left + wide and low <= text.get_position()[1] <= low + high
        ]  # fmt: skip
        found[name] = (left + wide / 2, low + high / 2)
    return found


def test_boxes_stand_in_columns_what_hangs_below_one_in_its_own_and_networks_across() -> None:
    nodes = centres(src6(nodes=3))
    assert nodes == {"snap": (270, 0), "host[0]": (0, -120)} | {f"map[{n}]": (180 * (n + 1), -120) for n in range(3)}
    file = Path(__file__).parents[1] / "golden" / "files" / "platform.toml"
    parts = centres(load_as(file, PlatformFile).system)
    assert {name: parts[name] for name in ("ring", "host[0]")} == {"ring": (270, 0), "host[0]": (0, -120)}
    for number in range(4):
        assert parts[f"card[{number}]"] == (180 * number, -240)
        assert parts[f"card[{number}].bank"] == (180 * number, -360)


def test_nodes_that_are_not_drawn_are_counted_below_those_that_are(tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    groups = "".join(
        f'[node.{name}]\nkind = "microprocessor"\nclock = "1 GHz"\ncount = {count}\n'
        for name, count in (("a", 19), ("b", 18))
    )
    file.write_text(groups, encoding="utf-8")
    (axes,) = draw_platform(load_as(str(file), PlatformFile).system).axes
    assert len([each for each in axes.patches if isinstance(each, FancyBboxPatch)]) == 32
    assert [each.get_text() for each in axes.texts if "more" in each.get_text()] == ["and 5 more nodes"]
