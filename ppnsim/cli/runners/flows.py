"""``ppnsim run FILE.json`` for flows that share links."""

from __future__ import annotations

import time
from typing import Any

from ppnsim.cli.common import progress
from ppnsim.cli.runners.request import RunRequest
from ppnsim.messages.files.flows import Flows
from ppnsim.messages.report import flows_result, print_flows, write_rates
from ppnsim.messages.run.flows import run_flows


def run(given: Flows, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run flows over a star; with a folder, write result.json and rates.csv."""
    request.refuse_network_options("flows that share links")
    request.refuse_compiled("flows")
    began = time.perf_counter()
    with progress(request.file, "flows") as report:
        outcome = run_flows(given.star, given.flows, progress=report)
    seconds = time.perf_counter() - began
    result = flows_result(outcome, file=request.file)
    print_flows(request.terminal, outcome, given.star, given.flows, file=request.file, seconds=seconds)
    request.write(result, lambda folder, _: write_rates(outcome.pieces, folder / "rates.csv"))
    return result, 0
