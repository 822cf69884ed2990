"""Networks of every kind: bounds, periods, circles, and where the cycles of a run went, figure for figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from ppnsim.analysis import throughput
from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.analysis.k_periodic import period_bounds
from ppnsim.analysis.lost_cycles import lost_cycles
from ppnsim.analysis.lower_bounds import busiest_bound, longest_path, lower_bounds, resource_bounds
from ppnsim.analysis.steady_graph import phases_of
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.model.designs import multirate
from ppnsim.model.network import Network
from ppnsim.model.repetition import passings_of
from tests.golden.records import unlike
from tests.helpers.drawn import drawn_networks


def analysed() -> str:
    """Return what is known of some networks without running them, and where the cycles of their runs went."""
    networks = [(f"network {seed}", network) for seed, network in drawn_networks(40)]
    networks += [(f"multirate {seed}", multirate(channels=9, seed=seed, iterations=2)) for seed in range(4)]
    return "".join(f"{line}\n" for name, network in networks for line in (name, *_told(network)))


def _told(network: Network) -> Iterator[str]:
    yield f"  phases {_said(lambda: passings_of(network, phases_of(network)))}"
    asked: tuple[Callable[[Network], object], ...] = (steady_states, period_bounds, busiest_bound, resource_bounds)
    for each in asked:
        yield f"  {each.__name__} {_said(partial(each, network))}"
    one_each, by_data = throughput.absolute(network), throughput.unbounded(network)
    for word, found in (("absolute", one_each), ("unbounded", by_data)):
        yield f"  {word} {found.finish} {found.parallelism}"
    yield f"  bounds {_said(lambda: lower_bounds(network, one_each, by_data))}"
    ran = run(network, engine="des", on_deadlock="return")
    yield f"  longest {_said(lambda: longest_path(ran.timeline))}"
    yield f"  lost {_said(lambda: lost_cycles(ran))}"


def _said(ask: Callable[[], Any]) -> str:
    try:
        line = str(ask())
    except InputError as refused:
        line = f"refused: {refused}"
    return line if len(line) < 300 else f"{line[:200]} ... {sha256(line.encode()).hexdigest()[:12]}"


def test_networks_are_analysed_as_recorded() -> None:
    assert unlike("analysed") == []
