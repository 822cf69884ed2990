"""The process network of a kernel's dataflow regions (R7): each task is a scheduled process (T3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ppnsim.hls.as_reports import as_reports_count
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region import channels as between
from ppnsim.hls.region import ports, streamed
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.as_reports import ReportedRegion
from ppnsim.hls.region.checks import chosen
from ppnsim.hls.region.data_ended_loops import check_chosen
from ppnsim.hls.region.leaves import Leaf, leaves_of
from ppnsim.hls.region.model import Part
from ppnsim.hls.region.parts import parts_of
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.rhythms import Rhythm, rhythms_of, seen_by_buses
from ppnsim.hls.region.round_loops import leading_loops, standing, with_round_loops
from ppnsim.hls.region.rounds import NOTHING
from ppnsim.hls.region.settled_conditions import without_decided
from ppnsim.hls.region.simplified import simplified
from ppnsim.hls.region.struct_words import tasks_on_words, with_shared_ports, with_words, words_directed
from ppnsim.hls.region.task_schedules import run_again, scheduled_tasks
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import of_release, state_machine
from ppnsim.hls.schedule.model import RegionChannel, RegionNetwork, RegionTask, StateMachine
from ppnsim.hls.structure.aggregates import kept_together
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.threaded import with_alternatives
from ppnsim.loops.program import LoopProgram, Node
from ppnsim.model import elements
from ppnsim.model import network as networks
from ppnsim.model.step_lists import StepList

LARGEST = 40_000_000
"""Most starts of a task that are run one by one: 320 MB for each list; tasks with more starts are estimated."""


def region_network(
    program: LoopProgram, library: Library, directives: Directives | None = None, rules: Rules = TOOL, *,
    piece: int = 0, outside: Mapping[str, int] = NOTHING,
) -> RegionNetwork | None:  # fmt: skip
    """Return the process network of a kernel's dataflow regions, None for a kernel without one.

    Regions in tasks, in loops, and in sequence are one flat network. A task has ``steps`` pipeline steps: the cycles of
    its code without any wait. A FIFO is a channel with the steps of its accesses. An array or scalar between tasks is a
    channel of whole copies and a channel of free copies back: the writing task writes it in its last step, the reading
    task reads it in its first step.

    Parameters
    ----------
    piece : bytes of a request to the memory on the bus; 0: a burst is one request.
    outside : known numbers of tokens that come from outside for tasks without an end, by FIFO.

    Raises
    ------
    InputError
        If a FIFO or array has not exactly one writing task and later reading tasks, or its number of tokens is unknown.
    """
    directives, program = directives or Directives(), without_decided(with_alternatives(without_structs(program)))
    if (found := _tasks_of(program, directives)) is None:
        return None
    check_chosen(program, found[1], directives)
    program, unused = simplified(program, rules.release, partial(_bodies_of, directives))
    program, directives, said = streamed.with_fifos(program, directives, found[1])
    part, leaves = _tasks_of(program, directives, joined := dict[str, None]()) or found
    directives = with_round_loops(directives)
    rules = of_release(rules, library)
    if rules.recent:
        directives = with_shared_ports(program, directives, leaves, rules.release)
    directives, scheduled = scheduled_tasks(program, library, directives, rules, leaves)
    again = partial(_task_alone, library, directives, rules)
    machines, clocks = run_again(program, scheduled, outside, again)
    machines = {leaf: one if leaf.endless else as_reports_count(one, rules) for leaf, one in machines.items()}
    leaves = list(machines)
    rhythms, waiting = rhythms_of(machines, clocks, directives, rules)
    rounds = leading_loops(part)
    # Runs that overlap are steps of one run of a process.
    outer = 0 if any(each.rewinds for each in rhythms.values()) else rounds
    seen = seen_by_buses(clocks, rhythms, rules)
    buses = ports.bus_ports(program, directives, leaves, seen, rhythms, outer, piece=piece)
    channels, handed = _between(program, directives, machines, clocks, rhythms, outer, rules)
    tasks = {
        leaf.name: RegionTask(
            leaf.name,
            leaf.position,
            machines[leaf],
            leaf.times(),
            rhythm.span,
            leaf.endless,
            rhythm.period,
            chosen(leaf),
        )
        for leaf, rhythm in rhythms.items()
    }
    channels += [(each, RegionChannel("port", "", "", port.place)) for port in buses.ports for each in port.channels]
    processes = [_process(leaf, clocks[leaf], rhythms[leaf], outer) for leaf in leaves] + buses.processes
    network = networks.Network(
        name=program.name, processes=processes, channels=[channel for channel, _ in channels],
        clock_ns=library.clock_ns, resources=buses.resources,
    )  # fmt: skip
    origins = {channel.name: origin for channel, origin in channels}
    return RegionNetwork(
        network, tasks, origins, leaves[0].times(0, rounds), buses,
        (*joined, *said, *handed, *waiting, *unused, *standing([leaf.name for leaf in leaves if leaf.pipelined])),
    )  # fmt: skip


def _task_alone(library: Library, directives: Directives, rules: Rules, task: LoopProgram) -> StateMachine:
    """Return the schedule of a task whose memories are divided already."""
    return state_machine(task, library, directives, rules, Known.once(), inferred_already=True)


def _between(
    program: LoopProgram, directives: Directives, machines: Mapping[Leaf, StateMachine], clocks: Mapping[Leaf, Clocked],
    rhythms: Mapping[Leaf, Rhythm], outer: int, rules: Rules,
) -> tuple[list[tuple[elements.Channel, RegionChannel]], list[str]]:  # fmt: skip
    """Return the channels between tasks, and the assumptions about them; structs in words count as one array."""
    reported = ReportedRegion.of(directives, machines) if rules.reported else None
    apart = between.ChannelsBetween(
        program, directives, leaves := list(machines), clocks, rhythms, outer, rules.recent, reported
    )
    channels = list(apart.all())
    registers = frozenset[str]().union(*(machine.registers for machine in machines.values()))
    if not (words := kept_together(directives.aggregates, rules.release, registers)):
        return channels, apart.said
    on = tasks_on_words(leaves, words)
    joined = between.ChannelsBetween(
        with_words(program, words), words_directed(directives, words), [on[leaf] for leaf in leaves],
        {on[leaf]: each for leaf, each in clocks.items()}, {on[leaf]: each for leaf, each in rhythms.items()},
        outer, rules.recent, reported and reported.on_words(on, words),
    )  # fmt: skip
    return list(joined.all()), joined.said


def _tasks_of(
    program: LoopProgram, directives: Directives, told: dict[str, None] | None = None
) -> tuple[Part, list[Leaf]] | None:
    """Return the parts of a kernel and its tasks, None if it has no region."""
    part = parts_of(program, directives, told)
    streams = frozenset(array.name for array in program.arrays if array.stream)
    buses = frozenset(name for name, each in directives.storage.items() if each.kind == "bus")
    return None if part is None else (part, leaves_of(part, streams, buses))


def _bodies_of(directives: Directives, program: LoopProgram) -> list[Sequence[Node]]:
    """Return the code of each task."""
    found = _tasks_of(program, directives)
    return [leaf.body for leaf in found[1]] if found else []


def _process(leaf: Leaf, times: Clocked, rhythm: Rhythm, outer: int) -> elements.Process:
    repeats = leaf.times(outer)
    starts = StepList(rhythm.again(times.starts or (0,), repeats))
    if starts.count > LARGEST:
        words = f"task '{leaf.name}' starts {starts.count} iterations, and at most {LARGEST} are run one by one"
        raise NoNetwork(words, where=str(leaf.position))
    return elements.Process.scheduled(
        name=leaf.name, steps=rhythm.steps(repeats), runs=leaf.times(0, outer), start_steps=starts
    )
