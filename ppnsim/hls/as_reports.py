"""Cycle counts of a report: a synthesis report counts more cycles than the hardware takes (R5.12)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.context import EXTRACTED
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledRegion, StateMachine
from ppnsim.hls.structure.rewound import rewinding
from ppnsim.units import counted

VISIT, REWOUND = 2, 1
"""Cycles that a report adds for each run of a pipelined loop, and for a kernel that is one loop with ``rewind``."""
SAID = "reports of synthesis count"
"""First words of the sentence about these cycles."""
_LAST = f"{SAID} a state behind the last loop before 2021.1 (rule R5.12 in ppnsim/hls/RULES.md)"


def as_reports_count(machine: StateMachine, rules: Rules) -> StateMachine:
    """Return the schedule of a kernel without tasks; its cycles are those of a report if the rules ask for them."""
    if not rules.reported:
        return machine
    if rewinding(machine.tree) is not None:
        return replace(machine, cycles=machine.cycles + REWOUND, said=(*machine.said, *_words(REWOUND, REWOUND)))
    if not machine.regions:
        added = [_cycles_added(nest) for nest in machine.nests]
        more, words = sum(added), _words(sum(added), max(added, default=0))
        return replace(machine, cycles=machine.cycles + more, said=(*machine.said, *words))
    if rules.release and rules.release < EXTRACTED:
        last = int(_ends_in_loop(machine.regions[-1]))
        return replace(machine, cycles=machine.cycles + last, said=(*machine.said, *[_LAST] * last))
    regions = tuple(_with_visits(each) for each in machine.regions)
    more = sum(each.cycles for each in regions) - sum(each.cycles for each in machine.regions)
    return replace(machine, regions=regions, cycles=machine.cycles + more, said=(*machine.said, *_words(more)))


def _ends_in_loop(region: ScheduledRegion) -> bool:
    """Return whether a region ends with a loop: before 2021.1 the state machine has one more state there."""
    loops = [node.index for node in region.graph.nodes if node.kind == "call"]
    return any(region.schedule.result[each][0] >= region.schedule.states for each in loops)


def _words(more: int, each: int = VISIT) -> tuple[str, ...]:
    reports = f"{SAID} {counted(each, 'more cycle')} for each run of a pipelined loop"
    total = f"{more} in all, which are in it and the hardware does not take (rule R5.12 in ppnsim/hls/RULES.md)"
    return (f"{reports}: {total}",) if more else ()


def _cycles_added(nest: ScheduledNest) -> int:
    """Return the cycles that a report adds for a kernel that is one pipeline: none for a pipelined function."""
    return 0 if nest.body.pipeline.call else VISIT


def _with_visits(region: ScheduledRegion) -> ScheduledRegion:
    """Return a region with the cycles of a report; loops that start in one state run at the same time (R5.4)."""
    calls = [node.index for node in region.graph.nodes if node.kind == "call"]
    starts = len({region.schedule.issue[call][0] for call in calls})
    return replace(region, cycles=region.cycles + VISIT * starts * region.visits)
