"""A run in blocks has the figures of the whole run, to the cycle, and none of its timeline."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, event, given, settings

from ppnsim.engines.compiled import blocks, generated
from ppnsim.engines.compiled.blocks import run_in_blocks
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.run import run
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.elements import Process
from ppnsim.model.network import Channel, Network
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.model.tokens import Rates
from ppnsim.report import slowest
from tests.engines.test_generated import interpreted, repeating
from tests.helpers.commands import ppnsim

some = settings(deadline=None, database=None, max_examples=40, suppress_health_check=list(HealthCheck))


def figures(outcome: Run) -> list[object]:
    summary = summary_of(outcome)
    return [outcome.finish, outcome.stopped, summary.processes, summary.occupancy, summary.parallelism]


@some
@given(network=repeating())
def test_figures_are_those_of_the_whole_run(network: Network) -> None:
    repetition = Repetition.of(network)
    assert repetition is not None
    longer = repetition.shortened(-300).checked()
    with patch.object(blocks, "_BLOCK", 100), patch.object(generated, "machine_code_of", interpreted):
        found = run_in_blocks(longer)
    event("in blocks" if found is not None else "left to the whole run")
    if found is not None:
        assert figures(found) == figures(run(longer, engine="compiled", fast_forward=False))


def test_tokens_written_in_the_last_moment_are_held() -> None:
    writer = Process(name="writer", firings=310, latency=0, write=0)
    reader = Process(name="reader", firings=308, latency=0)
    channel = Channel(name="c", source="writer", target="reader", tokens=Rates((1,), (1,)))
    network = Network(processes=(writer, reader), channels=(channel,))
    with patch.object(blocks, "_BLOCK", 100), patch.object(generated, "machine_code_of", interpreted):
        found = run_in_blocks(network)
    assert found is not None
    assert summary_of(found).occupancy == {"c": 2}


def test_what_was_held_before_a_block_is_no_pace_of_its_own() -> None:
    first = Process(name="p0", firings=500, latency=1, read=3, write=1, style="flushable")
    second = Process(name="p1", firings=500, latency=1, read=0, write=0)
    channels = [
        Channel(name="c0", source="p0", target="p1", depth=1, forward=0),
        Channel(name="c1", source="p1", target="p0", depth=3, initial=1, to_offset=4),
        Channel(name="c2", source="p1", target="p1", depth=3, initial=1, forward=3),
    ]
    network = Network(processes=(first, second), channels=channels)
    with patch.object(blocks, "_BLOCK", 60), patch.object(generated, "machine_code_of", interpreted):
        found = run_in_blocks(network)
    assert found is not None
    assert figures(found) == figures(run(network, engine="des"))


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run that its size sends into blocks."""
    monkeypatch.setattr("ppnsim.engines.run._KEPT", 1000)
    monkeypatch.setattr(slowest, "_WALKED", 1000)  # of what is kept, as ever
    monkeypatch.setattr("ppnsim.engines.compiled.blocks._BLOCK", 2000)
    monkeypatch.setattr("ppnsim.engines.compiled.generated.machine_code_of", interpreted)
    return run(fork_join(firings=2000, short_depth=3).with_style("flushable"), engine="compiled", fast_forward=False)


def test_large_runs_that_do_not_repeat_go_into_blocks(in_blocks: Run) -> None:
    whole = run(in_blocks.network, engine="des")
    assert figures(in_blocks) == figures(whole)


def test_cycles_that_are_not_kept_are_refused_by_name(in_blocks: Run) -> None:
    for ask in (lambda: in_blocks.timeline.start("split"), lambda: list(in_blocks.recorded.holds)):
        with pytest.raises(UnsupportedByEngine, match="were run in blocks: their figures are known, not each cycle"):
            ask()


def test_what_shows_single_cycles_keeps_them(in_blocks: Run, tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    in_blocks.network.save(path)
    asked = "run", str(path), "--engine", "compiled", "--no-fast-forward"
    assert ppnsim(*asked).exit_code == 0
    assert not (tmp_path / "out").exists()
    assert ppnsim(*asked, "--out", str(tmp_path / "out"), "--pictures", "svg").exit_code == 0
    assert (tmp_path / "out" / "gantt.svg").exists()


def test_processes_that_run_far_apart_are_no_blocks() -> None:
    apart = chain(firings=20_000, ii=(1, 3, 1), depth=None)
    with patch.object(blocks, "_BLOCK", 2000), patch.object(generated, "machine_code_of", interpreted):
        assert run_in_blocks(apart) is None
