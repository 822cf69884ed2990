"""The designs of ``scenarios/hls``: their cycles and intervals are pinned, and all commands take them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.engines.run import run
from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source

FOLDER = Path(__file__).parents[2] / "scenarios" / "hls"
DESIGNS = {  # cycles, then the interval of each pipelined loop
    "product": (915, [1, 1, 1, 1]),
    "residual": (140, [1, 1, 1, 1]),
    "edges": (2054, [1, 1, 1]),
    "histogram": (649, [1, 1, 1, 1]),
    "systolic": (56, [1] * 6),
    "attention": (2125, [1, 5, 5, 1]),
    "fir_fixed": (291, [1, 1, 1, 1]),
    "top_k": (271, [1, 1, 1, 1]),
    "corner_turn": (2340, [1, 1]),
    "workers": (1082, [4, 4, 1, 4, 4, 4, 4, 1]),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_design_takes_the_same_cycles_as_a_schedule_and_as_a_network(name: str) -> None:
    path = FOLDER / f"{name}.cpp"
    machine = schedule(path).kernels[0].machine
    assert (machine.cycles, [nest.body.schedule.ii for nest in machine.nests]) == DESIGNS[name]
    outcome = run(load_source(str(path)).network)
    assert outcome.deadlock is None
    assert machine.outcome is not None
    assert outcome.finish == machine.outcome.finish
