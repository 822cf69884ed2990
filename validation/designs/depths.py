"""The published designs at other depths than declared: from C++, and from the same network written as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ppnsim.engines.run import run
from ppnsim.errors import PpnsimError
from ppnsim.formats.network_json import dump_network, parse_network
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from validation.harness.given import GIVEN
from validation.harness.rows import Row, Verdict

REPOSITORY = "UCLA-VAST+Stream-HLS"
GROUP = "at other depths, from C++ and as JSON"
DEPTHS = (2, 32)
"""Depths of all FIFOs that issue 12 asks for."""
_EQUAL = "equal cycle by cycle"
_NO_REGION = tuple(f"polybench/{family}/" for family in ("heterocl", "hida", "pom", "scalehls", "vitis"))
"""Designs of one function without a dataflow region, in which there are no FIFOs."""


def depth_rows(design: dict[str, Any]) -> list[Row]:
    """Return the row of a design at other depths; its sources are not part of the project."""
    row = Row(
        group=GROUP, what=design["design"], source="issue 12: a design from C++ and as JSON", printed=_EQUAL,
        consistent="the network of the source against itself, written as JSON and read back",
    )  # fmt: skip
    if design["design"].startswith(_NO_REGION):
        return [replace(row, missing=Verdict.IMPOSSIBLE, note="it has no dataflow region, and so no FIFOs")]
    if source_of(design) is None:
        return [replace(row, missing=Verdict.NOT_RUN, note="its source is not here (--designs)")]
    try:
        found = region_of(design)
    except PpnsimError as error:
        return [replace(row, ours=f"refused: {str(error).replace(str(GIVEN.designs), '')}")]
    results = [at_depth(found, depth) for depth in DEPTHS]
    said = ", ".join(f"all {depth}: {words}" for depth, (words, _) in zip(DEPTHS, results, strict=True))
    wrong = [each for _, difference in results for each in difference]
    return [replace(row, ours=wrong[0] if wrong else _EQUAL, note=said)]


def source_of(design: dict[str, Any]) -> Path | None:
    """Return the source of a design: in a checkout that is given, or in a folder of checkouts (``owner+name``)."""
    given = [] if GIVEN.designs is None else [GIVEN.designs, GIVEN.designs / REPOSITORY]
    return next((found for each in given if (found := each / design["source"]).is_file()), None)


def region_of(design: dict[str, Any]) -> SourceNetwork:
    """Return the network of a design whose source is there, with the vendor's reports."""
    path = source_of(design)
    assert path is not None
    return load_source(
        str(path), function=design["top"], device=design["part"], clock=f"{design['clock_ns']} ns",
        unsafe_math=design["unsafe_math"], reports=reports_of(path),
    )  # fmt: skip


def reports_of(source: Path) -> Path:
    """Return the folder of the reports of a design, which stand beside its source or beside the folder ``src``."""
    return source.parent.parent if source.parent.name == "src" else source.parent


def at_depth(found: SourceNetwork, depth: int) -> tuple[str, list[str]]:
    """Return the answer with all FIFOs at a depth, and what the network from JSON does otherwise."""
    fifos = {name: depth for stream in found.streams for name in stream.channels}
    own = run(found.network.with_depths(fifos), on_deadlock="return")
    read = run(again(found.network).with_depths(fifos), on_deadlock="return")
    return (f"deadlock at {own.timeline.stopped}" if own.deadlocked else f"{own.finish} cycles"), [*_differ(own, read)]


def again(network: Network) -> Network:
    """Return a network as it is after it was written as JSON and read."""
    return parse_network(json.loads(json.dumps(dump_network(network))))


def _differ(own: Run, read: Run) -> Iterator[str]:
    """Yield in what two runs differ: their finish, the circle of a deadlock, the cycles of a process."""
    if own.finish != read.finish or own.deadlock != read.deadlock:
        yield f"finish {own.finish} from C++ and {read.finish} from JSON, or other circles of waits"
    for name, passed in own.timeline.passed.items():
        if not np.array_equal(passed, read.timeline.passed.get(name, np.empty(0))):
            yield f"process '{name}' passes its steps in other cycles"
