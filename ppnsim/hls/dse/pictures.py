"""The walk of an exploration over area and latency (Siracusa et al. 2021, Fig. 10)."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from ppnsim.hls.dse.loops import Evaluated
from ppnsim.hls.dse.walk import Exploration
from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim


def dse_figure(name: str, walk: Exploration, front: Sequence[Evaluated]) -> Figure:
    """Return the walk through the designs of a kernel: its steps in their order, the front, and the best design.

    Examples
    --------
    >>> from ppnsim.hls.dse.walk import WalkStep
    >>> design = Evaluated(levels={}, partitions={}, cycles=100, loops={}, area={"lut": 0.1})
    >>> walk = Exploration(plain=design, steps=(WalkStep(design=design, what="no directives"),), final=design)
    >>> dse_figure("k", walk, [design]).axes[0].get_xlabel()
    'area of the scarcest resource [%]'
    """
    figure = breathing(Figure(figsize=(SLIDE * 0.75, 6.5), layout="constrained", facecolor=PAPER))
    axes = figure.add_subplot()
    fitting = [step.design for step in walk.steps if step.design.fits]
    axes.plot([100 * d.share for d in fitting], [d.cycles for d in fitting], "o-", color=FAINT,
              markersize=5, linewidth=1.1, label="steps")  # fmt: skip
    best = sorted(front, key=lambda each: each.share)
    axes.step([100 * d.share for d in best], [d.cycles for d in best], where="post", color=PALETTE[1],
              linewidth=2, label="front")  # fmt: skip
    axes.plot(100 * walk.best.share, walk.best.cycles, "*", color=PALETTE[3], markersize=17, label="best", zorder=5)
    axes.set_yscale("log")
    axes.set_xlabel("area of the scarcest resource [%]", size=LABEL, color=INK)
    axes.set_ylabel("cycles", size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=SMALL, frameon=False)
    title = f"{shortened(name, 50)} · exploration of directives"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK))
    return figure
