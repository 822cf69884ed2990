"""Useful and lost cycles of a loop nest, and of the processes of a simulated network.

Source: da Silva et al., A Lost Cycles Analysis for Performance Prediction using High-Level Synthesis (Eq. 1-5).
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from ppnsim.errors import InputError
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.run import Run
from ppnsim.model.summary import cycle_counts
from ppnsim.model.timeline import NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleSplit:
    """Cycles of a loop nest by what they are spent on (Eq. 5).

    Attributes
    ----------
    useful : cycles in which the operations of the algorithm start (L_c).
    initialisation : waiting for the stages of operators to fill (O_init).
    memory : accesses that nothing overlaps (O_mem).
    control : loop entry, exit, condition and synchronisation (O_ctrl).
    """

    useful: int = 0
    initialisation: int = 0
    memory: int = 0
    control: int = 0

    def __add__(self, other: CycleSplit) -> CycleSplit:
        return CycleSplit(
            useful=self.useful + other.useful, initialisation=self.initialisation + other.initialisation,
            memory=self.memory + other.memory, control=self.control + other.control,
        )  # fmt: skip

    @property
    def lost(self) -> int:
        """Cycles in which no operation of the algorithm starts (L_o, Eq. 5)."""
        return self.initialisation + self.memory + self.control

    @property
    def total(self) -> int:
        """All cycles (L_imp, Eq. 2)."""
        return self.useful + self.lost


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessSplit:
    """Where the cycles of a process went until the network finished; they add up to the finish.

    Attributes
    ----------
    process : its name.
    useful : a firing starts to execute; of a scheduled process, it goes through a step.
    initialisation : before the first start, for own results (the latency of a recurrence), after the last start.
    starved : between starts, a token of another process is missing.
    blocked : there is no room for a token.
    control : the initiation interval has not passed, which a scheduled process does not have.
    contention : every unit of a shared resource is taken.
    idle : its last firing has ended, others have not.
    """

    process: str
    useful: int
    initialisation: int
    starved: int
    blocked: int
    control: int
    contention: int
    idle: int

    @property
    def total(self) -> int:
        """All cycles."""
        return sum(astuple(self)[1:])

    @property
    def lost(self) -> int:
        """All cycles but the useful ones."""
        return self.total - self.useful


def lost_cycles(run: Run) -> tuple[ProcessSplit, ...]:
    """Return the useful and lost cycles of every process of a run that finished.

    The classes are those of T6.2. Two are divided further: missing tokens count as initialisation before the
    first start, when the network itself fills, and where a process waits for its own results, which is the latency of
    its pipeline seen from a recurrence.

    Raises
    ------
    InputError
        If the run ended in a deadlock, which never finishes.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> split = lost_cycles(run(predictor()))[1]
    >>> split.useful, split.initialisation, split.starved, split.blocked, split.idle, split.total
    (16, 62, 0, 0, 5, 83)
    """
    if run.finish is None:
        raise InputError("a run that deadlocks has no finish that its cycles could add up to")
    return tuple(_split(run, process.name) for process in run.network.processes)


def _split(run: Run, process: str) -> ProcessSplit:
    classes = cycle_classes(run.recorded, process)
    counts = cycle_counts(run, classes)
    starved = counts.starved
    own = {channel.name for channel in run.network.inputs(process) if channel.source == process}
    start = run.recorded.start(process)
    first = start[:1] if len(start) and start[0] != NEVER else np.zeros(1, dtype=np.int64)
    before = dict(zip(classes.labels, classes.before(first)[0].tolist(), strict=True))
    filling = sum(cycles for (name, cause), cycles in before.items() if name == "starved" and cause not in own)
    recurrence = sum(cycles for channel, cycles in starved.items() if channel in own)
    steps = counts.ii if run.network.process(process).schedule is not None else 0
    return ProcessSplit(
        process=process, useful=counts.starting + steps,
        initialisation=filling + recurrence + counts.draining,
        starved=sum(starved.values()) - filling - recurrence,
        blocked=sum(counts.blocked.values()), control=counts.ii - steps, contention=sum(counts.resource.values()),
        idle=counts.done,
    )  # fmt: skip
