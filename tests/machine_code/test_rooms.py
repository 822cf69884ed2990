"""The kernels of the rooms, at work: each call is made as Python and as machine code, on the same arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ppnsim
from ppnsim import Channel, Network, chain, kernel_cache
from ppnsim.analysis import circles, self_timed
from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.kernel_cache import Interpreter
from ppnsim.machine_code.kernels import machine_code

SCENARIOS = Path(__file__).parents[2] / "scenarios"


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    names: set[str] = set()

    def both(_: float, kernel: Callable[..., int], *arguments: Any) -> int:
        copies = deepcopy(arguments)
        found: int = machine_code(kernel)(*arguments)
        assert found == Interpreter().run(kernel, *copies), kernel.__name__
        for mine, other in zip(_arrays(arguments), _arrays(copies), strict=True):
            assert np.array_equal(mine, other), kernel.__name__
        names.add(kernel.__name__)
        return found

    monkeypatch.setattr(kernel_cache, "run_for", both)
    monkeypatch.setattr(self_timed, "run_for", both)
    monkeypatch.setattr(circles, "run_for", both)
    return names


def _arrays(arguments: Any) -> Iterator[Any]:
    """Return arguments, and those in the named tuples among them."""
    for each in arguments:
        yield from _arrays(each) if isinstance(each, tuple) else [each]


@pytest.mark.parametrize("estimate", [absolute, unbounded])
def test_estimates_of_circles(called: set[str], estimate: Callable[[ppnsim.Network], Any]) -> None:
    networks = [chain(firings=9, latency=(3, 5)), ppnsim.load(str(SCENARIOS / "hls" / "subtract_mean.cpp"))]
    circle = Channel(name="back", source="p1", target="p0", initial=2)
    networks.append(Network(processes=networks[0].processes, channels=[*networks[0].channels, circle]))
    assert all(estimate(getattr(each, "network", each)).finish for each in networks)
    assert called == {"walk"}


def test_the_way_back_and_the_slack(called: set[str]) -> None:
    network = ppnsim.fork_join(firings=60, short_depth=8)
    assert network.size() is not None
    ppnsim.explain(network)
    assert {"walk_back", "backwards"} <= called


def test_iterations_at_the_earliest(called: set[str]) -> None:
    source = SCENARIOS / "networks" / "sample_rate_converter.toml"
    bounds = self_timed.followed(*_of(ppnsim.load(str(source))))
    assert bounds is not None and bounds[0] <= bounds[1]
    assert called == {"advance"}


def _of(network: Any) -> tuple[Any, Any, Any, list[str]]:
    from ppnsim.engines.compiled.repetition import Repetition

    repetition = Repetition.of(network)
    assert repetition is not None
    names = [process.name for process in network.processes]
    return network, dict.fromkeys(names, 1), repetition.firings, names


def test_splits_of_a_kernel(called: set[str]) -> None:
    ppnsim.explore_splits(str(SCENARIOS / "kernels" / "predictor.c"), latency=3)
    assert "walk" in called
