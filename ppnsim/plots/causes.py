"""Colours for where cycles went: quiet for a process that works, a colour per cause for one that waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Patch

from ppnsim.model.cycles import CycleClasses, Label
from ppnsim.plots.style import FAINT, INK, OTHER, PALETTE, shortened

Look = Mapping[str, Any]

_QUIET = {"starting": "#C4C4C4", "ii": "#DEDEDE", "draining": "#F0F0F0", "done": "#FFFFFF"}
_HATCH = {"starved": "", "blocked": "/////", "resource": "xxxx"}
_ROUNDS = ("", "..", "oo")  # the palette with dots, then with rings, when there are more causes than colours
_WORDS = {
    "starting": "a firing starts",
    "ii": "initiation interval",
    "draining": "draining",
    "done": "done",
    "starved": "starved on",
    "blocked": "blocked on",
    "resource": "waits for resource",
}


def lost_cycles(classes: Sequence[CycleClasses], view: tuple[int, int]) -> Counter[Label]:
    """Return how many cycles in view all processes together spend in each class, by (class, cause)."""
    total: Counter[Label] = Counter()
    for each in classes:
        counted = np.diff(each.before(np.array(view)), axis=0)[0].tolist()
        total.update({label: number for label, number in zip(each.labels, counted, strict=True) if number})
    return total


def looks_of(total: Mapping[Label, int]) -> dict[Label, Look]:
    """Return how each class is drawn: the causes that cost most have a colour of their own, the next ones a dotted one.

    Beyond three rounds of the palette they share a grey. A channel keeps its colour whether its consumer starves or its
    producer is blocked; the hatch tells which.
    """
    weight: Counter[tuple[bool, str]] = Counter()  # a resource may have the name of a channel
    for (kind, cause), cycles in total.items():
        if cause is not None:
            weight[kind == "resource", cause] += cycles
    colours = [(colour, dots) for dots in _ROUNDS for colour in PALETTE]
    given = dict(zip((cause for cause, _ in weight.most_common()), colours, strict=False))
    looks: dict[Label, Look] = {}
    for kind, cause in total:
        if cause is None:
            looks[kind, cause] = {"facecolor": _QUIET[kind], "edgecolor": "none", "linewidth": 0}
        else:
            colour, dots = given.get((kind == "resource", cause), (OTHER, ""))
            hatch = _HATCH[kind] + dots
            looks[kind, cause] = {"facecolor": colour, "edgecolor": INK, "linewidth": 0, "hatch": hatch}
    return looks


def legend_of(total: Mapping[Label, int], looks: Mapping[Label, Look]) -> list[Patch]:
    """Return the entries of a legend: causes by the cycles that they cost, then the classes that are not a loss."""
    causes = sorted((label for label in total if label[1] is not None), key=lambda label: -total[label])
    entries, others = [], 0
    for label in causes:
        if looks[label]["facecolor"] == OTHER:
            others += total[label]
        else:
            words = f"{_WORDS[label[0]]} {shortened(str(label[1]), 28)} ({total[label]:,})"
            entries.append(Patch(label=words, **looks[label]))
    if others:
        entries.append(Patch(label=f"other causes ({others:,})", facecolor=OTHER, edgecolor=INK, linewidth=0))
    for kind, colour in _QUIET.items():
        if (kind, None) in total:
            entries.append(Patch(label=_WORDS[kind], facecolor=colour, edgecolor=FAINT, linewidth=0.6))
    return entries
