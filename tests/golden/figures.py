"""Pictures that no command of the list draws, each of figures made up for it: all their branches, artist for artist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.figure import Figure

from ppnsim.analysis.path.critical_path import critical_path
from ppnsim.comparison.model import ComparedPoint, Comparison, ModelComparison
from ppnsim.comparison.pictures.lines import comparison_figure
from ppnsim.derive.designs.pictures import design_space
from ppnsim.engines.run import run
from ppnsim.explore.explain.pictures import path_figure
from ppnsim.explore.sweep.pictures import sweep_figure
from ppnsim.model.builders import chain
from ppnsim.model.network import Channel, Network, Process
from tests.golden.artists import artists

_SPACE: dict[str, Any] = {
    "start": (2, 90), "unbounded": (40, 30), "bound": 45, "points": [(2, 90), (3, 80), (4, 50)],
    "walk": [(2, 90), (3, 80), (4, 50)], "front": [(2, 90), (4, 50)], "rules": {"cut": (8, 60), "merge": (2, 95)},
    "busy": 300,
}  # fmt: skip


def _compared(
    axes: Mapping[str, Sequence[Any]], *, models: int = 1, simulated: bool = True, series: Sequence[str] = ("",),
    stuck: bool = False,
) -> Figure:  # fmt: skip
    """Return the picture of models whose errors differ, over every combination; the last point, or all, deadlock."""
    places: list[dict[str, Any]] = [{}]
    for name, values in axes.items():
        places = [place | {name: value} for place in places for value in values]
    made, ends = [], 0 if stuck or not simulated else max(1, len(places) - 1)
    for number in range(models):
        points = tuple(
            ComparedPoint(
                values=place, series=each, predicted=100.0 + 7 * at - 3 * number * at if at % 5 < 4 else None,
                simulated=90.0 + 8 * at + len(each) if at < ends else None,
            )
            for each in series for at, place in enumerate(places)
        )  # fmt: skip
        made.append(ModelComparison(model=f"model {number}", assumes="", points=points, regime="", worst=None))
    known = {name: tuple(values) for name, values in axes.items()}
    found = Comparison(
        source="a/net.toml", kind="a network", quantity="finish", unit="cycles", axes=known, models=tuple(made),
        tolerance=0.07, simulated=simulated,
    )  # fmt: skip
    return comparison_figure(found)


def _swept(axes: Mapping[str, Sequence[Any]], finish: Callable[[int], float | None], name: str = "finish") -> Figure:
    places: list[dict[str, Any]] = [{}]
    for axis, values in axes.items():
        places = [place | {axis: value} for place in places for value in values]
    return sweep_figure("net", axes, [place | {name: finish(at)} for at, place in enumerate(places)])


def _long_path() -> Figure:
    """Return a path with more shares than colours."""
    processes = [Process(name=f"stage_{k}", firings=2, latency=3 + 2 * k) for k in range(11)]
    channels = [Channel(name=f"c{k}", source=f"stage_{k}", target=f"stage_{k + 1}") for k in range(10)]
    return path_figure(critical_path(run(Network(processes=processes, channels=channels).checked()).timeline))


_FIGURES: dict[str, Callable[[], Figure]] = {
    "figure_compared": partial(_compared, {"n": (4, 8, 16)}, models=3),
    "figure_compared_lines": partial(_compared, {"n": (1, 2, 3, 4), "mode": ("a", "b")}, models=2, series=("x", "yy")),
    "figure_compared_five": partial(_compared, {"n": range(1, 7), "k": range(5)}),
    "figure_compared_six": partial(_compared, {"n": range(1, 8), "k": range(6)}, models=2),
    "figure_compared_words": partial(_compared, {"k": [f"word {n}" for n in range(17)]}),
    "figure_compared_truth": partial(_compared, {"on": (False, True)}),
    "figure_compared_one": partial(_compared, {}, models=2, series=("", "second")),
    "figure_compared_stuck": partial(_compared, {"n": range(1, 8), "k": range(6)}, models=2, stuck=True),
    "figure_predicted": partial(_compared, {"n": (4, 8), "k": range(8)}, simulated=False),
    "figure_predicted_models": partial(_compared, {"n": (4, 8, 9)}, models=4, simulated=False),
    "figure_predicted_one": partial(_compared, {}, models=2, simulated=False),
    "figure_space": partial(design_space, "f", **_SPACE),
    "figure_space_alone": partial(design_space, "f", start=(2, 90), unbounded=(40, 0)),
    "figure_space_wide": partial(design_space, "f", **_SPACE | {"bound": 30, "front": [(2, 90), (2, 88), (200, 30)]}),
    "figure_space_rules": partial(design_space, "f", **_SPACE | {"rules": {f"r{k}": (k + 3, 50) for k in range(9)}}),
    "figure_swept": partial(_swept, {"n": (1, 2, 4), "k": ("a", "b")}, lambda at: None if at in (3, 4) else 90 - at),
    "figure_swept_seconds": partial(_swept, {"n": (1, 2, 4)}, lambda at: None if at == 1 else at * 2e-6, "finish_s"),
    "figure_swept_best": partial(_swept, {"n": (1, 2, 4), "k": (1, 2), "m": range(2, 9)}, lambda at: 500 - at**1.5),
    "figure_swept_map": partial(
        _swept, {"n": range(2, 8), "k": range(18)}, lambda at: None if at % 17 == 16 else 7.25 * at
    ),
    "figure_swept_stuck": partial(_swept, {"n": (1, 2)}, lambda _: None),
    "figure_path": lambda: path_figure(critical_path(run(chain(firings=9, length=3, latency=2, ii=5)).timeline)),
    "figure_path_long": _long_path,
}


def figures() -> list[str]:
    """Return the names of the pictures."""
    return [*_FIGURES]


def told_figure(name: str) -> str:
    """Return the artists of a picture."""
    return f"-- {name}.svg\n{artists(_FIGURES[name]())}"
