"""`ppnsim.memory`: which points it takes, what it keeps when it is interrupted, what it says without points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.library import memory as module
from ppnsim.library.memory import _wanted
from ppnsim.memory.model.presets import PRESETS
from ppnsim.memory.run.curves import CurvePoint


def points(*_: Any, values: Any, requests: int, progress: Any) -> Iterator[CurvePoint]:
    """Stand in for the simulation of a sweep."""
    for number, x in enumerate(values):
        if x == 13:
            raise KeyboardInterrupt
        progress(number + 1, len(values))
        yield CurvePoint(sweep="banks", series="", x=x, bandwidth=requests, latency=0, law=1, because="")


@pytest.fixture(autouse=True)
def _no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "memory_curve", points)


def test_points_are_kept_by_sweep_and_ctrl_c_keeps_those_that_are_there() -> None:
    told: list[tuple[int, int]] = []
    whole = ppnsim.memory("DDR4-2400", vary="banks=1,2", requests=100, progress=lambda *at: told.append(at))
    assert [(point.x, point.bandwidth) for point in whole.points["banks"]] == [(1, 100), (2, 100)]
    assert (whole.interrupted, told) == (False, [(1, 2), (2, 2)])
    cut = ppnsim.memory("DDR4-2400", vary=["banks=1,13,2", "concurrency=4"], progress=lambda *_: None)
    assert cut.interrupted
    assert {name: [point.x for point in found] for name, found in cut.points.items()} == {"banks": [1]}
    assert len(cut.to_dict()["points"]) == 1
    none = ppnsim.memory("DDR4-2400", vary="banks=13", progress=lambda *_: None)
    assert none.interrupted and none.to_dict()["points"] == []


@pytest.mark.parametrize(("requests", "fits"), [(99, False), (100, True), (10_000_000, True), (10_000_001, False)])
def test_a_point_has_from_100_to_ten_million_requests(requests: int, fits: bool) -> None:
    if fits:
        assert ppnsim.memory("DDR4-2400", requests=requests).points == {}
    else:
        with pytest.raises(InputError) as error:
            ppnsim.memory("DDR4-2400", requests=requests)
        assert str(error.value) == f"--requests: {requests} must be from 100 to 10000000 requests"


def test_without_a_sweep_there_are_ceilings_and_nothing_to_draw() -> None:
    found = ppnsim.memory("DDR4-2400")
    assert "points" not in found.to_dict() and found.rows() == []
    assert found.to_dict()["notes"] == []
    assert str(found).startswith("DDR4-2400")
    with pytest.raises(InputError) as error:
        found.figure()
    assert str(error.value) == "DDR4-2400: there are no points to draw: say what varies"


def test_the_presets_have_a_row_each() -> None:
    found = ppnsim.memory_presets()
    assert [row["preset"] if "preset" in row else row["file"] for row in found.rows()] == list(PRESETS)
    assert repr(found) == f"<MemoryPresets: {', '.join(PRESETS)}>"
    assert all(name in str(found) for name in PRESETS)


def test_a_second_list_of_values_for_a_curve_is_refused_and_all_takes_none_away() -> None:
    with pytest.raises(InputError, match="--vary: 'banks=2' is a second list of values for banks: give one"):
        ppnsim.memory("DDR4-2400", vary=["banks=1", "banks=2"])
    for vary in (["banks=1", "all"], ["all", "banks=1"]):
        assert _wanted(vary)["banks"] == [1] and _wanted(vary)["locality"] == ()
