"""The entry point of HLS: `schedule_kernel` schedules a loop program as a high-level synthesis tool does.

A kernel goes through these stages, each in its own package. The directives (``pragmas``) and the rules decide the
structure of loops and arrays (``structure``). Each loop body becomes a data-flow graph (``graph``), and the graph
becomes a schedule (``schedule``). Tasks of dataflow regions are scheduled separately, and then run as a process network
(``region``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ppnsim.hls.as_reports import as_reports_count
from ppnsim.hls.idle_loops import said_of_idle, without_idle_loops
from ppnsim.hls.library.library import Library
from ppnsim.hls.loop_names import called, labels_of
from ppnsim.hls.numbers import with_numbers
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region import estimate, network, outcome
from ppnsim.hls.region.checks import check_elements, check_fifos
from ppnsim.hls.region.data_ended_loops import with_brought_trips
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.settled_conditions import without_decided
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.concurrent_functions import with_calls_at_once
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import of_release, state_machine
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.aggregates import kept_together
from ppnsim.hls.structure.constant_fills import constant_tables, with_computed_tables
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.rewound import without_calls
from ppnsim.hls.structure.roms import with_roms
from ppnsim.hls.structure.shared_functions import counted_alike
from ppnsim.hls.structure.threaded import with_alternatives
from ppnsim.hls.unused import removed, without_unused
from ppnsim.loops.program import LoopProgram

START, ARGUMENT = 14, 10
"""Cycles to start a kernel through an AXI-lite port, and to write each scalar argument into its registers (R9.11)."""


def schedule_kernel(
    program: LoopProgram, library: Library, directives: Directives | None = None, rules: Rules = TOOL, *,
    known: Known | None = None, on_deadlock: Literal["raise", "return"] = "raise", estimates: bool = False,
) -> StateMachine:  # fmt: skip
    """Return the schedule of a kernel.

    Its cycles are counted from start to done (R5.9). A state machine goes through regions; it visits the header of a
    loop once more than the loop runs (R5.1): the last visit is the first state of the code after the loop. The dataflow
    regions of a kernel are run as a process network (R7).

    Parameters
    ----------
    known : results of earlier calls with the same program, library and rules; this call adds to them.
    on_deadlock : ``raise`` a `DeadlockError` if the tasks of a region wait for ever, or ``return`` the schedule with
        the deadlock in its ``outcome``.
    estimates : if a region cannot become a process network, estimate its cycles from its tasks (R7.4).

    Raises
    ------
    InputError
        If an operator or type is not in the library, a directive cannot be followed, or a bound cannot be counted.
    DeadlockError
        If the tasks of a dataflow region wait for each other for ever, and ``on_deadlock`` is ``raise``.
    """
    directives, program = directives or Directives(), with_alternatives(without_structs(program))
    program, brought = with_brought_trips(program, directives, annotated=rules.count != "usual")
    machine = _schedule(program, library, directives, rules, known, on_deadlock, estimates=estimates)
    return replace(machine, said=(*machine.said, *brought)) if brought else machine


def _schedule(
    program: LoopProgram, library: Library, directives: Directives, rules: Rules, known: Known | None,
    on_deadlock: Literal["raise", "return"], *, estimates: bool,
) -> StateMachine:  # fmt: skip
    try:
        # All tasks count the same iterations, otherwise their tokens do not match.
        region = network.region_network(program, library, directives, replace(rules, count="usual"))
        machine = None if region is None else outcome.region_machine(region, on_deadlock)
    except NoNetwork as reason:
        if not estimates:
            raise
        bodies = (known or Known()).schedules  # tasks of a region, in rounds that differ, may share them

        def scheduled(task: LoopProgram) -> StateMachine:
            return as_reports_count(state_machine(task, library, directives, rules, Known(schedules=bodies)), rules)

        return estimate.estimated(
            without_decided(program), directives, scheduled, reason, rules.count, rules.release,
            reported=rules.reported,
        )  # fmt: skip
    if machine is None:
        recent, directives = of_release(rules, library).recent, without_calls(directives, program)
        running = without_idle_loops(program)
        numbered = with_numbers(running)
        left = without_unused(numbered)
        lasting = with_roms(with_computed_tables(left) if recent else left, rules.release)
        machine = as_reports_count(state_machine(lasting, library, directives, rules, known or Known()), rules)
        if recent or not rules.vitis:
            inlined = directives.inlined(program.frames)
            aggregates = kept_together(directives.aggregates, rules.release, machine.registers)
            machine = with_calls_at_once(machine, inlined, program.frames, directives.storage, aggregates)
        gone = (*said_of_idle(program, running), *removed(numbered, left))
        machine = replace(machine, said=(*machine.said, *gone, *constant_tables(lasting)))
        if rules.count != "usual":
            machine = replace(machine, said=(*machine.said, *counted_alike(machine.tree, lasting)))
        try:
            check_fifos(program, machine, directives)
        except NoNetwork as reason:
            words = "how full the FIFOs get that the same code fills and empties is not checked"
            machine = replace(machine, said=(*machine.said, f"{words}: {reason}"))
    if rules.count == "usual":
        check_elements(program, machine, directives)
    for loop in directives.dissolved(program.body):
        words = f"the dataflow region of {called(loop, labels_of(program))} is none"
        machine = replace(machine, said=(*machine.said, f"{words}: a directive pipelines a loop around it"))
    if not (control := control_cycles(directives, of_release(rules, library))):
        return machine
    if rules.count != "usual":
        words = f"{control} cycles for the registers of its AXI-lite port are left out, as reports of synthesis do"
        return replace(machine, said=(*machine.said, words))
    words = f"in {control} of the cycles registers of its AXI-lite port are written and read, as in an RTL simulation"
    return replace(machine, cycles=machine.cycles + control, said=(*machine.said, words))


def control_cycles(directives: Directives, rules: Rules) -> int:
    """Return the cycles in which the registers of an AXI-lite port are written and read around a run (R9.11)."""
    if not rules.recent or "return" not in directives.control:
        return 0
    return START + ARGUMENT * (len(directives.control) - 1)
