"""The trade-off of memory against time: the Pareto front of FIFO depths, with the answers on it."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ppnsim.explore.fifo.problem import worst
from ppnsim.explore.fifo.sizing import FifoSizing
from ppnsim.plots.axis import breathing, plain
from ppnsim.plots.style import INK, LABEL, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_FRONT, _MARKED, _UNBOUNDED = "#0072B2", "#D55E00", "#CC79A7"
_FAR = 0.75  # of the dearest depths: a front that begins behind it would be a line upwards on an axis from 0
_MARKERS = ("o", "D", "s")


def sizing_front(sizing: FifoSizing, *, cost: str = "tokens") -> Figure:
    """Return the picture of a front and of the answers on it; ``cost`` names the price of a FIFO.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import fork_join
    >>> sizing = FifoSizing(problem=problem_of([fork_join(firings=20)]))
    >>> _ = sizing.run()
    >>> for text in sizing_front(sizing).legends[0].get_texts():
    ...     print(text.get_text())
    unbounded: 37 cycles
    deadlock free: 4 tokens, 92 cycles
    lossless: 19 tokens, 37 cycles
    no cheaper depths are faster
    """
    problem, found = sizing.problem, sizing.answers
    unit = {"tokens": "tokens", "bits": "bits"}.get(cost, "bits of memory blocks")
    front = [(point.cost, float(point.time)) for point in found.front]
    unbounded = float(worst(found.unbounded) or 0)
    answers = {name.replace("_", " "): (each.cost, float(each.time)) for name, each in found.found.items()}
    figure = Figure(figsize=(SLIDE, 7.0), layout="constrained", facecolor=PAPER)
    axes = breathing(figure).add_subplot()
    axes.axhline(unbounded, color=_UNBOUNDED, linewidth=1.6, label=f"unbounded: {unbounded:,g} cycles")
    for marker, (answer, place) in zip(_MARKERS, answers.items(), strict=False):
        axes.plot(
            *place, marker, color=_MARKED, fillstyle="none", markersize=13, markeredgewidth=2, linestyle="none",
            label=f"{answer}: {place[0]:,g} {unit}, {place[1]:,g} {problem.objective.unit}", zorder=3,
        )  # fmt: skip
    if front:
        x, y = zip(*front, strict=True)
        axes.step(x, y, where="post", color=_FRONT, linewidth=1.8)
        size = 5 if len(front) < 100 else 2
        axes.plot(x, y, "o", color=_FRONT, markersize=size, label="no cheaper depths are faster")
    axes.set_xlabel(f"memory of all FIFOs [{unit}]", size=LABEL, color=INK)
    axes.set_ylabel(f"{problem.objective.name} [{problem.objective.unit}]", size=LABEL, color=INK)
    axes.margins(0.08, 0.12)
    costs = [cost for cost, _ in (*front, *answers.values())]
    if costs and min(costs) < _FAR * max(costs):
        axes.set_xlim(left=0, right=1.05 * max(costs))
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, steps=[1, 2, 5, 10]))
    plain(axes, grid="both")
    figure.legend(loc="outside lower center", ncols=2, fontsize=SMALL, frameon=False, labelcolor=INK)
    title = f"{shortened(problem.networks[0].name, 60)} · FIFO sizing"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK))
    return figure
