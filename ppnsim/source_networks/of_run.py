"""What a run of a source's network says of the source: in JSON and in the terminal, for the command and for Python."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from ppnsim.model.run import Fix, Run
from ppnsim.report.text import plain_line
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.ports import ports_result, print_ports
from ppnsim.source_networks.report import (
    deadlock_places,
    print_deadlock_places,
    print_ends,
    source_result,
    start_to_done_of,
)
from ppnsim.source_networks.slow_loops import loop_sentences


def add_source(result: dict[str, Any], source: SourceNetwork, run: Run, fix: Fix | None) -> None:
    """Add to the dictionary of a run where its processes and streams stand, and of a deadlock the pragmas."""
    result["source"] = source_result(source) | ports_result(source, run)
    result["source"]["start_to_done"] = start_to_done_of(source, run)
    if run.deadlocked:
        result["deadlock"]["source"] = deadlock_places(source, run, fix)


def print_source(console: Console, source: SourceNetwork, run: Run, fix: Fix | None) -> None:
    """Print both ends of a region or the loops of a function, the ports, and of a deadlock the lines and pragmas."""
    if source.whole and run.finish is not None:
        for words in loop_sentences(source, {source.function: run.finish}):
            plain_line(console, words)
    print_ends(console, source, run)
    print_ports(console, source, run)
    if run.deadlocked:
        print_deadlock_places(console, source, run, fix)
