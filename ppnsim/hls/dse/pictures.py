"""The walk of an exploration over area and latency (Siracusa et al. 2021, Fig. 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim


def dse_figure(result: Mapping[str, Any]) -> Figure:
    """Return the walk of a result of `ppnsim dse`: its steps in their order, the front, and the best design.

    Examples
    --------
    >>> step = {"cycles": 100, "area_share": 0.1, "fits": True}
    >>> figure = dse_figure({"name": "k", "steps": [step], "front": [step], "best": step})
    >>> figure.axes[0].get_xlabel()
    'area of the scarcest resource [%]'
    """
    figure = breathing(Figure(figsize=(SLIDE * 0.75, 6.5), layout="constrained", facecolor=PAPER))
    axes = figure.add_subplot()
    fitting = [step for step in result["steps"] if step["fits"]]
    axes.plot([100 * s["area_share"] for s in fitting], [s["cycles"] for s in fitting], "o-", color=FAINT,
              markersize=5, linewidth=1.1, label="steps")  # fmt: skip
    best = sorted(result["front"], key=lambda each: each["area_share"])
    axes.step([100 * s["area_share"] for s in best], [s["cycles"] for s in best], where="post", color=PALETTE[1],
              linewidth=2, label="front")  # fmt: skip
    axes.plot(100 * result["best"]["area_share"], result["best"]["cycles"], "*", color=PALETTE[3], markersize=17,
              label="best", zorder=5)  # fmt: skip
    axes.set_yscale("log")
    axes.set_xlabel("area of the scarcest resource [%]", size=LABEL, color=INK)
    axes.set_ylabel("cycles", size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=SMALL, frameon=False)
    title = f"{shortened(result['name'], 50)} · exploration of directives"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK))
    return figure
