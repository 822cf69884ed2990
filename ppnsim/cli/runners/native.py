"""``ppnsim run`` of a design that is executed with its testbench."""

from __future__ import annotations

import time
from typing import Any

from ppnsim.cli.common import DEADLOCK
from ppnsim.cli.runners.request import RunRequest
from ppnsim.hls.native.execute import TimedDesign, execute
from ppnsim.hls.native.report import native_result, print_native


def run_native(found: TimedDesign, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Execute a design, and print its finish, tasks, streams and what its testbench prints."""
    request.refuse_compiled("designs that are executed")
    own = (
        "--testbench",
        "--function",
        "-D",
        "-I",
        "--device",
        "--clock",
        "--time-limit",
        "--trace",
        "--depth",
        "--depths",
    )
    request.refuse_network_options("a design whose tasks are executed in time", but=own)
    clock_ns = found.clock_ns
    began = time.perf_counter()
    for_all, by_name = request.options.depths_asked()
    run = execute(found, depth=for_all[-1] if for_all else "declared", depths=by_name)
    result = native_result(run, file=request.file, clock_ns=clock_ns)
    print_native(request.terminal, run, clock_ns=clock_ns, seconds=time.perf_counter() - began)
    request.write(result)
    return result, DEADLOCK if run.deadlocked else 0
