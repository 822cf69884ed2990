"""The kinds of `tests.fuzz.kinds` in bulk: smaller examples of the same strategies, the same oracles, batches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import assume

from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import run
from ppnsim.model.network import Network
from tests.explore.test_fifo_sizing import answers, depth_ranges, front_of
from tests.fuzz.bulk import Bulk, one_by_one
from tests.fuzz.bulk_networks import agree, drawn_networks
from tests.fuzz.kinds import KINDS, finishes, regions, tasks
from tests.fuzz.seeded import booleans, integers, seeded, tuples
from tests.loops.test_c_source import check_compiled


def sized(network: Network) -> None:
    """Hold totals and fronts of sizings against every vector of depths, each evaluated by the compiled engine.

    The depths without loss are run by the other engine as well.
    """
    assume(1 <= len(network.channels) <= 4)
    names, ranges = [channel.name for channel in network.channels], depth_ranges(network)
    evaluator = Evaluator(network)
    every = {depths: evaluator.finish(dict(zip(names, depths, strict=True))) for depths in product(*ranges)}
    for cost in ("tokens", "bits", "fpga"):
        front, found = front_of(every, network, cost), answers(network, cost=cost)
        assert [(point.cost, point.time) for point in found.front] == front
        if front:
            lossless = found.found["lossless"]
            assert (found.found["deadlock_free"].cost, lossless.cost) == (front[0][0], front[-1][0])
            assert not found.gaps
            depths = dict(zip(names, lossless.vector, strict=True))
            assert run(network, engine="des", depths=depths).finish == lossless.time


def _programs(drawn: Sequence[tuple[Any, ...]]) -> int:
    for estimated, _, latency, ii, io in drawn:
        finishes(estimated, latency, ii, io)
    with TemporaryDirectory() as folder:
        check_compiled([written for _, written, *_ in drawn], Path(folder))
    return len(drawn)


@cache
def bulk_kinds() -> dict[str, Bulk]:
    """Return what can be run in bulk, by name."""
    networks = seeded("tests.helpers.strategies").networks
    programs = seeded("tests.derive.test_program_estimate").programs
    loop_programs = seeded("tests.helpers.loop_programs").loop_programs
    handovers = seeded("tests.hls.test_dataflow").handovers
    region_programs = seeded("tests.helpers.region_programs").region_programs
    plain: dict[str, Any] = {"styles": ["elastic", "frozen"], "resources": False}
    return {
        "networks": Bulk(
            draw=drawn_networks(networks), check=agree, batch=250,
            write=lambda drawn: KINDS["networks"].write(drawn.last),
        ),
        "c": Bulk(
            draw=tuples(programs(), loop_programs(), integers(0, 5), integers(1, 3), booleans()), check=_programs,
            batch=200, write=KINDS["c"].write,
        ),
        "size": Bulk(
            draw=networks(max_firings=6, max_processes=3, **plain), check=one_by_one(sized), batch=1,
            write=KINDS["size"].write,
        ),
        "hls": Bulk(draw=handovers(), check=one_by_one(tasks), batch=20, write=KINDS["hls"].write),
        "regions": Bulk(
            draw=region_programs(), check=one_by_one(regions), batch=5, write=KINDS["regions"].write
        ),
        "native": Bulk(
            draw=region_programs(loops=False), check=one_by_one(KINDS["native"].check), batch=1,
            write=KINDS["native"].write,
        ),
    }  # fmt: skip
