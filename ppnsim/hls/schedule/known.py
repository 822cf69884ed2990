"""What the schedules of one program under different directives have in common: it is found once."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.recent import Recent
from ppnsim.hls.schedule.model import ScheduledRegion
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.trees import Serial, Tree


@dataclass(slots=True)
class Known:
    """What is known of a program, a library and rules, whatever the directives.

    Attributes
    ----------
    trees : structures of the nodes of the program's body, by the directives of the loops in them.
    regions : of the outermost loops of the state machine, by the identity of the loop and the partitions of its arrays.
        The loop is kept beside its regions, so that no other object can get its identity.
    schedules : of the bodies of pipelined loops, by their graph.
    """

    trees: Recent[tuple[Tree, ...]] = field(default_factory=Recent)
    regions: Recent[tuple[Serial, list[ScheduledRegion]]] = field(default_factory=Recent)
    schedules: Recent[Schedule] = field(default_factory=Recent)
