"""A run in windows of its own for each process has the figures of the whole run, however far apart processes run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from ppnsim.engines.compiled import blocks, windows
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import Tape, tape_of
from ppnsim.engines.compiled.windows import run_in_windows
from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import run
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.model import pipeline
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.run import Run
from ppnsim.model.tokens import Rates
from tests.engines.test_blocks import figures
from tests.engines.test_generated import repeating

some = settings(deadline=None, database=None, max_examples=60, suppress_health_check=list(HealthCheck))
DRAWN = [
    Distribution("uniform", (1, 5), seed=3),
    Distribution("normal", (4, 2), seed=2),
    Distribution("exponential", (3,), seed=4),
    Distribution("geometric", (0.3,), seed=1),
    Distribution("poisson", (2,), seed=6),
    Distribution("choice", (0, 7, 1, 30), seed=5),
]


def in_windows(network: Network, passings: int) -> Run | None:
    with patch.object(windows, "_WINDOW", passings):
        return run_in_windows(network)


def hold_against_the_whole_run(network: Network, whole: Run, passings: int) -> None:
    found = in_windows(network, passings)
    event("in windows" if found is not None else "deadlock" if whole.deadlocked else "left to the whole run")
    if found is not None:
        assert figures(found) == figures(whole)
    elif passings > 100 and all(process.ii for process in network.processes):  # else all may start in one cycle
        assert whole.deadlocked


@some
@given(network=repeating(styles=("elastic", "frozen")), passings=st.sampled_from([60, 100, 300, 1000]))
def test_figures_are_those_of_the_whole_run(network: Network, passings: int) -> None:
    repetition = Repetition.of(network)
    assert repetition is not None
    longer = repetition.shortened(-300).checked()
    whole = run(longer, engine="compiled", fast_forward=False, on_deadlock="return")
    hold_against_the_whole_run(longer, whole, passings)


@some
@given(network=repeating(styles=("elastic", "frozen")), passings=st.sampled_from([60, 100, 300, 1000]), data=st.data())
def test_what_never_repeats_has_the_figures_of_the_whole_run(
    network: Network, passings: int, data: st.DataObject
) -> None:
    """Latencies that are listed or drawn, in pieces, and rates with which tokens pile up."""
    repetition = Repetition.of(network)
    assert repetition is not None
    longer = repetition.shortened(-200)
    processes = [_irregular(process, data) for process in longer.processes]
    channels = [
        replace(each, tokens=Rates([2 * tokens for tokens in each.tokens.produce], each.tokens.consume))
        if each.depth is None and isinstance(each.tokens, Rates) and data.draw(st.booleans())
        else each
        for each in longer.channels
    ]
    try:
        listed = longer.replace(processes=processes, channels=channels).checked()
    except InputError:  # an output may come before a short firing
        return
    whole = run(listed, engine="compiled", fast_forward=False, on_deadlock="return")
    with patch.object(pipeline, "LISTED", 10), patch.object(Distribution.pieces, "__defaults__", (37,)):
        drawn = longer.replace(processes=processes, channels=channels).checked()
        hold_against_the_whole_run(drawn, whole, passings)


def _irregular(process: Process, data: st.DataObject) -> Process:
    kind = data.draw(st.sampled_from(["one", "drawn", "listed"])) if process.style == "elastic" else "one"
    drawn = data.draw(st.sampled_from(DRAWN))
    listed = tuple(drawn.draw(process.firings).tolist())
    return replace(process, latency={"one": process.latency, "drawn": drawn, "listed": listed}[kind])


@pytest.mark.parametrize("latency", DRAWN, ids=lambda each: each.name)
def test_latencies_in_pieces_are_those_drawn_at_once(latency: Distribution) -> None:
    assert np.array_equal(np.concatenate(list(latency.pieces(1000, size=37))), latency.draw(1000))


def test_steps_of_drawn_latencies_are_those_of_listed_ones() -> None:
    one = Process(name="a", firings=50, latency=DRAWN[0], ii=2)
    channels = [Channel(name="c", source="a", target="b", from_offset=4)]
    network = Network(processes=[one, Process(name="b", firings=50)], channels=channels)
    listed = network.steps["a"]
    with patch.object(pipeline, "LISTED", 10):
        drawn = network.replace(name="again").steps["a"]
    assert isinstance(drawn, pipeline.DrawnSteps)
    for name in ("write_step", "port", "read", "write", "capacity", "count", "varies", "deepest", "ending_steps"):
        assert getattr(drawn, name) == getattr(listed, name), name
    assert drawn.executes(50) == listed.executes(50)
    assert np.array_equal(drawn.offsets, listed.offsets)
    assert np.array_equal(drawn.latencies, listed.latencies)


@pytest.mark.parametrize("latency", [3, DRAWN[0]], ids=["one", "drawn"])
def test_a_reader_that_falls_behind_for_ever(latency: Any) -> None:
    apart = chain(firings=5000, ii=(1, 3, 2), depth=None)
    apart = apart.replace(processes=[replace(each, latency=latency) for each in apart.processes])
    found = in_windows(apart, 600)
    assert found is not None
    assert figures(found) == figures(run(apart, engine="des"))


def test_windows_keep_what_is_in_them_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tokens pile up, and however long the run is."""
    cycles: list[int] = []

    def counted(recurrences: Recurrences) -> Tape:
        made = tape_of(recurrences)
        cycles.append(len(made.cycles))
        return made

    monkeypatch.setattr(windows, "_WINDOW", 3000)
    monkeypatch.setattr(windows, "tape_of", counted)
    assert run_in_windows(chain(firings=50_000, ii=(1, 3, 2), depth=None)) is not None
    assert max(cycles) < 3 * 3000


