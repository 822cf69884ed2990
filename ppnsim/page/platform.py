"""The page of a platform: its simulation beside the equations, term by term, and who did what over time."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ppnsim.export.window import seconds_in
from ppnsim.page.lanes import Area, TimeRow, lanes_svg, spans
from ppnsim.page.sections import Origin, provenance, section
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.stages import Application
from ppnsim.platform.model.system import System
from ppnsim.platform.report.application import seconds
from ppnsim.platform.report.looks import COLOURS, COLUMNS, LONGEST, STAGES, WORDS, coalesced, in_order, unit_of_seconds
from ppnsim.platform.run.record import KINDS, PlatformRun, overlapping, parts, shares


def platform_told(
    system: System, application: Application, outcome: PlatformRun, *, origin: Origin, window: str | None = None
) -> dict[str, Any]:
    """Return a platform's run as one entry of a page; its times do not depend on sliders, so there are none."""
    view = seconds_in(window, outcome.makespan)
    predicted = predict(system, application).quantities()
    why = reasons(system, application, predicted, outcome.times)
    terms = section(
        "Predicted and simulated", ["term", "predicted", "simulated", "difference", "because"],
        [
            [
                name, seconds(predicted[name]), seconds(outcome.times[name]),
                seconds(outcome.times[name] - predicted[name]),
                "; ".join(f"{seconds(each.seconds)}: {each.assumption}" for each in why[name]) or None,
            ]
            for name in predicted
            if name in outcome.times
        ],
    )  # fmt: skip
    spent = shares(outcome.spans, outcome.makespan)
    kinds = list(dict.fromkeys(kind for part in spent.values() for kind in part))
    parts = section(
        "What each part did", ["part", *kinds],
        [[part, *(seconds(took[kind]) if kind in took else None for kind in kinds)] for part, took in spent.items()],
        "kinds may overlap on a part with double buffering",
    )  # fmt: skip
    picture: dict[str, Any] = {
        "title": "Over time", "picture": _over_time(outcome, view or (Fraction(0), outcome.makespan))
    }  # fmt: skip
    if len(spent) > LONGEST:
        picture["notes"] = [f"the first {LONGEST} of {len(spent)} parts"]
    return {
        "name": system.name, "answer": f"makespan {seconds(outcome.makespan)}", "deadlock": False, "engine": "des",
        "sections": [terms, picture, parts, provenance(origin, engine="des")], "fallback": [terms, parts],
    }  # fmt: skip


def _over_time(run: PlatformRun, window: tuple[Fraction, Fraction]) -> str:
    """Return one lane for the stages, or one for each where they overlap, and one per node, port and bus."""
    first, last = window
    unit, scale = unit_of_seconds(last)
    shown = overlapping(run.spans, first, last)
    lanes = _stages(run, scale)
    for name in in_order(parts(run.spans)):
        areas = []
        for kind in KINDS:
            own = [span for span in shown if span.where == name and span.kind == kind]
            begins, ends = (each * scale for each in coalesced(own, (last - first) / COLUMNS))
            areas += [spans(COLOURS[kind], list(zip(begins, ends, strict=True)), (0.1, 0.9))] if own else []
        lanes.append(TimeRow(name=name, areas=areas))
    seen = {span.kind for span in shown}
    legend = {WORDS.get(kind, kind): COLOURS[kind] for kind in KINDS if kind in seen}
    return lanes_svg(lanes, (float(first) * scale, float(last) * scale or 1.0), f"time [{unit}]", legend)


def _stages(run: PlatformRun, scale: float) -> list[TimeRow]:
    names = list(dict.fromkeys(each.stage for each in run.passes))
    overlap = any(before.end > after.start for before, after in pairwise(run.passes))
    found = []
    for together in [[name] for name in names] if overlap else [names] * bool(names):
        passes = [each for each in run.passes if each.stage in together]
        inside = [(float(each.start) * scale, float(each.end) * scale, each.stage) for each in passes]
        low, high = np.array([0.15]), np.array([0.85])
        areas = [
            Area(colour=STAGES[names.index(stage) % len(STAGES)], edges=np.array([begin, end]), low=low, high=high)
            for begin, end, stage in inside
        ]
        found.append(TimeRow(name="stages" if len(together) > 1 else together[0], areas=areas, inside=inside))
    return found
