"""What sized depths mean for the sources of a network: without loss keeps the finish, and a source may have to wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from ppnsim.engines.run import run
from ppnsim.explore.fifo.sizing import FifoSizing
from ppnsim.model.suspicions import Suspicion, suspicions
from ppnsim.report.text import plain_line

_TOO_LONG = 200_000  # firings and tokens of a scenario; a run of more is not worth a sentence


def source_waits(sizing: FifoSizing) -> dict[str, list[Suspicion]]:
    """Return the sources that wait at the depths for the target and without loss, in the first scenario.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import chain
    >>> sizing = FifoSizing(problem=problem_of([chain(firings=9, length=2, ii=(1, 3))]))
    >>> _ = sizing.run()
    >>> [(each.part, each.cycles) for each in source_waits(sizing)["lossless"]]
    [('p0', 15)]
    """
    network, found = sizing.problem.networks[0], sizing.answers.found
    told: dict[str, list[Suspicion]] = {}
    for question in ("target", "lossless") if network.events <= _TOO_LONG else ():
        if question in found:
            done = run(network.with_depths(sizing.problem.depths(found[question].vector)), on_deadlock="return")
            told[question] = [each for each in suspicions(done) if each.kind == "source waits"]
    return told


def source_waits_result(waits: Mapping[str, Sequence[Suspicion]]) -> dict[str, Any]:
    """Return the waits of sources for JSON, by question."""
    return {
        question: [{"process": each.part, "cycles": each.cycles} for each in some] for question, some in waits.items()
    }


def print_source_waits(console: Console, sizing: FifoSizing, words: Mapping[str, str]) -> None:
    """Print that a source waits, though no cycle is lost; ``words`` are those of the questions."""
    waits = source_waits(sizing)
    for question, some in waits.items():
        for each in some:
            plain_line(console, f"depths {words[question]}: {each.sentence}")
    # Depths that are credits count more than the tokens that are held.
    if any(waits.values()) and sizing.problem.networks[0].convention == "ppn":
        plain_line(console, "  -> for one that cannot wait: 'most held' of a run with --depth unbounded are its depths")
