"""``ppnsim run`` of a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppnsim.cli.common import DEADLOCK, INTERRUPTED, progress
from ppnsim.cli.options import again
from ppnsim.cli.runners.request import RunRequest
from ppnsim.engines.run import check_fast_forward
from ppnsim.engines.run import run as simulate
from ppnsim.errors import located
from ppnsim.explore.explain import deadlock_fix
from ppnsim.export.window import window_in
from ppnsim.model.network import Network
from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import summary_of
from ppnsim.report.result import run_result
from ppnsim.report.text import plain_line, print_run
from ppnsim.source_networks import of_run

if TYPE_CHECKING:
    from ppnsim.source_networks.model import SourceNetwork


def run_source(source: SourceNetwork, request: RunRequest) -> tuple[dict[str, Any], int]:
    """Run the network of a source, and say where in the source what waits stands."""
    return run(source.network, request, source)


def run(network: Network, request: RunRequest, source: SourceNetwork | None = None) -> tuple[dict[str, Any], int]:
    """Run a network; it has yet to be changed as the command line says."""
    network = request.options.changed(source or network)
    began = time.perf_counter()
    with progress(network.name) as report:
        outcome = simulate(
            network, engine=request.engine, on_deadlock="return", progress=report, fast_forward=request.fast_forward,
            blocks=request.folder is None and request.plot is None,  # pictures show single cycles
        )  # fmt: skip
        if request.self_check:
            check_fast_forward(outcome)
    seconds = time.perf_counter() - began
    with located("--window"):
        window_in(request.window, network, outcome.stopped)  # refused before anything is written
    fix, code = _fix(outcome)
    summary = summary_of(outcome)
    result = run_result(summary, file=request.file, fix=fix)
    print_run(request.terminal, summary, fix=fix, seconds=seconds)
    _advise(fix, request)
    if source is not None:
        of_run.add_source(result, source, outcome, fix)
        of_run.print_source(request.terminal, source, outcome, fix)
    if code != INTERRUPTED:
        try:
            request.write(result, lambda folder: _write(folder, outcome, source, request, fix))
            request.draw(lambda: _pictures(outcome, source, request))
        except KeyboardInterrupt:
            code = INTERRUPTED
    return result, code


def _advise(fix: Fix | None, request: RunRequest) -> None:
    """Say which command finds the depths of all channels: those of a fix break the deadlock, and may lose time."""
    if fix is None or not fix.deeper or fix.behind is not None:
        return
    command = again.command_line("size", request.file, request.options, without=("depth", "depths"))
    words = "this only breaks the deadlock, and may run several times slower than depths without loss"
    plain_line(request.terminal, f"  -> {words}: {command}")


def _fix(outcome: Run) -> tuple[Fix | None, int]:
    """Return the fix of a deadlock, None if there is none or its search was interrupted, and the exit code."""
    if not outcome.deadlocked:
        return None, 0
    try:
        return deadlock_fix.fix_deadlock(outcome), DEADLOCK
    except KeyboardInterrupt:
        return None, INTERRUPTED


def _write(
    folder: Path, outcome: Run, source: SourceNetwork | None, request: RunRequest, fix: Fix | None
) -> list[str]:  # fmt: skip
    kept = import_module("ppnsim.library.save_run")  # comes with the page, which a run alone does not need
    sentences: list[str] = kept.fill_folder(
        folder, outcome, file=request.file, source=source, window=request.window, fix=fix
    )
    return sentences


def _pictures(outcome: Run, source: SourceNetwork | None, request: RunRequest) -> Mapping[str, Callable[[], Any]]:
    drawn: Mapping[str, Callable[[], Any]] = import_module("ppnsim.library.save_run").pictures_of(
        outcome, source, request.window
    )
    return drawn
