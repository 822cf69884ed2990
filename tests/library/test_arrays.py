"""Numbers of numpy and columns of pandas stand for the numbers, lists and dictionaries that they hold."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import ppnsim

P: Any = ppnsim  # of any type: annotations name Python's own numbers and lists
NET: Any = ppnsim.fork_join(firings=20)


def test_an_array_or_a_series_is_a_list() -> None:
    listed = ppnsim.chain(firings=4, ii=[1, 2, 3], latency=[2, 1, 1])
    assert P.chain(firings=4, ii=np.array([1, 2, 3]), latency=pd.Series([2, 1, 1])) == listed
    assert P.chain(firings=np.int64(4), ii=np.array([1, 2, 3]), latency=np.array([2, 1, 1])) == listed


def test_a_series_by_channel_is_a_dictionary_of_depths() -> None:
    depths = pd.Series({"short_in": 3, "short_out": None}, dtype="Int64")  # as tables of runs have them
    named = NET.with_depths({"short_in": 3, "short_out": None})
    assert NET.with_depths(depths) == named
    assert NET.run(depths=depths).finish == named.run().finish
    assert NET.with_depths(5).with_depths(NET.run().to_frame("channels")["depth"]) == NET


def test_a_window_may_be_of_numpy() -> None:
    run = NET.run()
    ends = run.gantt(window=(0, 10)).axes[0].get_xlim()
    for window in ((np.int64(0), np.int64(10)), np.array([0, 10])):
        assert run.gantt(window=window).axes[0].get_xlim() == ends


def test_a_period_of_any_kind_of_number_prints_and_is_written() -> None:
    for period in (Fraction(5, 2), np.float32(2.5), 2.5):
        network = P.Network(processes=[P.Process(name="a", firings=4)], clock_ns=period)
        assert repr(network).endswith("clock 2.5 ns>")
        assert json.loads(json.dumps(network.run().to_dict()))["time_ns"] == 10.0


def test_units_of_a_resource_may_be_of_numpy() -> None:
    bus = P.Network(processes=[P.Process(name="a", firings=4, resource="bus")], resources={"bus": np.int64(1)})
    bus.save("-")
    assert type(bus.resources["bus"]) is int
