"""The page of a platform: its simulation beside the equations, term by term, and who did what over time."""

from __future__ import annotations

from typing import Any

from ppnsim.export.window import seconds_in
from ppnsim.page.large import data_uri
from ppnsim.page.sections import Origin, provenance, section
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.stages import Application
from ppnsim.platform.model.system import System
from ppnsim.platform.report.application import seconds
from ppnsim.platform.run.record import PlatformRun, shares


def platform_told(
    system: System, application: Application, outcome: PlatformRun, *, origin: Origin, window: str | None = None
) -> dict[str, Any]:
    """Return a platform's run as one entry of a page; its times do not depend on sliders, so there are none."""
    from ppnsim.platform.pictures.time import platform_gantt  # matplotlib takes a while to import

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
    picture = {"title": "Over time", "picture": data_uri(platform_gantt(outcome, title=system.name, window=view))}
    return {
        "name": system.name, "answer": f"makespan {seconds(outcome.makespan)}", "deadlock": False, "engine": "des",
        "sections": [terms, picture, parts, provenance(origin, engine="des")], "fallback": [terms, parts],
    }  # fmt: skip