def test_what_cannot_be_in_windows_is_left_to_others() -> None:
    assert run_in_windows(fork_join(firings=2000).with_style("flushable")) is None
    assert in_windows(chain(firings=20_000, ii=0, depth=None), 300) is None  # all start in cycle 0


def test_a_large_run_of_drawn_latencies_goes_into_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.engines.run._KEPT", 1000)
    monkeypatch.setattr(windows, "_WINDOW", 2000)
    network = fork_join(firings=2000, short_depth=3)
    network = network.replace(processes=[replace(each, latency=DRAWN[1]) for each in network.processes])
    found = run(network, engine="compiled")
    with pytest.raises(Exception, match="were run in blocks: their figures are known, not each cycle"):
        found.timeline.start("split")
    assert figures(found) == figures(run(network, engine="des"))


def test_parts_at_paces_of_their_own_end_at_once_however_many_firings() -> None:
    """Their tokens are not listed: 10^12 of them would be."""
    huge, small = (Evaluator(chain(firings=each, ii=(1, 3, 2), depth=None)) for each in (10**12, 10**3))
    less, more = small.finish(), huge.finish()
    assert less is not None
    assert more == less + 3 * (10**12 - 10**3)


def test_a_finish_of_many_firings_is_walked_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def finish(*given: Any) -> int:
        asked.extend(given)
        return 5

    monkeypatch.setattr("ppnsim.engines.evaluate._LARGE", 1000)
    monkeypatch.setattr("ppnsim.engines.evaluate._TRIED", 100)
    monkeypatch.setattr("ppnsim.engines.evaluate.long_run.finish", finish)
    network = fork_join(firings=2000)
    assert Evaluator(network, fast_forward=False).finish({"short_in": 1}) == 5
    assert asked[1]["short_in"] == 1


def test_a_run_that_does_not_fit_is_refused_before_it_takes_all_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.engines.run._KEPT", 1000)
    monkeypatch.setattr("ppnsim.engines.run._free_bytes", lambda: 500_000)
    apart = chain(firings=5000, ii=(1, 3, 2), depth=None, style="flushable")
    words = "engine compiled: 35000 firings and tokens, each of which it records, take about 0 GB, and 0 GB are free"
    with patch.object(blocks, "_BLOCK", 1000), pytest.raises(UnsupportedByEngine, match=f"^{words}$"):
        run(apart, engine="compiled", fast_forward=False)
    monkeypatch.setattr("ppnsim.engines.run._free_bytes", lambda: None)
    with patch.object(blocks, "_BLOCK", 1000):
        assert run(apart, engine="compiled", fast_forward=False).finish == run(apart, engine="des").finish
