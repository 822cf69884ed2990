import os
import re
import subprocess
import sys
from collections import Counter
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import matplotlib as mpl
import matplotlib.image
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Rectangle, StepPatch
from matplotlib.text import Text

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.model.builders import chain, fork_join, predictor, sdf
from ppnsim.model.cycles import CycleClasses, cycle_classes
from ppnsim.model.metrics import Events, max_occupancy, moves
from ppnsim.model.metrics import occupancy as occupancy_curve
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from ppnsim.model.run import Run
from ppnsim.model.step_lists import StepList
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.plots.axis import boxes_of, plain, rectangles, stairs
from ppnsim.plots.boxes import _one_cell, draw_fifo, fifo_width
from ppnsim.plots.columns import MOST, counted, edges_of, extremes_of, mean_of, spent
from ppnsim.plots.dot import dot
from ppnsim.plots.firings import stacked
from ppnsim.plots.gantt import gantt, legend_of, looks_of
from ppnsim.plots.layers import Slot, layered
from ppnsim.plots.layout import Extent, layout, separated
from ppnsim.plots.network import draw_network
from ppnsim.plots.occupancy import occupancy
from ppnsim.plots.parallelism import parallelism
from ppnsim.plots.save import save
from ppnsim.plots.style import ALARM, INK, OTHER, verbatim
from ppnsim.plots.wires import _towards


def shared_multiplier() -> Network:
    return Network(
        processes=[
            Process(name="feed", firings=9),
            Process(name="left", firings=9, ii=2, latency=4, resource="mult"),
            Process(name="right", firings=9, ii=2, latency=4, resource="mult"),
        ],
        channels=[
            Channel(name="l", source="feed", target="left", depth=1),
            Channel(name="r", source="feed", target="right", depth=1),
        ],
        resources={"mult": 1},
    ).checked()


def never_starting() -> Network:
    """Two processes that each wait for the other's first token."""
    return Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
        channels=[Channel(name="ab", source="a", target="b"), Channel(name="ba", source="b", target="a")],
    ).checked()


def timeless() -> Network:
    return sdf({"a": 0, "b": 2}, {"c": ("a", 2, 1, "b", 0)}, firings={"a": 3, "b": 6})


def random_network(seed: int, processes: int = 20) -> Network:
    random = Random(seed)
    channels: list[Channel] = []
    for target in range(1, processes):
        for source in random.sample(range(max(0, target - 6), target), min(target, random.choice([1, 1, 2]))):
            for _ in range(random.choice([1, 1, 1, 2])):
                depth = random.choice([1, 3, 20, None])
                name = f"channel_{len(channels)}"
                channels.append(Channel(name=name, source=f"stage_{source}", target=f"stage_{target}", depth=depth))
    last = f"stage_{processes - 1}"
    channels.append(Channel(name="feedback", source=last, target="stage_1", initial=5, depth=6))
    channels.append(Channel(name="own", source="stage_3", target="stage_3", initial=1))
    channels.append(Channel(name="own too", source="stage_3", target="stage_3", initial=2))
    styles: list[Style] = [random.choice(STYLES) for _ in range(processes)]
    return Network(
        processes=[Process(name=f"stage_{i}", firings=8, style=styles[i]) for i in range(processes)], channels=channels
    ).checked()


NETWORKS = {
    "predictor": predictor(),
    "fork and join": fork_join(firings=20, short_depth=3),
    "deadlock": fork_join(firings=20, short_depth=2, style="frozen"),
    "resource": shared_multiplier(),
    "never starting": never_starting(),
    "timeless": timeless(),
    "long": chain(firings=1500, depth=1, latency=(3, 5, 1)),
}


@pytest.fixture(params=NETWORKS)
def ran(request: pytest.FixtureRequest) -> Run:
    return run(NETWORKS[request.param], on_deadlock="return")


def spans(axes: Axes, label: str) -> list[tuple[float, float]]:
    """Return (left, right) of every rectangle drawn under this label."""
    drawn = [each for each in bars(axes) if each.get_label() == label]
    return [(left, right) for each in drawn for left, _, right, _ in boxes_of(each).tolist()]


def bars(axes: Axes) -> list[PathPatch]:
    return [each for each in axes.patches if type(each) is PathPatch]


def lines(axes: Axes, label: str) -> list[Line2D]:
    return [line for line in axes.lines if line.get_label() == label]


def steps(axes: Axes, label: str) -> tuple[Any, Any]:
    patch = next(each for each in axes.patches if each.get_label() == label)
    assert isinstance(patch, StepPatch)
    values, edges, _ = patch.get_data()
    return values, edges


def drawn(figure: Figure) -> Any:
    """Return the renderer that drew the figure, which knows how large its texts are."""
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def read(picture: Path) -> Any:
    return mpl.image.imread(picture)


def fill(drawn: PathPatch) -> str:
    return to_hex(drawn.get_facecolor())


# -- gantt -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["predictor", "fork and join", "resource"])
def test_every_firing_is_a_bar_from_its_start_to_its_end(name: str) -> None:
    timeline = run(NETWORKS[name]).timeline
    axes = gantt(timeline).axes[0]
    for process in timeline.network.processes:
        expected = zip(timeline.start(process.name).tolist(), timeline.end(process.name).tolist(), strict=True)
        assert sorted(spans(axes, f"firings of {process.name}")) == sorted(expected)


def test_the_stages_of_a_firing_are_shaded_one_after_the_other() -> None:
    network = chain(firings=1, length=2, latency=4, depth=1)
    axes = gantt(run(network).timeline).axes[0]
    # p1 reads in cycle 5 (p0: 4 execute cycles, write at 4, forward 1), then executes 4 cycles and writes nothing.
    assert spans(axes, "writes of p0") == [(4, 5)]
    assert spans(axes, "reads of p1") == [(5, 6)]
    assert spans(axes, "executions of p1") == [(6, 10)]
    assert spans(axes, "writes of p1") == []


