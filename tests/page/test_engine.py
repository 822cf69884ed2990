"""The page's engine against ours: every firing, every hold, the class of every cycle, on 1000 random networks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from ppnsim.engines.run import run
from ppnsim.model.builders import chain, fork_join, predictor
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import occupancy, parallelism
from ppnsim.model.network import STYLES, Network, Process
from ppnsim.model.timeline import Timeline
from ppnsim.page.engine_model import engine_model
from tests.helpers.strategies import networks
from tests.page.javascript import needs_node, simulated

pytestmark = needs_node

RANDOM = 400


def drawn(count: int, *, draw_seed: int, **options: Any) -> list[Network]:
    """Return random networks; node is started once for all of them."""
    found: list[Network] = []

    @seed(draw_seed)
    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(networks(**options))
    def collect(network: Network) -> None:
        found.append(network)

    collect()
    return found


def segments(timeline: Timeline, process: str) -> list[list[Any]]:
    classes = cycle_classes(timeline, process)
    edges, codes = classes.edges[:-1].tolist(), classes.codes.tolist()
    return [[first, *classes.labels[code]] for first, code in zip(edges, codes, strict=True)]


def ours(network: Network) -> dict[str, Any]:
    done = run(network, on_deadlock="return", engine="des")
    timeline, names = done.timeline, [process.name for process in network.processes]
    curves = [occupancy(timeline, channel.name) for channel in network.channels]
    return {
        "finish": done.finish,
        "stopped": timeline.stopped,
        "passed": [timeline.passed[name].tolist() for name in names],
        "start": [timeline.start(name).tolist() for name in names],
        "end": [timeline.end(name).tolist() for name in names],
        "classes": [segments(timeline, name) for name in names],
        "most": [int(tokens.max()) for _, tokens in curves],
        "parallelism": parallelism(timeline).maximum,
    }


def compared(networks: list[Network], models: list[dict[str, Any]]) -> None:
    for network, told in zip(networks, simulated(models), strict=True):
        expected = ours(network)
        told["most"] = [each["most"] for each in told["occupancy"]]
        assert {key: told[key] for key in expected} == expected, network


@pytest.mark.parametrize("style", STYLES)
def test_random_networks_of_one_style_are_equal_in_every_firing(style: Any) -> None:
    drawn_ones = drawn(RANDOM // 4, draw_seed=STYLES.index(style), styles=[style], resources=False)
    compared(drawn_ones, [engine_model(network) for network in drawn_ones])


def test_random_networks_of_mixed_styles_are_equal_in_every_firing() -> None:
    drawn_ones = drawn(RANDOM - 3 * (RANDOM // 4), draw_seed=7, resources=False)
    compared(drawn_ones, [engine_model(network) for network in drawn_ones])


def test_networks_with_shared_resources_are_shown_as_recorded() -> None:
    drawn_ones = [network for network in drawn(60, draw_seed=3) if network.resources]
    timelines = [run(network, on_deadlock="return").timeline for network in drawn_ones]
    compared(drawn_ones, [engine_model(n, recorded=t) for n, t in zip(drawn_ones, timelines, strict=True)])


@given(st.data())
@settings(max_examples=5, deadline=None, database=None)
def test_other_depths_ii_and_latencies_are_those_of_the_network_with_them(data: st.DataObject) -> None:
    """A slider changes a number of the model; what it shows must be the run of the network with that number."""
    base = data.draw(st.sampled_from([predictor(), fork_join(firings=20, short_depth=3), chain(firings=9, depth=2)]))
    model, changed = engine_model(base), []
    processes = []
    for place, process in enumerate(base.processes):
        ii, latency = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 9))
        model["processes"][place] |= {"ii": ii, "latency": latency}
        processes.append(replace(process, ii=ii, latency=latency))
    for place, channel in enumerate(base.channels):
        depth = data.draw(st.integers(max(1, channel.initial), 6))
        model["channels"][place]["depth"] = depth
        changed.append(replace(channel, depth=depth))
    compared([base.replace(processes=processes, channels=changed).checked()], [model])


def test_a_hundred_thousand_firings_take_less_than_a_second() -> None:
    network = chain(firings=34_000, length=3, depth=2)
    (told,) = simulated([engine_model(network)])
    assert told["finish"] == run(network).finish
    assert np.array_equal(told["start"][2], run(network).timeline.start("p2"))


def test_a_process_alone() -> None:
    network = Network(processes=[Process(name="alone", firings=3)]).checked()
    compared([network], [engine_model(network)])


def test_depths_of_the_page_are_those_of_convention_sdf3() -> None:
    """The sliders set the depth of a channel that claims its slots; credits and others have none."""
    plain = chain(firings=12, length=2, latency=3)
    network = plain.with_convention("sdf3")
    (channel,) = (model := engine_model(network))["channels"]
    channel["depth"] = 2
    (told,) = simulated([model])
    assert channel["claims"] and told["finish"] == run(network, depths={"c0": 2}).finish
    assert told["finish"] != run(plain, depths={"c0": 2}).finish
    frozen = engine_model(network.with_depths({"c0": 2}).with_style("frozen"))
    assert [each["claims"] for each in frozen["channels"]] == [False, False]
    assert "claims" not in engine_model(plain)["channels"][0]
