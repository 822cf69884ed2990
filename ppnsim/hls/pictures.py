"""Figures: a loop body over the states of an iteration, tasks over time, and a walk through designs.

The last one is drawn as in Siracusa et al. 2021, Fig. 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import LogFormatter, StrMethodFormatter

from ppnsim.hls.dse.loops import Evaluated
from ppnsim.hls.dse.walk import Exploration
from ppnsim.hls.graph.graph import GraphNode
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.model.run import Run
from ppnsim.plots.axis import breathing
from ppnsim.plots.gantt import gantt
from ppnsim.plots.style import FAINT, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_MOST = 60  # most rows; larger bodies show only their first operations
_COLOURS = {"load": PALETTE[2], "store": PALETTE[3], "op": PALETTE[4], "phi": PALETTE[5]}
_WORDS = {"load": "load", "store": "store", "op": "operation", "phi": "from the iteration before"}
_HEIGHT = 0.72


def tasks_gantt(outcome: Run, *, window: tuple[int, int] | None = None) -> Figure:
    """Return a figure of the tasks of dataflow regions over time, with what they wait for, in all or some cycles."""
    return gantt(outcome.timeline, window=window)


def body_gantt(nest: ScheduledNest, *, title: str, budget: float) -> Figure:
    """Return a figure of a loop body's operations over its states; chained operations share a state's width.

    Parameters
    ----------
    nest : a pipelined loop.
    budget : nanoseconds of a state that logic may take; the width of a state stands for them.
    """
    schedule = nest.body.schedule
    rows = [node for node in nest.body.graph.nodes if _drawn(node)]
    rows.sort(key=lambda node: (schedule.issue[node.index], node.index))
    shown = rows[:_MOST]
    figure = Figure(figsize=(SLIDE, max(3.0, 1.6 + 0.27 * len(shown))), layout="constrained")
    axes = figure.subplots()
    last = 0.0  # the right end of all bars
    for row, node in enumerate(shown):
        start, end = _span(node, schedule.issue[node.index], schedule.result[node.index], budget)
        corner, last = row - _HEIGHT / 2, max(last, end)
        axes.add_patch(Rectangle((start, corner), end - start, _HEIGHT, color=_COLOURS[node.kind], linewidth=0))
        axes.add_patch(Rectangle((start + schedule.ii, corner), end - start, _HEIGHT, fill=False, edgecolor=FAINT))
    axes.set_yticks(range(len(shown)), [shortened(_label(node)) for node in shown], fontsize=SMALL)
    verbatim(*axes.get_yticklabels())
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(0, ceil(last) + schedule.ii)
    axes.set_xlabel("state of the iteration", fontsize=LABEL)
    axes.grid(axis="x", color=FAINT, linewidth=0.3)
    more = f"; first {_MOST} of {len(rows)} operations" if len(rows) > _MOST else ""
    words = f"{title}: II {schedule.ii}, depth {nest.body.depth}{more}"
    verbatim(axes.set_title(words, fontsize=TITLE, color=INK, loc="left"))
    kinds = [kind for kind in _COLOURS if any(node.kind == kind for node in shown)]
    handles = [Patch(color=_COLOURS[kind], label=_WORDS[kind]) for kind in kinds]
    handles.append(Patch(facecolor=PAPER, edgecolor=FAINT, label="the next iteration"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=SMALL, frameon=False)
    return figure


def _drawn(node: GraphNode) -> bool:
    """Return whether a node is drawn: wires between formats are not."""
    return node.kind in _COLOURS and (node.kind != "op" or bool(node.delay or node.states))


def _span(node: GraphNode, issue: tuple[int, float], result: tuple[int, float], budget: float) -> tuple[float, float]:
    start = issue[0] + min(1.0, issue[1] / budget)
    if node.kind in ("store", "phi"):
        return start, issue[0] + 1.0
    return start, max(result[0] + min(1.0, result[1] / budget), start + 0.08)


def _label(node: GraphNode) -> str:
    if node.kind != "op":
        return f"{node.kind} {node.name}"
    what = f"{node.format.family} {node.format.bits}" if node.access is None else str(node.access.array)
    return f"{node.name} {what}"


def dse_figure(name: str, walk: Exploration, front: Sequence[Evaluated]) -> Figure:
    """Return a figure of the walk through the designs of a kernel: its steps in order, the front, and the best design.

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
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(1, 0.5)))
    axes.set_xlabel("area of the scarcest resource [%]", size=LABEL, color=INK)
    axes.set_ylabel("cycles", size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=SMALL, frameon=False)
    title = f"{shortened(name, 50)} · exploration of directives"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK))
    return figure
