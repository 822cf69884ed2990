"""``ppnsim run FILE.json`` for traffic on a memory."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ppnsim.cli.common import progress
from ppnsim.cli.runners.request import RunRequest
from ppnsim.errors import InputError
from ppnsim.memory.files.json import MemoryFile
from ppnsim.memory.report import print_memory_run, run_result
from ppnsim.memory.run.traffic import run_memory


def run(given: MemoryFile, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run traffic on a memory, with each of its seeds; with a folder, write result.json."""
    request.refuse_network_options("a memory and its traffic")
    if given.traffic is None:
        raise InputError("has no traffic, so there is nothing to run (ppnsim memory tells what the memory can do)")
    began = time.perf_counter()
    runs = []
    for number in range(given.seeds):
        traffic = replace(given.traffic, seed=given.traffic.seed + number)
        with progress(request.file, "requests") as report:
            runs.append(run_memory(given.dram, traffic, engine=request.engine, progress=report))
    seconds = time.perf_counter() - began
    engine = "des" if request.engine == "des" else "compiled"
    about: dict[str, Any] = {"file": request.file, "engine": engine, "notes": given.notes}
    result = run_result(runs, **about)
    print_memory_run(request.terminal, runs, **about, seconds=seconds)
    request.write(result)
    return result, 0
