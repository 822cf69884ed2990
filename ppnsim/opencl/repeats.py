"""Iterations of loops that an execution leaves out, exactly: between two moments whose states are the same.

The state is all that decides what comes: where each work item stands in its iteration and when it goes on, in the order
in which those of one cycle do; the pipelines, the streams and the banks, all as times from now on. Numbers of
iterations count only by whether one is left. So once all items have as many fewer left as the first one and all else is
as it was, what happened in between happens again and again, until an item comes to its last iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ppnsim.opencl.kernel import ITEMS, Kernel, KernelBranch, KernelLoop, KernelNode
from ppnsim.opencl.transactions import Transactions


@dataclass(slots=True, kw_only=True)
class ItemPlace:
    """Where a work item stands: in which part of the kernel, and how far it is in this iteration of its loop.

    ``left`` are the iterations left of that loop, this one included; ``passed`` counts the places at which it waited or
    might have; ``wake`` is when it goes on, and ``serial`` orders items that go on in the same cycle.
    """

    unit: int
    top: int = 0
    left: int = 0
    passed: int = 0
    wake: int = 0
    serial: int = 0


class Repeatable(Protocol):
    """What an execution shows of its state, and how it is told of what was left out."""

    places: list[ItemPlace]
    pipelines: dict[tuple[int, str], int]
    transactions: Transactions

    @property
    def now(self) -> int:
        """The cycle."""
        ...

    def counts(self) -> list[int]:
        """Return what was counted so far."""
        ...

    def add(self, more: list[int]) -> None:
        """Add to what was counted."""
        ...


def can_repeat(kernel: Kernel, banks: int) -> bool:
    """Return whether the state of an execution says what comes: no branch and no part of an iteration is by turns.

    Accesses that are spread over several banks take them by a sequence that does not repeat in any run.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from ppnsim.opencl.kernel import Block, BlockStep
    >>> block = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4, along=("items",)),))
    >>> kernels = [Kernel(name="f", work_items=32, body=(replace(block, trip=trip),)) for trip in (1, 100)]
    >>> [can_repeat(kernel, 2) for kernel in kernels]
    [False, True]
    """
    near = all(ITEMS in step.along for block, _ in kernel.blocks() for step in block.accesses)
    regular = all(_regular(node) for node in kernel.body)
    return regular and (near or banks == 1) and any(_times(node) > 1 for node in kernel.body)


def _times(node: KernelNode) -> int:
    return 1 if isinstance(node, KernelBranch) else int(node.trip)


def _regular(node: KernelNode) -> bool:
    if isinstance(node, KernelBranch) or node.trip != int(node.trip):
        return False
    return not isinstance(node, KernelLoop) or all(_regular(each) for each in node.body)


class Repeats:
    """Looks at the state whenever the first item begins an iteration, and leaves out what only repeats.

    The state that later ones are compared with is taken anew after 1, 2, 4, .. looks (Brent 1980).
    """

    def __init__(self) -> None:
        self.skipped = 0  # cycles that were left out
        self._looks, self._next = 0, 1
        self._state: Any = None
        self._then: tuple[int, int, list[int]] = (0, 0, [])

    def look(self, execution: Repeatable, leader: ItemPlace) -> None:
        """Compare the state with the one that is kept, and go on just before the end if they are the same."""
        now = execution.now
        state = self._state_of(execution, leader, now)
        if state == self._state:
            self._leave_out(execution, leader, now)
            self._state = None
            self._looks, self._next = 0, 1
            return
        self._looks += 1
        if self._looks == self._next:
            self._state, self._next = state, 2 * self._next
            self._then = now, leader.left, execution.counts()

    def _leave_out(self, execution: Repeatable, leader: ItemPlace, now: int) -> None:
        then, left, counts = self._then
        fewer = left - leader.left
        times = (min(place.left for place in execution.places) - 1) // fewer
        for place in execution.places:
            place.left -= times * fewer
        self.skipped += times * (now - then)
        execution.add([times * (count - before) for count, before in zip(execution.counts(), counts, strict=True)])

    def _state_of(self, execution: Repeatable, leader: ItemPlace, now: int) -> Sequence[object]:
        others = (each for each in execution.places if each is not leader)
        return (
            [
                (each.unit, each.top, each.passed, each.left - leader.left, each.wake - now)
                for each in sorted(others, key=lambda each: (each.wake, each.serial))
            ],
            leader.top,
            {name: slot - now for name, slot in execution.pipelines.items() if slot > now},
            execution.transactions.state(now),
        )  # fmt: skip
