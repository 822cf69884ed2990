"""Waits that synthesis reports leave out: for arrays and scalars that the hardware does wait for (R9.40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ppnsim.hls.as_reports import SAID
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.memories import Shared
from ppnsim.hls.region.model import Part, TaskCode
from ppnsim.hls.region.struct_words import Aggregates
from ppnsim.hls.region.task_variants import TimedTask
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.loops.program import Array

NO_WAIT = f"{SAID} no wait for scalars and for arrays that their writer loads again (rule R9.40)"
"""The sentence about tasks that are not run against each other."""


@dataclass(frozen=True, slots=True)
class ReportedRegion:
    """The arrays that a report's tasks do not wait for: scalars, streamed arrays, and arrays their writer reloads.

    Attributes
    ----------
    loads : for each task, the arrays that it loads from a memory.
    """

    directives: Directives
    loads: Mapping[Leaf, frozenset[str]]

    @classmethod
    def of(cls, directives: Directives, machines: Mapping[Leaf, StateMachine]) -> ReportedRegion:
        """Return the object for tasks with these schedules."""
        return cls(directives, {leaf: loaded(machine) for leaf, machine in machines.items()})

    def on_words(self, on: Mapping[Leaf, Leaf], words: Aggregates) -> ReportedRegion:
        """Return the object for the same tasks on words, with the memories named by ``words``."""
        return replace(self, loads={on[leaf]: _memories(names, words) for leaf, names in self.loads.items()})

    def overlaps(self, array: Array, shared: Shared, writer: Leaf) -> str:
        """Return why the readers of an array start with its writer, "" if they wait for the writer's end."""
        if not array.shape:
            return "a scalar is a FIFO there"
        if self.directives.fifo_of(array) is not None:
            return "a directive makes it a FIFO"
        loads = writer in shared.reads and array.name in self.loads[writer]
        return f"'{writer.name}' loads it again" if loads else ""


def loaded(machine: StateMachine) -> frozenset[str]:
    """Return the arrays that some code loads from their memories."""
    graphs = [*(nest.body.graph for nest in machine.nests), *(region.graph for region in machine.regions)]
    nodes = (node for graph in graphs for node in graph.nodes if node.kind == "load" and node.port)
    return frozenset(node.access.array for node in nodes if node.access is not None)


def loaded_in(part: Part, timed: Mapping[TaskCode, TimedTask], words: Aggregates) -> frozenset[str]:
    """Return the arrays that the scheduled tasks of a part load, by their memories."""
    if isinstance(part, TaskCode):
        machines = timed[part].machines.values() if part in timed else ()
        return _memories(frozenset[str]().union(*map(loaded, machines)), words)
    return frozenset[str]().union(*(loaded_in(each, timed, words) for each in part.parts))


def _memories(arrays: Iterable[str], words: Aggregates) -> frozenset[str]:
    return frozenset(words[each].memory if each in words else each for each in arrays)


def told(array: str, reader: str, why: str) -> str:
    """Return a sentence about a reader that does not wait."""
    return f"{SAID} no wait of '{reader}' for '{array}' ({why}); the hardware waits (rule R9.40)"
