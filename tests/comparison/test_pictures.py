"""Pictures of comparisons: what stands where, in which colour, and what the legend says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from ppnsim.comparison.model import ComparedPoint, Comparison, ModelComparison
from ppnsim.comparison.pictures.lines import comparison_figure
from ppnsim.errors import InputError
from ppnsim.plots.style import ALARM, INK, PALETTE

Figures = Mapping[int, tuple[float | None, float | None]]  # n -> predicted, simulated


def compared(models: Mapping[str, Figures], *, simulated: bool = True, **more: Any) -> Comparison:
    """Return a comparison along n, of the finish of "net.toml"."""
    made = []
    for name, figures in models.items():
        points = tuple(ComparedPoint(values={"n": n}, predicted=p, simulated=s) for n, (p, s) in figures.items())
        made.append(ModelComparison(model=name, assumes="", points=points, regime="", worst=None))
    (axis, *_) = ({"n": tuple(figures)} for figures in models.values())
    return Comparison(
        source="net.toml", kind="a network", quantity="finish", unit="cycles", axes=axis, models=tuple(made),
        tolerance=0.1, simulated=simulated, **more,
    )  # fmt: skip


def lines(axes: Axes) -> dict[str, tuple[list[float], list[float]]]:
    """Return the lines with points, by colour and style."""
    return {
        f"{to_hex(str(line.get_color()))} {line.get_linestyle()}": (
            np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()
        )
        for line in axes.lines if len(np.asarray(line.get_xdata())) > 1
    }  # fmt: skip


def legend(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_deadlock_is_a_cross_on_the_upper_edge() -> None:
    found = compared({"mine": {4: (90, 100), 2: (60, 50), 8: (200, None)}})
    figure = comparison_figure(found)
    above, below = figure.axes
    (crosses,) = [
        each for each in above.collections if isinstance(each, PathCollection) and len(np.asarray(each.get_offsets()))
    ]
    assert np.asarray(crosses.get_offsets()).tolist() == [[8, 1]]
    assert crosses.get_offset_transform().transform((8, 1))[1] == pytest.approx(above.bbox.y1)
    assert to_hex(tuple(np.asarray(crosses.get_facecolor())[0])) == to_hex(ALARM)
    # Along the axis, whatever the order of the points; simulated in ink, the model in its colour.
    assert lines(above) == {
        f"{to_hex(INK)} -": ([2, 4], [50, 100]), f"{to_hex(PALETTE[0])} --": ([2, 4, 8], [60, 90, 200]),
    }  # fmt: skip
    shown = lines(below)[f"{to_hex(PALETTE[0])} --"]
    assert shown[0] == [2, 4] and shown[1] == pytest.approx([0.2, -0.1])
    assert above.get_ylim()[0] == 0
    assert (above.get_ylabel(), below.get_ylabel(), below.get_xlabel()) == (
        "finish [cycles]",
        "error of the model",
        "n",
    )
    assert legend(figure) == ["simulated", "deadlock: no finish", "mine", "within 10%"]
    shown_as = [
        (to_hex(each.get_color()), each.get_linestyle(), each.get_marker())
        for each in figure.legends[0].legend_handles
        if isinstance(each, Line2D)
    ]
    assert shown_as == [(to_hex(INK), "-", "o"), (to_hex(ALARM), "None", "x"), (to_hex(PALETTE[0]), "--", "None")]
    assert figure.get_suptitle() == "net.toml · finish, predicted and simulated"
    (band,) = [each for each in below.patches if isinstance(each, Rectangle)]
    assert (band.get_y(), band.get_height()) == pytest.approx((-0.1, 0.2))


def test_without_a_simulation_there_is_one_picture_and_no_word_of_it() -> None:
    figure = comparison_figure(compared({"a": {1: (5, None), 2: (7, None)}, "b": {1: (6, None)}}, simulated=False))
    (axes,) = figure.axes
    assert lines(axes) == {f"{to_hex(PALETTE[0])} --": ([1, 2], [5, 7])}
    assert legend(figure) == ["a", "b"]
    assert figure.get_suptitle() == "net.toml · finish, predicted"
    assert axes.get_xlabel() == "n"


def test_each_model_has_its_colour_where_there_is_one_line() -> None:
    figures = {1: (5, 6), 2: (7, 8)}
    figure = comparison_figure(compared({"a": figures, "b": figures, "c": figures}))
    colours = [to_hex(PALETTE[number]) for number in range(3)]
    assert [each.split()[0] for each in lines(figure.axes[0])] == [to_hex(INK), *colours]
    assert [to_hex(str(each.get_color())) for each in figure.legends[0].legend_handles if isinstance(each, Line2D)] == [
        to_hex(INK), *colours,
    ]  # fmt: skip


def several(count: int, *, simulated: bool) -> Comparison:
    """Return a model over n = 1, 2 and as many values of k."""
    points = tuple(
        ComparedPoint(values={"n": n, "k": k}, predicted=n + k, simulated=n + k if simulated else None)
        for k in range(count) for n in range(1, count + 2)
    )  # fmt: skip
    model = ModelComparison(model="m", assumes="", points=points, regime="", worst=None)
    axes = {"n": tuple(range(1, count + 2)), "k": tuple(range(count))}
    return Comparison(
        source="s", kind="a network", quantity="q", unit="u", axes=axes, models=(model,), simulated=simulated
    )


def test_five_combinations_get_a_line_each_and_more_are_drawn_over_the_simulation() -> None:
    figure = comparison_figure(several(5, simulated=True))
    assert len(figure.axes) == 2
    assert legend(figure) == ["simulated", "m", *(f"k = {k}" for k in range(5)), "within 5%"]
    assert len({key.split()[0] for key in lines(figure.axes[0])}) == 5


def test_two_parameters_with_many_values_are_a_map_of_the_error() -> None:
    found = several(6, simulated=True)
    model = found.models[0]
    points = [replace(model.points[0], simulated=None), replace(model.points[1], predicted=6), *model.points[2:]]
    figure = comparison_figure(replace(found, models=(replace(model, points=tuple(points)),)))
    plot = figure.axes[0]
    (image,) = plot.images
    cells: Any = image.get_array()
    assert cells.filled(-1).tolist() == [[-1, 2.0, 0, 0, 0, 0, 0], *([[0] * 7] * 5)]
    assert np.asarray(plot.collections[0].get_offsets()).tolist() == [[0, 0]]
    assert plot.get_title() == "m · crossed: deadlock" and (plot.get_xlabel(), plot.get_ylabel()) == ("n", "k")


def test_predictions_alone_have_a_line_for_each_of_eight_markers() -> None:
    assert legend(comparison_figure(several(8, simulated=False)))[1:] == [f"k = {k}" for k in range(8)]
    with pytest.raises(InputError) as error:
        comparison_figure(several(9, simulated=False))
    assert str(error.value) == (
        "--plot: 9 lines are too many for predictions alone (at most 8): "
        "vary less, or draw predicted over simulated (--simulate)"
    )


@pytest.mark.parametrize(("values", "shown"), [(16, 16), (17, 9)])
def test_words_along_the_axis_are_thinned_beyond_sixteen(values: int, shown: int) -> None:
    points = tuple(ComparedPoint(values={"k": f"w{n}"}, predicted=n, simulated=n) for n in range(values))
    model = ModelComparison(model="m", assumes="", points=points, regime="", worst=None)
    axes = {"k": tuple(f"w{n}" for n in range(values))}
    found = Comparison(source="s", kind="a network", quantity="q", unit="u", axes=axes, models=(model,))
    below = comparison_figure(found).axes[1]
    names = [label.get_text() for label in below.get_xticklabels()]
    assert names == [f"w{n}" for n in range(0, values, 1 if values == 16 else 2)] and len(names) == shown


def test_where_nothing_varies_the_figures_are_bars() -> None:
    point = ComparedPoint(values={}, predicted=90, simulated=100)
    model = ModelComparison(model="m", assumes="", points=(point,), regime="", worst=None)
    found = Comparison(source="s", kind="a network", quantity="finish", unit="cycles", axes={}, models=(model,))
    (axes,) = comparison_figure(found).axes
    assert sorted(bar.get_width() for bar in axes.patches if isinstance(bar, Rectangle)) == [90, 100]
    assert axes.get_xlabel() == "finish [cycles]"


def test_predicted_over_simulated_has_a_diagonal_with_its_tolerance() -> None:
    models = []
    for name, by in (("half", 0.5), ("more", 1.25)):
        points = tuple(
            ComparedPoint(
                values={"n": n, "k": k, "z": 0}, predicted=by * (n + 8 * k), simulated=None if n == 1 else n + 8 * k
            )
            for k in range(6) for n in range(1, 8)
        )  # fmt: skip
        models.append(ModelComparison(model=name, assumes="", points=points, regime="", worst=None))
    axes: dict[str, tuple[int, ...]] = {"n": tuple(range(1, 8)), "k": tuple(range(6)), "z": (0,)}
    found = Comparison(
        source="a/s.toml", kind="a network", quantity="q", unit="u", axes=axes, models=tuple(models), tolerance=0.2
    )
    (plot,) = comparison_figure(found).axes
    assert (plot.get_xlabel(), plot.get_ylabel()) == ("simulated q [u]", "predicted [u]")
    assert (plot.get_xlim()[0], plot.get_ylim()[0]) == (0, 0)
    (diagonal,) = (np.asarray(line.get_xydata()).tolist() for line in plot.lines)
    assert diagonal == [[0, 0], [1.25 * 47, 1.25 * 47]]
    clouds = [each for each in plot.collections if isinstance(each, PathCollection)]
    offsets = [np.asarray(each.get_offsets()).tolist() for each in clouds]
    simulated = [n + 8 * k for k in range(6) for n in range(2, 8)]
    assert offsets == [[[s, by * s] for s in simulated] for by in (0.5, 1.25)]
    assert [to_hex(tuple(np.asarray(each.get_facecolor())[0])) for each in clouds] == [to_hex(c) for c in PALETTE[:2]]
    band = next(each for each in plot.collections if not isinstance(each, PathCollection))
    corners = {tuple(map(float, corner)) for corner in np.asarray(band.get_paths()[0].vertices)}
    assert {round(up / along, 6) for along, up in corners if along} == {0.8, 1.2}
    assert [text.get_text() for text in plot.get_legend().get_texts()] == ["half", "more", "exact", "within 20%"]  # type: ignore[union-attr]


def test_series_and_other_parameters_name_a_line() -> None:
    points = tuple(
        ComparedPoint(values={"n": n, "w": w}, series=series, predicted=1, simulated=1)
        for w in (True, False) for series in ("A", "B") for n in (1, 2, 3)
    )  # fmt: skip
    model = ModelComparison(model="m", assumes="", points=points, regime="", worst=None)
    axes: dict[str, tuple[int, ...]] = {"w": (True, False), "n": (1, 2, 3)}
    found = Comparison(source="s", kind="a network", quantity="q", unit="u", axes=axes, models=(model,))
    names = [f"w = {w}, {series}" for w in (True, False) for series in "AB"]
    assert legend(comparison_figure(found)) == ["simulated", "m", *names, "within 5%"]
