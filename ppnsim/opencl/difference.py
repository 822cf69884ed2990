"""Why a kernel takes longer than it is predicted to: it is executed again without one limit of its board at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.run import simulate

AGREES = 0.05
"""Relative differences up to here need no reason."""
OVERLAPS = "the model adds up what overlaps in the execution, or counts too few active work items"
_ENDLESS = 10**9


def costs(kernel: Kernel, board: OpenclBoard, executed: int) -> list[tuple[str, int]]:
    """Return the cycles that each limit of a board costs by itself, the largest first; ``kernel`` has its design."""
    found = {why: executed - simulate(kernel, other).cycles for why, other in without_limits(board)}
    return [(why, cost) for why, cost in sorted(found.items(), key=lambda each: -each[1]) if cost]


def because(kernel: Kernel, board: OpenclBoard, predicted: float, executed: int) -> str:
    """Return why an execution leaves its prediction, "" where the two agree."""
    if abs(predicted - executed) <= AGREES * executed:
        return ""
    if predicted > executed:
        return OVERLAPS
    found = costs(kernel, board, executed)
    if not found:
        return "no single limit of the board: several hold each other up"
    return "; ".join(f"{why} (+{cost:,} cycles by itself)" for why, cost in found[:2])


def without_limits(board: OpenclBoard) -> Iterator[tuple[str, OpenclBoard]]:
    """Yield the board without one of its limits, by what that limit is."""
    yield "the latency of the memory, which a work item waits for", replace(board, latency=1)
    yield "accesses that meet at a bank", replace(board, banks=4096)
    yield "the limit of transactions under way of an access", replace(board, outstanding=_ENDLESS)
