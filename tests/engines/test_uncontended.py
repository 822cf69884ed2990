"""Networks with shared resources are run without them where nobody waits: the same run as SimPy makes with them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from ppnsim.engines import run as engines
from ppnsim.engines.compiled.uncontended import alone, uncontended
from ppnsim.engines.run import run
from ppnsim.model.elements import Process
from ppnsim.model.network import Network
from tests.helpers.strategies import networks

SEEN: Counter[str] = Counter()


@settings(deadline=None, database=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(networks(max_processes=4))
def test_a_run_in_which_nobody_waits_for_a_unit_is_that_of_simpy(network: Network) -> None:
    free = alone(network)
    found = free and uncontended(network, run(free, on_deadlock="return"))
    SEEN["waits" if not found else "stands" if found.deadlocked else "finishes"] += any(
        process.resource for process in network.processes
    )
    if found:
        told = run(network, engine="des", on_deadlock="return")
        assert (found.finish, found.timeline, found.deadlock) == (told.finish, told.timeline, told.deadlock)


def test_runs_of_each_kind_were_drawn() -> None:
    assert len(SEEN) == 3 and min(SEEN.values()) > 2, SEEN


@pytest.mark.parametrize(("units", "engine", "finish"), [(2, "compiled", 52), (1, "des", 102)])
def test_a_large_network_is_compiled_unless_somebody_waits(
    monkeypatch: pytest.MonkeyPatch, units: int, engine: str, finish: int
) -> None:
    monkeypatch.setattr(engines, "PAYS", 100)
    masters = [Process(name=name, firings=50, latency=3, resource="bus") for name in ("first", "second")]
    found = run(Network(processes=masters, resources={"bus": units}))
    assert (found.engine, found.finish) == (engine, finish)
