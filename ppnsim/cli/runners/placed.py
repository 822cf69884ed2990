"""``ppnsim run`` of a network across nodes."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppnsim.cli.common import DEADLOCK, progress
from ppnsim.cli.runners.request import RunRequest
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.run import placed_result, print_placed, write_messages
from ppnsim.placed.run.network import run_placed


def run(placement: Placement, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run a placement, print its result, and return it with the exit code."""
    request.refuse_network_options("a network placed on nodes", but=("--style", "--depth", "--depths"))
    request.refuse_compiled("networks placed on nodes")
    placement = replace(placement, network=request.options.changed(placement.network))
    began = time.perf_counter()
    with progress(placement.network.name) as report:
        outcome = run_placed(placement, progress=report)
    result = placed_result(outcome, file=request.file)
    print_placed(request.terminal, outcome, result, seconds=time.perf_counter() - began)

    def write(folder: Path, suffix: str) -> None:
        from ppnsim.placed.pictures.time import placed_figure  # matplotlib takes a while to import
        from ppnsim.plots.save import save

        write_messages(outcome.messages, folder / "messages.csv")
        save(placed_figure(outcome, result["binds"]["sentence"] if result["binds"] else ""), folder / f"nodes.{suffix}")

    request.write(result, write)
    return result, 0 if outcome.finish is not None else DEADLOCK
