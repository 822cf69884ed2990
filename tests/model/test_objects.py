"""What objects of the model are as objects: equal, hashed, shown, copied into another process, seen as a graph."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from ppnsim import Distribution, Process, chain, fork_join, run
from ppnsim.model import pipeline
from ppnsim.model.convention import as_written
from ppnsim.model.network import Network
from ppnsim.model.pipeline import DrawnSteps
from ppnsim.plots.words import _latency


def test_timelines_are_equal_if_all_their_cycles_are() -> None:
    one, same = (run(chain(firings=4), engine=engine).timeline for engine in ("des", "compiled"))
    other = run(chain(firings=4, depth=1, ii=(1, 3, 1))).timeline
    assert one == same
    assert hash(one) == hash(same)
    assert other == run(chain(firings=4, depth=1, ii=(1, 3, 1)), engine="des").timeline
    assert one != other
    assert one != "a timeline"
    assert repr(one) == "<Timeline: 16 cycles, 12 firings of network 'chain'>"


def test_a_network_is_a_graph_of_processes_whose_edges_are_channels() -> None:
    network = fork_join(firings=3)
    graph = network.graph
    assert graph.name == network.name
    assert {name: data["process"] for name, data in graph.nodes.items()} == {
        each.name: each for each in network.processes
    }
    assert {(*ends, data["channel"]) for ends, data in graph.edges.items()} == {
        (each.source, each.target, each.name, each) for each in network.channels
    }


def test_drawn_latencies_that_nobody_lists_are_drawn_alike_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "LISTED", 10)
    drawn = Distribution("uniform", (2, 9), seed=3)
    steps = Network(processes=[Process(name="p", firings=40, latency=drawn)]).checked().steps["p"]
    assert isinstance(steps, DrawnSteps)
    copy = pickle.loads(pickle.dumps(steps))
    assert np.array_equal(copy.latencies, drawn.draw(40))
    assert np.array_equal(copy.offsets, steps.offsets)
    assert (copy.read, copy.write, copy.capacity, copy.port) == (steps.read, steps.write, steps.capacity, steps.port)


def test_a_part_that_is_new_is_written_as_it_is() -> None:
    before = Process(name="a", firings=4)
    made, new = replace(before, read=1, write=1), Process(name="b", firings=2)
    assert as_written([replace(made, latency=3), new], [made], [before]) == [replace(before, latency=3), new]
    assert as_written([made], [made], []) == []  # credits are of no part that is written


@pytest.mark.parametrize(
    ("latency", "words"),
    [
        (4, "4"), ((3, 3), "3"), ((5, 2, 9), "2..9"), (Distribution("normal", (7.5, 2)), "normal 7.5, 2"),
        (Distribution("geometric", (0.25,)), "geometric 0.25"),
    ],
)  # fmt: skip
def test_a_box_says_the_latency_of_a_process(latency: int | tuple[int, ...] | Distribution, words: str) -> None:
    firings = len(latency) if isinstance(latency, tuple) else 3
    assert _latency(Process(name="p", firings=firings, latency=latency)) == words