def test_bars_of_a_deadlock_stop_executing_where_it_stands_still() -> None:
    timeline = run(NETWORKS["deadlock"], on_deadlock="return").timeline
    axes = gantt(timeline).axes[0]
    executing = [span for name in ("split", "short", "long", "join") for span in spans(axes, f"executions of {name}")]
    assert executing and max(right for _, right in executing) <= timeline.stopped
    unfinished = int(((timeline.start("long") != NEVER) & (timeline.end("long") == NEVER)).sum())
    assert sum(right > timeline.stopped for _, right in spans(axes, "firings of long")) == unfinished > 0


def test_overlapping_firings_have_rows_of_their_own() -> None:
    timeline = run(chain(firings=9, latency=6)).timeline
    axes = gantt(timeline).axes[0]
    drawn = next(each for each in bars(axes) if each.get_label() == "firings of p0")
    for (left, low, right, high), (start, floor, end, top) in combinations(boxes_of(drawn).tolist(), 2):
        assert right <= start or end <= left or high <= floor or top <= low


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)), max_size=30))
def test_rows_are_as_many_as_intervals_overlap(intervals: list[tuple[int, int]]) -> None:
    intervals.sort(key=lambda interval: interval[0])
    first = np.array([begin for begin, _ in intervals], dtype=float)
    last = np.array([begin + length for begin, length in intervals], dtype=float)
    rows = stacked(first, last)
    deepest = max((int(((first <= t) & (t < last)).sum()) for t in first), default=0)
    assert len(set(rows.tolist())) == deepest
    for one, other in combinations(range(len(intervals)), 2):
        assert rows[one] != rows[other] or last[one] <= first[other]


def test_the_strip_holds_exactly_the_cycles_of_each_class(ran: Run) -> None:
    timeline = ran.timeline
    axes = gantt(timeline).axes[0]
    for process in timeline.network.processes:
        classes = cycle_classes(timeline, process.name)
        cycles = classes.before(np.array([timeline.stopped]))[0].tolist()
        named = zip(classes.labels, cycles, strict=True)
        expected = Counter({" ".join(filter(None, label)): number for label, number in named if number})
        area: dict[str, float] = {}
        for each in bars(axes):
            owner, _, words = str(each.get_label()).partition(": ")
            if owner == process.name:
                boxes = boxes_of(each)
                area[words] = float((boxes[:, 2:] - boxes[:, :2]).prod(axis=1).sum())
        height = 0.26  # of the strip, in lanes: where every cycle is one class, it is filled from bottom to top
        assert {words: pytest.approx(value / height) for words, value in area.items()} == expected


def test_the_legend_names_every_cause_with_its_cycles(ran: Run) -> None:
    timeline = ran.timeline
    figure = gantt(timeline)
    words = {"starved": "starved on", "blocked": "blocked on", "resource": "waits for resource"}
    expected: Counter[str] = Counter()
    for process in timeline.network.processes:
        counts = cycle_classes(timeline, process.name).counts()
        for kind, phrase in words.items():
            for cause, cycles in counts[kind].items():
                expected[f"{phrase} {cause}"] += cycles
    shown = [re.fullmatch(r"(.*) \(([\d,]+)\)", text.get_text()) for text in figure.legends[0].get_texts()]
    assert {match[1]: int(match[2].replace(",", "")) for match in shown if match} == expected


def test_a_channel_has_one_colour_and_a_hatch_where_it_blocks() -> None:
    figure = gantt(run(fork_join(firings=20, short_depth=3)).timeline)
    looks = {each.get_label(): each for each in bars(figure.axes[0])}
    starved, blocked = looks["short: starved short_in"], looks["split: blocked short_in"]
    assert fill(starved) == fill(blocked)
    assert (starved.get_hatch() or "", bool(blocked.get_hatch())) == ("", True)
    causes = [each for label, each in looks.items() if "starved" in str(label)]
    assert len({fill(each) for each in causes}) == len(causes) == 4


def test_a_window_shows_only_its_cycles() -> None:
    timeline = run(predictor()).timeline
    figure = gantt(timeline, window=(40, 60))
    axes = figure.axes[0]
    assert axes.get_xlim() == (40, 60)
    expected = int(((timeline.start("sink") < 60) & (timeline.end("sink") > 40)).sum())
    assert len(spans(axes, "firings of sink")) == expected
    counted = np.diff(cycle_classes(timeline, "sink").before(np.array([40, 60])), axis=0)[0]
    labels = cycle_classes(timeline, "sink").labels
    starving = sum(int(cycles) for cycles, label in zip(counted, labels, strict=True) if label[0] == "starved")
    assert f"starved on transformer->sink ({starving})" in [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.parametrize("name", ["fork and join", "deadlock", "timeless", "long"])
def test_every_word_of_a_picture_has_room_without_layout_by_trial(name: str) -> None:
    timeline = run(NETWORKS[name], on_deadlock="return").timeline
    places = dict.fromkeys(timeline.network.steps, "source.cpp:123")
    for figure in (gantt(timeline, places=places), parallelism(timeline, unbounded=3.8)):
        assert figure.get_layout_engine() is None
        renderer, (axes,) = drawn(figure), figure.axes
        first, last = axes.get_xlim()
        numbers = [text for text in axes.get_xticklabels() if first <= text.get_position()[0] <= last]
        beside = [text for text in axes.texts if not text.get_clip_on()]
        words = [
            axes.yaxis.label,
            *axes.get_yticklabels(),
            *beside,
            *(t for g in figure.legends for t in g.get_texts()),
        ]
        boxes = [text.get_window_extent(renderer) for text in (*words, *numbers) if text.get_text()]
        assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 for box in boxes)
        below = axes.xaxis.label.get_window_extent(renderer).y0
        assert all(legend.get_window_extent(renderer).y1 < below for legend in figure.legends)


