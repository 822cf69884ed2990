"""What a run across nodes says of itself: where the cycles went, and which term sets the pace."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from ppnsim.engines.des.mapped import run_placed
from ppnsim.engines.run import run
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.network import Network
from ppnsim.platform.mapping import one_node
from tests.strategies import networks

search = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@search
@given(networks())
def test_on_one_node_every_cycle_has_the_class_that_it_has_in_the_network_alone(network: Network) -> None:
    alone, placed = run(network, engine="des", on_deadlock="return"), run_placed(one_node(network))
    for process in network.processes:
        own = cycle_classes(alone.timeline, process.name).counts()
        assert cycle_classes(placed.timeline(process.name), process.name).counts() == own
