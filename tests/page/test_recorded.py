"""What pages are told, number for number: drawings, models for their engine, and every table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from ppnsim.engines.run import run
from ppnsim.files import load_as
from ppnsim.formats.shipped import directory
from ppnsim.model.builders import chain, fork_join, predictor
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import StepList
from ppnsim.page import build, large
from ppnsim.page.build import told_of
from ppnsim.page.placed import placed_told
from ppnsim.page.platform import platform_told
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.run.application import run_platform
from tests.golden.records import unlike
from validation.ratss.examples import image_filter

_ENDS = {"x": (0, 1, 0), "own": (0, 0, 1), "own2": (0, 0, 3), "y": (1, 2, 0), "z": (0, 2, 0), "back": (2, 0, 4)}
_NAMES = ("a", "b_of_middle_size", "a_very_long_name_of_a_process_indeed")
_LOOPS = Network(
    processes=[Process(name=name, firings=4, latency=2 + len(name) % 3) for name in _NAMES],
    channels=[
        Channel(name=name, source=_NAMES[source], target=_NAMES[target], initial=initial, depth=6, width=9)
        for name, (source, target, initial) in _ENDS.items()
    ],
    name="loops", clock_ns=2.5,
)  # fmt: skip
_SCHEDULED = Network(
    processes=[
        Process.scheduled(name="rows", steps=6, runs=4, start_steps=StepList.of([0, 3])),
        Process(name="out", firings=12, latency=3, style="flushable"),
    ],
    channels=[
        Channel(name="pixels", source="rows", target="out", depth=3, write_steps=StepList.of([0, 1, 5])),
        Channel(name="free", source="out", target="rows", initial=8, read_steps=StepList.of([0, 2, 4])),
    ],
)  # fmt: skip
_SHARED = Network(
    processes=[Process(name=name, firings=3, latency=2, resource="alu") for name in ("one", "two")],
    channels=[Channel(name="c", source="one", target="two", depth=1)], resources={"alu": 1},
)  # fmt: skip


def _of(network: Network, **more: Any) -> dict[str, Any]:
    origin = Origin(file=f"{network.name}.toml", content=b"text", lines={"a": 3}, places={"a": "k.c:3"})
    return dict(told_of(run(network.checked(), on_deadlock="return"), origin=origin, **more))


def _large(network: Network) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LARGEST", 5)
        return _of(network, window="10ns:90ns")


def _placed() -> dict[str, Any]:
    placement = load_as(directory() / "networks" / "two_fpgas.toml", Placement)
    return placed_told(run_placed(placement), origin=Origin(file="two_fpgas.toml"), window="1us:2us")


def _platform() -> dict[str, Any]:
    system, application = image_filter()
    outcome = run_platform(system, application)
    return platform_told(system, application, outcome, origin=Origin(file="filter.toml", content=b"x"))


_PAGES: dict[str, Callable[[], dict[str, Any]]] = {
    "loops": partial(_of, _LOOPS),
    "scheduled": partial(_of, _SCHEDULED, window="3:"),
    "shared": partial(_of, _SHARED),
    "stuck": partial(_of, fork_join(firings=20, short_depth=2, style="frozen")),
    "long": partial(_of, chain(firings=2, length=11)),
    "predictor": partial(_of, predictor()),
    "large": partial(_large, fork_join(firings=4, short_depth=1, long_latency=5)),
    "placed": _placed,
    "platform": _platform,
}


def _lines(name: str, value: Any) -> Iterator[str]:
    """Yield a value with its name, the parts of a long one each with theirs; of a picture only that it is there."""
    text = json.dumps(value, ensure_ascii=False)
    text = re.sub(r"-?\d+\.\d+(?:e-?\d+)?", lambda number: f"{round(float(number[0]), 4) + 0.0:g}", text)
    if isinstance(value, str) and value.startswith("data:image/"):
        yield f"{name}: a picture"
    elif len(text) <= 100 or not isinstance(value, dict | list):
        yield f"{name}: {text}"
    else:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _lines(f"{name}.{key}", part)


def pages() -> str:
    """Return what pages are told; versions are left out."""
    with pytest.MonkeyPatch.context() as patch:
        for each in (large,):
            patch.setattr(each, "data_uri", lambda _: "data:image/png;base64,")
        lines = [line for name, tell in _PAGES.items() for line in _lines(name, tell())]
    return "".join(f"{line}\n" for line in lines if '["Python"' not in line and '["ppnsim"' not in line)


def test_pages_are_told_what_is_recorded() -> None:
    assert unlike("pages") == [], "if it is meant: python -m tests.golden pages"