def test_a_window_beside_the_run_is_refused() -> None:
    with pytest.raises(InputError, match=re.escape("window = (90, 95) shows none of the cycles 0..82")):
        gantt(run(predictor()).timeline, window=(90, 95))


def test_numbers_have_their_thousands_apart_and_no_offset() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([900_000, 900_000.004], [4_500, 4_500.001])
    plain(axes)
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    for axis, one in ((axes.xaxis, "900,000.001"), (axes.yaxis, "4,500.001")):
        assert axis.get_offset_text().get_text() == ""
        assert one in [label.get_text() for label in axis.get_ticklabels()]


def test_a_second_axis_tells_the_time() -> None:
    figure = gantt(run(predictor().replace(clock_ns=500)).timeline)
    drawn(figure)
    above = figure.axes[0].child_axes[0]
    assert above.get_xlabel() == "time [µs]"
    assert above.get_xlim() == pytest.approx((0, 83 * 0.5))
    there, back = vars(above)["_functions"]
    assert (there(83), back(there(83))) == pytest.approx((83 * 0.5, 83))


# -- columns ---------------------------------------------------------------------------------------------------------


@given(st.integers(0, 50), st.integers(1, 9000))
def test_columns_are_never_more_than_the_picture_can_show(first: int, cycles: int) -> None:
    edges = edges_of(first, first + cycles)
    assert len(edges) - 1 <= MOST
    assert (edges[0], edges[-1]) == (first, first + cycles)
    assert (np.diff(edges) > 0).all()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 12))
