"""``ppnsim run FILE.json`` for traffic on a memory."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ppnsim.cli.common import progress, write_json
from ppnsim.cli.run_small import Request
from ppnsim.errors import InputError


def run_memory_input(request: Request) -> tuple[dict[str, Any], int]:
    """Run traffic on a memory, with each of its seeds; with a folder, write result.json."""
    from ppnsim.engines.memory import run_memory
    from ppnsim.formats.memory_json import parse_memory
    from ppnsim.report.memory import print_memory_run, run_result

    given = parse_memory(request.data)
    began = time.perf_counter()
    runs = []
    for number in range(given.seeds):
        traffic = replace(given.traffic, seed=given.traffic.seed + number)
        with progress(request.file, "requests") as report:
            runs.append(run_memory(given.dram, traffic, engine=request.engine, progress=report))
    seconds = time.perf_counter() - began
    engine = "des" if request.engine == "des" else "compiled"
    result = run_result(runs, file=request.file, engine=engine, notes=given.notes)
    print_memory_run(request.terminal, result, seconds=seconds)
    if request.folder is not None:
        try:
            request.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=str(request.folder)) from None
        write_json(result, str(request.folder / "result.json"))
        request.terminal.print(f"written to {request.folder}", markup=False)
    return result, 0
