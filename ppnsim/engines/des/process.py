"""What the three pipeline styles share: a process at run time, with its steps and their order (T1.3, T1.4)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from simpy import Environment

from ppnsim.engines.des.resources import Arbiter
from ppnsim.engines.des.stage import Step
from ppnsim.engines.program import ProcessProgram

Activity = Generator[Any, Any, None]


@dataclass(eq=False)
class RunningProcess:
    """One process while it runs.

    ``holds`` collects the ``(first, last + 1)`` cycles in which a flushable process was held; ``held_since`` is the
    first cycle of a hold that goes on.
    """

    env: Environment
    number: int
    lowered: ProcessProgram
    steps: list[Step]
    arbiter: Arbiter
    holds: list[tuple[int, int]] = field(default_factory=list)
    held_since: int | None = None

    def __post_init__(self) -> None:
        self._same_for_all = None if self.lowered.steps.varies else self._grouped(0)

    @property
    def now(self) -> int:
        """The current cycle."""
        return int(self.env.now)

    @property
    def firings(self) -> int:
        """How often the process executes, or passes a stop if it is scheduled."""
        return self.lowered.passings

    def groups(self, firing: int) -> list[tuple[int, list[int]]]:
        """Return ``(offset, steps)`` of a firing by ascending offset; steps at one offset pass together."""
        return self._same_for_all or self._grouped(firing)

    def _grouped(self, firing: int) -> list[tuple[int, list[int]]]:
        offsets = self.lowered.steps.offsets
        at = [int(row[firing] if self.lowered.steps.varies else row) for row in offsets]
        order = sorted(range(len(at)), key=at.__getitem__)
        return [(offset, list(steps)) for offset, steps in groupby(order, key=at.__getitem__)]

    def unit(self) -> Activity:
        """Wait for a unit of the shared resource, if the process names one; the start is otherwise possible now."""
        process = self.lowered.process
        if process.resource is not None:
            request = self.arbiter.request(self.number, process.resource, self.lowered.steps.read, process.ii)
            yield request.granted