def test_columns_keep_mean_and_extremes_of_a_curve(values: list[int], columns: int) -> None:
    cycle_by_cycle = np.array(values)
    change = np.flatnonzero(np.diff(cycle_by_cycle, prepend=-1))
    curve = change.astype(np.int64), cycle_by_cycle[change].astype(np.int64)
    edges = edges_of(0, len(values), most=columns)
    parts = np.split(cycle_by_cycle, edges[1:-1])
    assert mean_of(curve, edges) == pytest.approx([part.mean() for part in parts])
    fewest, most = extremes_of(curve, edges)
    assert (fewest.tolist(), most.tolist()) == ([part.min() for part in parts], [part.max() for part in parts])


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=60), st.integers(0, 3), st.data())
def test_columns_of_blocks_are_those_of_all_cycles(
    spans: list[tuple[int, int]], base: int, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, 30))
    edges = edges_of(first, first + data.draw(st.integers(1, 30)), most=data.draw(st.integers(1, 12)))
    half = len(spans) // 2  # in no order, by two processes, and ends that come as begins and a latency or do not
    begin, end = (np.array(each, dtype=np.int64) for each in ([at for at, _ in spans], [at + n for at, n in spans]))
    begins, ends = ([Events(each[:half] - 2, later=2), Events(each[half:])] for each in (begin, end))
    holds = [base + sum(at <= cycle < at + n for at, n in spans) for cycle in range(100)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ppnsim.plots.columns._BLOCK", data.draw(st.sampled_from([2, 10, 1000])))
        columns = counted(begins, ends, edges, base=base)
    parts = [holds[left:right] for left, right in pairwise(edges.tolist())]
    assert columns.mean.tolist() == pytest.approx([sum(part) / len(part) for part in parts])
    assert columns.fewest.tolist() == [min(part) for part in parts]
    assert columns.most.tolist() == [max(part) for part in parts]


# -- occupancy and parallelism ---------------------------------------------------------------------------------------


def test_occupancy_is_drawn_cycle_by_cycle_with_depth_and_maximum(ran: Run) -> None:
    timeline = ran.timeline
    figure = occupancy(timeline)
    channels = timeline.network.channels
    (axes,) = figure.axes
    curves = [each for each in axes.patches if each.get_label() == "tokens"]
    (marks,), (depths,) = lines(axes, "maximum"), [each for each in axes.collections if each.get_label() == "depth"]
    deep = iter(depths.get_paths())
    for row, (channel, curve) in enumerate(zip(channels, curves, strict=True)):
        assert isinstance(curve, StepPatch)
        most = max_occupancy(timeline, channel.name)
        top, floor = 1.15 * max(most, channel.depth or 0, 1), -0.8 - row  # a row is 1 high, a fifth of it is free
        heights, edges, _ = curve.get_data()
        values = (np.asarray(heights) - floor) * top / 0.8
        cycles, tokens = occupancy_curve(timeline, channel.name)
        if timeline.stopped <= MOST:
            drawn_at = np.arange(edges[0], edges[-1])
            known = tokens[np.searchsorted(cycles, drawn_at, side="right") - 1].tolist()
            assert np.repeat(values, np.diff(edges).astype(int)).tolist() == pytest.approx(known)
        assert float(np.asarray(marks.get_ydata())[row]) == pytest.approx(floor + 0.8 * most / top)
        # Tokens that come and go within a cycle need their slots, but leave no step in the curve.
        assert max(values) == pytest.approx(most) or max(values) == pytest.approx(0)
        if channel.depth:
            at = np.asarray(next(deep).vertices)
            assert at.tolist() == [[0, pytest.approx(floor + 0.8 * channel.depth / top)], [1, at[0, 1]]]
    assert next(deep, None) is None


def test_a_depth_far_above_the_curve_is_told_but_does_not_flatten_it() -> None:
    axes = occupancy(run(chain(firings=9, length=2, depth=500)).timeline).axes[0]
    assert [each.get_paths() for each in axes.collections if each.get_label() == "depth"] == [[]]
    assert "depth 500" in said_of(axes)
    values, _ = steps(axes, "tokens")
    assert max(values) - axes.get_ylim()[0] > 0.6  # of a row


def said_of(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_channels_can_be_chosen_and_unknown_ones_are_refused() -> None:
    timeline = run(fork_join(firings=4)).timeline
    words = said_of(occupancy(timeline, channels=["long_out", "short_in"]).axes[0])
    assert [each for each in words if "_" in each] == ["long_out", "short_in"]
    with pytest.raises(InputError, match="no channel is called 'short_inn'"):
        occupancy(timeline, channels=["short_inn"])


@pytest.mark.parametrize("depths", [500, None, 1])
def test_rows_of_channels_are_placed_without_a_search_and_every_word_has_room(depths: int | None) -> None:
    # Constrained layout and shared axes grow with the square of the channels: 107 of them took 8 s.
    names = {"from": "a_rather_long_name_of_a_process", "to": "b"}
    channel = Channel(name="a_channel_with_a_long_name_too", source=names["from"], target="b", depth=1_000_000)
    ends = [Process(name=name, firings=5000) for name in names.values()]
    one = Network(processes=ends, channels=[channel]).checked()
    for network in [one] * (depths == 500) + [chain(firings=9, length=42, depth=depths)]:
        figure = occupancy(run(network).timeline)
        assert figure.get_layout_engine() is None
        (axes,) = figure.axes  # each further one takes 25 ms
        renderer, paper = drawn(figure), figure.bbox
        boxes = [text.get_window_extent(renderer).padded(-2) for text in axes.texts]
        assert all(paper.x0 <= box.x0 and box.x1 <= paper.x1 for box in boxes)
        assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_a_png_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = gantt(run(predictor()).timeline)
    engine, dpi, draws = figure.get_layout_engine(), figure.dpi, []
    draw = Figure.draw

    def counted(self: Figure, renderer: RendererBase) -> None:
        draws.append(1)
        draw(self, renderer)

    monkeypatch.setattr(Figure, "draw", counted)
    save(figure, tmp_path / "gantt.png")
    assert len(draws) == 1
    assert (figure.get_layout_engine(), figure.dpi) == (engine, dpi)
    # The same picture as where it is drawn twice, dot for dot.
    figure.savefig(tmp_path / "twice.png", dpi=120)
    assert (read(tmp_path / "gantt.png") == read(tmp_path / "twice.png")).all()


def test_a_network_without_channels_has_no_occupancy() -> None:
    timeline = run(Network(processes=[Process(name="alone", firings=2)], name="one").checked()).timeline
    with pytest.raises(InputError, match="network 'one' has no channel, so no occupancy to draw"):
        occupancy(timeline)


def test_parallelism_has_the_area_of_all_executions_and_its_lines_at_the_figures() -> None:
    axes = parallelism(run(predictor()).timeline, unbounded=3.8).axes[0]
    values, edges = steps(axes, "executing")
    # van Teijlingen 2014: 171 execute cycles in 83, at most 5 at once; 3.8 is the unbounded estimate.
    assert float((values * np.diff(edges)).sum()) == 171
    heights = {str(line.get_label()): line.get_ydata() for line in axes.lines}
    assert heights == {"max 5": [5, 5], "unbounded 3.8": [3.8, 3.8], "average 2.06": [171 / 83, 171 / 83]}


def test_long_parallelism_keeps_mean_and_maximum() -> None:
    timeline = run(NETWORKS["long"]).timeline
    axes = parallelism(timeline).axes[0]
    values, edges = steps(axes, "executing")
    assert 1 < len(values) <= MOST < timeline.finish
    assert float((values * np.diff(edges)).sum()) == pytest.approx(1500 * (3 + 5 + 1))
    assert steps(axes, "most executing")[0].max() == int(axes.texts[0].get_text().removeprefix("max "))


def test_every_picture_marks_where_a_deadlock_stands_still() -> None:
    timeline = run(NETWORKS["deadlock"], on_deadlock="return").timeline
    for figure in (gantt(timeline), occupancy(timeline), parallelism(timeline)):
        for axes in figure.axes:
            assert [line.get_xdata() for line in lines(axes, "deadlock")] == [[timeline.stopped] * 2]
            assert axes.get_xlim()[1] > timeline.stopped
        assert f"deadlock: stands still from cycle {timeline.stopped}" in figure.get_suptitle()
    finished = run(NETWORKS["predictor"]).timeline
    assert not lines(gantt(finished).axes[0], "deadlock")


# -- network ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_no_text_of_a_twenty_process_network_covers_another(seed: int) -> None:
    network = random_network(seed)
    figure = draw_network(network)
    renderer = drawn(figure)
    axes = figure.axes[0]
    boxes = [(text.get_text(), text.get_window_extent(renderer).shrunk(0.98, 0.7)) for text in axes.texts]
    overlaps = [(one[0], other[0]) for one, other in combinations(boxes, 2) if one[1].overlaps(other[1])]
    assert overlaps == []
    said = [text.get_text() for text in axes.texts]
    names = [process.name for process in network.processes] + [channel.name for channel in network.channels]
    assert {name: said.count(name) for name in names} == dict.fromkeys(names, 1)
    frame = figure.bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 <= frame.y1 for _, box in boxes)


def test_initial_tokens_are_dots_and_many_of_them_a_number() -> None:
    channels = [Channel(name=f"c{n}", source="a", target="b", initial=n, depth=n + 1) for n in (0, 1, 3)]
    many = Channel(name="many", source="a", target="b", initial=40)
    network = Network(
        processes=[Process(name="a", firings=9), Process(name="b", firings=9)], channels=[*channels, many]
    )
    axes = draw_network(network.checked()).axes[0]
    assert sum(isinstance(patch, Circle) for patch in axes.patches) == 0 + 1 + 3
    assert "●40" in [text.get_text() for text in axes.texts]


def test_after_a_run_the_largest_occupancy_is_told() -> None:
    result = run(fork_join(firings=20, short_depth=6, long_depth=9))
    said = [text.get_text() for text in draw_network(result.network, run=result).axes[0].texts]
    for channel in result.network.channels:
        most = max_occupancy(result.timeline, channel.name)
        assert f"IOM− · depth {channel.depth} · max {most}" in said


def test_what_waits_in_a_circle_is_red_and_nothing_else() -> None:
    network = fork_join(firings=20, short_depth=2, style="frozen")
    beside = Network(
        processes=[*network.processes, Process(name="beside", firings=1)], channels=network.channels
    ).checked()
    result = run(beside, on_deadlock="return")
    assert result.deadlock is not None
    axes = draw_network(beside, run=result).axes[0]
    # The last box is a sign of the key.
    boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch) and patch.get_zorder() == 6]
    red = [
        name
        for name, patch in zip([process.name for process in beside.processes], boxes, strict=True)
        if to_hex(patch.get_edgecolor()).upper() == ALARM
    ]
    assert sorted(red) == sorted({wait.process for wait in result.deadlock.cycle})
    lines_of = [text.get_text() for text in axes.texts]
    for wait in result.deadlock.cycle:  # what is held there, not the most that ever was
        assert lines_of[lines_of.index(wait.channel) + 1].endswith(f"holds {wait.occupancy}")


