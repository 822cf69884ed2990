"""A run in windows of its own for each process has the figures of the whole run, however far apart processes run."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from ppnsim.engines.compiled import windows
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.windows import run_in_windows
from ppnsim.engines.run import run
from ppnsim.model.builders import chain
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from tests.engines.test_blocks import figures
from tests.engines.test_generated import repeating

some = settings(deadline=None, database=None, max_examples=60, suppress_health_check=list(HealthCheck))


def in_windows(network: Network, passings: int) -> Run | None:
    with patch.object(windows, "_WINDOW", passings):
        return run_in_windows(network)


@some
@given(network=repeating(styles=("elastic", "frozen")), passings=st.sampled_from([100, 300, 1000]))
def test_figures_are_those_of_the_whole_run(network: Network, passings: int) -> None:
    repetition = Repetition.of(network)
    assert repetition is not None
    longer = repetition.shortened(-300).checked()
    found = in_windows(longer, passings)
    whole = run(longer, engine="compiled", fast_forward=False, on_deadlock="return")
    event("in windows" if found is not None else "deadlock" if whole.deadlocked else "left to the whole run")
    assert (found is None) == whole.deadlocked
    if found is not None:
        assert figures(found) == figures(whole)


def test_a_reader_that_falls_behind_for_ever() -> None:
    apart = chain(firings=5000, ii=(1, 3, 2), depth=None)
    found = in_windows(apart, 600)
    assert found is not None
    assert figures(found) == figures(run(apart, engine="des"))