def test_columns_follow_the_channels_and_feedback_runs_backward() -> None:
    network = random_network(1)
    layers = layered(network)
    column = {place.name: place.column for line in layers.columns for place in line if not place.channel}
    backward = set()
    for channel in network.channels:
        if column[channel.source] > column[channel.target]:
            backward.add(channel.name)
        else:
            assert channel.source == channel.target or column[channel.source] < column[channel.target]
    assert backward == layers.backward == {"feedback"}


def test_an_order_that_crosses_is_turned() -> None:
    channels = [Channel(name="aY", source="a", target="Y"), Channel(name="bX", source="b", target="X")]
    network = Network(processes=[Process(name=name, firings=1) for name in ("a", "b", "X", "Y")], channels=channels)
    first, middle, last = layered(network.checked()).columns
    assert [place.name for place in middle] == [
        f"{one.name}{other.name}" for one, other in zip(first, last, strict=True)
    ]


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(1, 30)), min_size=1, max_size=8))
def test_places_of_a_column_keep_their_gaps_and_their_centre(wanted: list[tuple[float, float]]) -> None:
    column = tuple(Slot(True, str(number), 1) for number in range(len(wanted)))
    extents = {place: Extent(1, size, size) for place, (_, size) in zip(column, wanted, strict=True)}
    heights = separated([height for height, _ in wanted], column, extents, [1.0] * len(column))
    for lower, upper, below, above in zip(column, column[1:], heights, heights[1:], strict=False):
        assert above - below >= extents[lower].above + extents[upper].below
    # Least squares moves things apart, but never all of them to one side.
    assert sum(heights) == pytest.approx(sum(height for height, _ in wanted), abs=1e-6)


def test_a_long_chain_wraps_and_stays_straight_in_each_band() -> None:
    network = chain(firings=4, length=12, depth=2)
    boxes = {process.name: Extent(100, 20, 20) for process in network.processes}
    there = layout(network, boxes, {channel.name: Extent(60, 10, 10) for channel in network.channels}, within=780.0)
    rows: dict[float, list[float]] = {}
    for x, y in there.boxes.values():
        rows.setdefault(y, []).append(x)
    assert len(rows) == 4 and all(row == sorted(row) for row in rows.values())
    assert list(rows) == sorted(rows, reverse=True)  # from top to bottom
    assert there.right - there.left <= 780 + 2 * 40
    turning = {name for name, turns in there.turns.items() if turns}
    assert turning == {"c2", "c5", "c8"}
    for name in turning:
        (turn,) = there.turns[name]
        above, below = there.labels[name][1], there.boxes[network.channel(name).target][1]
        assert below + 20 < turn.lane < above - 10


def test_a_channel_keeps_its_colour_whatever_it_costs() -> None:
    colours = []
    for depth in (2, 40):
        network = fork_join(firings=20, short_depth=depth)
        figure = gantt(run(network).timeline)
        handles = {
            text.get_text(): patch
            for text, patch in zip(figure.legends[0].get_texts(), figure.legends[0].get_patches(), strict=True)
        }
        colours.append(
            {
                words.split(" (")[0].split()[-1]: patch.get_facecolor()
                for words, patch in handles.items()
                if " on " in words
            }
        )
    shared = set(colours[0]) & set(colours[1])
    assert shared and all(colours[0][name] == colours[1][name] for name in shared)


# -- dot -------------------------------------------------------------------------------------------------------------

_NAME = r'"((?:[^"\\]|\\.)*)"'


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def test_dot_names_come_back_from_a_parser_whatever_they_hold() -> None:
    names = ['say "a"', "back\\slash", "ends\\", "x -> y; z", "[label]", "\\N"]
    network = Network(
        processes=[Process(name=name, firings=2) for name in names],
        channels=[Channel(name=f"{a}|{b}", source=a, target=b) for a, b in combinations(names, 2)],
    ).checked()
    text = dot(network)
    nodes = re.findall(rf"^  {_NAME} \[label={_NAME}", text, re.MULTILINE)
    edges = re.findall(rf"^  {_NAME} -> {_NAME} \[id={_NAME}", text, re.MULTILINE)
    assert [_unescaped(node) for node, _ in nodes] == names
    assert [_unescaped(label.split("\\n2 firings")[0]) for _, label in nodes] == names
    expected = [(channel.source, channel.target, channel.name) for channel in network.channels]
    assert [tuple(map(_unescaped, edge)) for edge in edges] == expected
    rest = re.sub(_NAME, "", text)
    assert (rest.count("{"), rest.count("}"), rest.count('"')) == (1, 1, 0)


# -- files -----------------------------------------------------------------------------------------------------------


def test_an_unknown_suffix_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "net.pgn"
    message = f"picture '{path}': suffix '.pgn' is not a format that is drawn (did you mean 'png'?)"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        save(Figure(), path)
    assert list(tmp_path.iterdir()) == []


def test_a_name_with_dollar_signs_is_no_formula(tmp_path: Path) -> None:
    network = Network(
        name="$x_1$",
        processes=[Process(name="$a_$", firings=2), Process(name="b$\\", firings=2)],
        channels=[Channel(name="$\\frac$", source="$a_$", target="b$\\", depth=1)],
    ).checked()
    result = run(network)
    for figure in (gantt(result.timeline), occupancy(result.timeline), draw_network(network, run=result)):
        save(figure, tmp_path / "picture.png")
        texts = [text for text in figure.findobj(Text) if "$" in text.get_text() and text.get_visible()]
        assert texts
        assert not any(text.get_parse_math() for text in texts)


def test_every_picture_of_every_network_can_be_saved(ran: Run, tmp_path: Path) -> None:
    timeline: Timeline = ran.timeline
    before = dict(mpl.rcParams)
    pictures = (gantt(timeline), occupancy(timeline), parallelism(timeline), draw_network(ran.network, run=ran))
    for number, figure in enumerate(pictures):
        path = save(figure, tmp_path / f"{number}.png", dpi=40)
        assert path.read_bytes().startswith(b"\x89PNG")
    assert dict(mpl.rcParams) == before


_DRAW = """
import hashlib, sys
from pathlib import Path
from ppnsim.engines.run import run
from ppnsim.model.builders import fork_join
from ppnsim.plots.dot import dot
from ppnsim.plots.gantt import gantt, legend_of, looks_of
from ppnsim.plots.network import draw_network
from ppnsim.plots.occupancy import occupancy
from ppnsim.plots.parallelism import parallelism
from ppnsim.plots.save import save

result = run(fork_join(firings=30, short_depth=3))
print(hashlib.sha256(dot(result.network).encode()).hexdigest())
drawn = (gantt, occupancy, parallelism, lambda timeline: draw_network(result.network, run=result))
for picture, suffixes in zip(drawn, (("svg", "pdf", "png"), ("svg",), ("svg",), ("svg",))):
    for suffix in suffixes:
        path = save(picture(result.timeline), Path(sys.argv[1]) / f"picture.{suffix}", dpi=50)
        print(hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_files_are_the_same_bytes_for_every_hash_seed_and_pyplot_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # than that of this process
    done = subprocess.run(
        [sys.executable, "-c", f'{_DRAW}assert "matplotlib.pyplot" not in sys.modules', str(tmp_path)],
        capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": other}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    monkeypatch.setattr(sys, "argv", ["-c", str(tmp_path)])
    exec(_DRAW, {})
    here, there = capsys.readouterr().out.split(), done.stdout.split()
    assert len(here) == 1 + 4 + 2
    assert here == there


@pytest.mark.parametrize(
    ("depth", "initial", "one"), [(8, 0, False), (9, 0, True), (None, 3, False), (None, 4, True), (1, 1, False)]
)
def test_a_fifo_of_up_to_eight_tokens_is_drawn_cell_by_cell(depth: int | None, initial: int, one: bool) -> None:
    assert _one_cell(Channel(name="c", source="a", target="b", depth=depth, initial=initial)) is one


@pytest.mark.parametrize(
    ("depth", "initial", "walls"), [(2, 0, 3), (8, 0, 9), (9, 0, 2), (None, 0, 3), (None, 4, 1)]
)  # fmt: skip
def test_a_fifo_has_a_wall_between_cells_and_none_where_tokens_enter_an_unbounded_one(
    depth: int | None, initial: int, walls: int
) -> None:
    channel = Channel(name="c", source="a", target="b", depth=depth, initial=initial)
    for entry in (-1, 1):
        axes = Figure().add_subplot()
        draw_fifo(axes, channel, at=(100.0, 50.0), entry=entry, colour=INK, most=None)
        (sign,) = axes.collections
        drawn = [np.asarray(path.vertices).tolist() for path in sign.get_paths()]
        upright = sorted(x for (x, _), (to, _) in drawn if x == to)
        cells, width = (4 if walls < 3 else depth or 3), fifo_width(channel)
        assert width == 9.0 * cells
        ends = [100 - width / 2 + number * 9.0 for number in range(cells + 1)]
        inner = ends if walls > 2 else [ends[0], ends[-1]]
        open_at = [] if depth is not None else [100 + entry * width / 2]
        assert upright == [each for each in inner if each not in open_at]
        assert len(upright) == walls
        assert sorted(y for (_, y), (_, to) in drawn if y == to) == [42.0, 58.0]


@pytest.mark.parametrize(("depth", "most", "share"), [(4, 1, 0.25), (4, 4, 1.0), (None, 1, 1 / 3), (None, 7, 1.0)])
def test_what_was_used_of_a_fifo_is_shaded_from_where_tokens_leave(depth: int | None, most: int, share: float) -> None:
    channel = Channel(name="c", source="a", target="b", depth=depth)
    axes = Figure().add_subplot()
    draw_fifo(axes, channel, at=(100.0, 50.0), entry=-1, colour=INK, most=most)
    _, used = axes.patches
    width = fifo_width(channel)
    assert isinstance(used, Rectangle)
    assert used.get_x() == 100 + width / 2
    assert used.get_width() == pytest.approx(-share * width)


def test_corners_are_rounded_by_seven_points_and_short_ways_by_half() -> None:
    assert _towards((0.0, 0.0), (0.0, 64.0)) == (0.0, 7.0)
    assert _towards((5.0, 5.0), (-59.0, 5.0)) == (-2.0, 5.0)
    assert _towards((0.0, 0.0), (10.0, 0.0)) == (5.0, 0.0)
    assert _towards((3.0, 4.0), (3.0, 4.0)) == (3.0, 4.0)


def test_channels_turn_in_lanes_between_the_bands() -> None:
    size = Extent(100, 20, 20)
    network = chain(firings=4, length=4)
    boxes, labels = ({each.name: size for each in parts} for parts in (network.processes, network.channels))
    there = layout(network, boxes, labels, within=700)
    (turn,) = (turn for turns in there.turns.values() for turn in turns)
    first, last = there.boxes["p0"][1], there.boxes["p3"][1]
    # The lane is 17 points below the boxes of the first band, and 9 and 17 above those of the second one.
    assert (first - 20 - turn.lane, turn.lane - (last + 20)) == pytest.approx((17.0, 26.0))
    assert (there.left, there.right) == (turn.left, turn.right) == (-27.0, there.right)


def test_tokens_are_counted_in_whole_numbers() -> None:
    axes = occupancy(run(chain(firings=9, length=2)).timeline).axes[0]
    numbers = [each for each in said_of(axes) if each[0].isdigit()]
    assert len(numbers) > 1 and all(each.isdigit() for each in numbers)


def test_a_text_that_is_verbatim_has_no_formulas() -> None:
    one, other = (Figure().text(0, 0, "$a_1$") for _ in range(2))
    assert one.get_parse_math()
    verbatim(one, other)
    assert (one.get_parse_math(), other.get_parse_math()) == (False, False)


def test_the_legend_of_scheduled_tasks_lists_no_reads() -> None:
    task = Process.scheduled(name="a", steps=4, runs=2)
    figure = gantt(run(Network(processes=[task], channels=[])).timeline)
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "executes" in words
    assert not [each for each in words if "reads" in each or "held up" in each]


@pytest.mark.parametrize("window", [None, (3, 20)])
def test_a_scheduled_task_is_a_bar_for_each_time_that_it_moves_without_a_stop(window: tuple[int, int] | None) -> None:
    writes, reads = StepList.of([0, 1, 5]), StepList.of([0, 0, 3])
    tasks = [
        Process.scheduled(name="p", steps=6, runs=4, start_steps=writes),
        Process.scheduled(name="c", steps=9, runs=4, start_steps=StepList.of([0, 7])),
    ]
    channel = Channel(name="x", source="p", target="c", depth=2, write_steps=writes, read_steps=reads)
    timeline = run(Network(processes=tasks, channels=[channel])).timeline
    axes = gantt(timeline, window=window).axes[0]
    for name in ("p", "c"):
        begin, end = moves(timeline, name, timeline.network.stops[name])
        moved = sorted({cycle for first, last in zip(begin, end, strict=True) for cycle in range(first, last)})
        heads = [cycle for cycle in moved if cycle - 1 not in moved]
        tails = [cycle + 1 for cycle in moved if cycle + 1 not in moved]
        first, last = window or (0, timeline.stopped)
        seen = [(a, b) for a, b in zip(heads, tails, strict=True) if a < last and b > first]
        assert spans(axes, f"executions of {name}") == seen and len(heads) > 1


def test_many_hatched_rectangles_are_one_path_with_the_same_dots() -> None:
    figures = []
    for count in (1, 60):  # one rectangle, and the same one in sixty pieces
        figure = Figure(figsize=(3, 2))
        axes = figure.add_subplot()
        axes.set_xlim(0, 60)
        left = np.linspace(0, 60, count, endpoint=False)
        low, high = np.full(count, 0.25), np.full(count, 0.75)
        drawn = rectangles(
            axes, left, left + 60 / count, low, high, facecolor="w", edgecolor="k", linewidth=0, hatch="//"
        )
        assert len(boxes_of(drawn)) == count
        figure.savefig(buffer := BytesIO(), format="raw")
        figures.append(np.frombuffer(buffer.getvalue(), dtype=np.uint8))
    assert np.count_nonzero(figures[0] != figures[1]) < 0.001 * len(figures[0])


@given(st.data())
def test_classes_of_a_window_are_counted_as_cycle_by_cycle(data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=30), label="class of each cycle")
    told = np.flatnonzero(np.diff(codes, prepend=-1))
    labels: tuple[tuple[str, None], ...] = (("starting", None), ("done", None), ("ii", None))
    classes = CycleClasses(np.append(told, len(codes)), np.array(codes, dtype=np.int16)[told], labels)
    edges = sorted(data.draw(st.sets(st.integers(0, len(codes)), min_size=2), label="edges"))
    naive = [[codes[first:last].count(code) for code in range(3)] for first, last in pairwise(edges)]
    assert spent(classes, np.array(edges)).tolist() == naive
    shuffled = data.draw(st.permutations(edges))
    assert classes.before(np.array(shuffled))[:, 0].tolist() == [codes[:each].count(0) for each in shuffled]


def test_tokens_in_a_window_are_those_of_the_whole_curve() -> None:
    timeline = run(fork_join(firings=30, short_depth=3)).timeline
    for channel in timeline.network.channels:
        whole = dict(zip(*(part.tolist() for part in occupancy_curve(timeline, channel.name)), strict=True))
        for window in ((0, 5), (11, 40), (20, 21), (timeline.stopped - 3, timeline.stopped)):
            cycles, tokens = occupancy_curve(timeline, channel.name, window)
            now = {max(each, window[0]): value for each, value in whole.items() if each < window[1]}
            assert dict(zip(cycles.tolist(), tokens.tolist(), strict=True)) == {
                each: value for each, value in now.items() if each >= window[0]
            }


def test_rates_stand_in_the_drawing_and_the_key_says_what_they_are() -> None:
    graph = sdf(
        {"a": 2, "b": 3}, {"c": ("a", 2, 1, "b", 0), "d": ("a", (1, 0), "5 x 1", "b", 9)}, firings={"a": 4, "b": 8}
    )
    texts = [text.get_text() for text in draw_network(graph).axes[0].texts]
    assert {"IOM− · 2:1 · unbounded", "IOM− · (1, 0):5/5 · unbounded · 9 initial"} <= set(texts)
    assert texts.count("tokens written:read per firing") == 1
    plain = [text.get_text() for text in draw_network(fork_join(firings=4)).axes[0].texts]
    assert "tokens written:read per firing" not in plain


def test_the_marked_channel_tells_its_cycles_as_the_finish_is_told() -> None:
    network = fork_join(firings=4000, short_depth=3)
    said = [text.get_text() for text in draw_network(network, run=run(network)).axes[0].texts]
    (marked,) = (words for words in said if words.startswith("marked: "))
    assert re.search(r"is full for \d,\d{3} cycles of \w+$", marked)


def test_a_full_fifo_that_costs_nothing_is_not_marked() -> None:
    lossless = fork_join(firings=20, short_depth=3).with_depths({"short_out": 13})
    slow = chain(firings=40, length=2, ii=(1, 2), depth=2)  # c0 is full for 37 cycles, and the slow process never waits
    for network in (lossless, slow):
        said = [text.get_text() for text in draw_network(network, run=run(network)).axes[0].texts]
        assert not [words for words in said if words.startswith("marked: ")]


@pytest.mark.parametrize(
    ("cycles", "words"),
    [
        (200, ["executes", "reads or writes", "held up in the pipeline"]),
        (201, ["executes", "reads, writes or held up"]),
        (800, ["executes", "reads, writes or held up"]),
        (801, ["executes"]),
    ],
)
def test_the_legend_of_firings_is_that_of_the_cycles_in_view(cycles: int, words: list[str]) -> None:
    """Single stages have shades up to 200 cycles, single firings are drawn up to 800."""
    slow = Process(name="slow", firings=900, ii=3, latency=2)
    fast = Process(name="fast", firings=900, latency=4)
    channel = Channel(name="c", source="fast", target="slow", depth=1)
    timeline = run(Network(processes=[fast, slow], channels=[channel]).checked()).timeline
    for begin in (0, 100):
        told = [text.get_text() for text in gantt(timeline, window=(begin, begin + cycles)).legends[0].get_texts()]
        assert [each for each in told if each in _OF_FIRINGS] == words


@pytest.mark.parametrize(("window", "fits"), [((0, 160), True), ((600, 840), False)])
def test_bars_have_their_numbers_where_each_of_them_has_room(window: tuple[int, int], fits: bool) -> None:
    """In bars of one width, numbers of two figures fit and those of three do not."""
    figure = gantt(run(chain(firings=300, ii=3, latency=3, length=1)).timeline, window=window)
    axes, renderer = figure.axes[0], drawn(figure)
    numbers = [each for each in axes.texts if each.get_text().isdigit()]
    assert bool(numbers) == fits
    for each in numbers:
        left, right = 3 * int(each.get_text()), 3 * int(each.get_text()) + 3
        assert each.get_position()[0] == (left + right) / 2
        words = each.get_window_extent(renderer)
        inside = axes.transData.transform([(left, 0), (right, 0)])[:, 0]
        assert inside[0] < words.x0 < words.x1 < inside[1]


_OF_FIRINGS = ("executes", "reads or writes", "held up in the pipeline", "reads, writes or held up")


@pytest.mark.parametrize("interval", [(1, 3, 1), (2, 5, 2), (1, 1, 1)])
def test_equal_firings_of_a_long_run_have_one_height(interval: tuple[int, int, int]) -> None:
    # Columns of 4 cycles had 1 or 2 of the starts of every third cycle, by turns.
    timeline = run(chain(firings=3000, ii=interval, latency=1)).timeline
    (axes,) = gantt(timeline).axes
    for patch in axes.patches:
        if isinstance(patch, StepPatch):
            heights, edges, _ = patch.get_data()
            middle = (edges[:-1] > timeline.finish * 0.2) & (edges[1:] < timeline.finish * 0.8)
            assert not middle.any()  # one step from the first firings to the last ones
            assert len(heights) <= 8


_AXES = Figure().add_axes((0, 0, 1, 1))  # to make one takes longer than all else of an example


@given(st.lists(st.integers(0, 2), min_size=1, max_size=9), st.booleans())
def test_steps_of_equal_height_are_one_and_cover_the_same(values: list[int], banded: bool) -> None:
    low = np.array(values) // 2 if banded else 0
    stairs(_AXES, np.array(values), np.arange(len(values) + 1), baseline=low, color="k")
    (patch,) = _AXES.patches
    patch.remove()
    assert isinstance(patch, StepPatch)
    tops, edges, lows = patch.get_data()
    widths = np.diff(edges).astype(int)
    assert np.repeat(tops, widths).tolist() == values
    assert np.repeat(np.broadcast_to(lows, len(tops)), widths).tolist() == np.broadcast_to(low, len(values)).tolist()
    assert all(one != two for one, two in pairwise(zip(tops, np.broadcast_to(lows, len(tops)), strict=True)))


def test_causes_without_a_colour_of_their_own_are_one_entry_of_the_legend() -> None:
    many = Counter[tuple[str, str | None]]({("starved", f"c{k}"): 100 - k for k in range(60)})
    many |= {("blocked", "c13"): 5, ("ii", None): 7}
    network = Network(
        processes=[Process(name=name, firings=1) for name in "ab"],
        channels=[Channel(name=f"c{k}", source="a", target="b") for k in range(60)],
    ).checked()
    looks = looks_of(many, network)
    grey = sum(count for label, count in many.items() if looks[label]["facecolor"] == OTHER)
    told = [str(each.get_label()) for each in legend_of(many, looks)]
    assert grey > 0
    assert told[-2:] == [f"other causes ({grey:,})", "between two starts"]
    assert [words for words in told if words.startswith("starved on c0 ")] == ["starved on c0 (100)"]
    assert len(told) == 2 + sum(looks[label]["facecolor"] != OTHER for label in many if label[1] is not None)
