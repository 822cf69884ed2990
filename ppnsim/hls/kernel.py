"""The door of this room: the schedule of a kernel, as high-level synthesis makes it of a loop program.

A kernel goes through these stages, each in a package of its own: directives (``pragmas``) decide with the rules on
loops and arrays (``structure``); a body becomes a data-flow graph (``graph``), and the graph a schedule (``schedule``);
the tasks of a dataflow region, each scheduled by itself, run at the same time (``dataflow``).
"""

from __future__ import annotations

from ppnsim.hls.dataflow.clocked import check_elements, check_fifos
from ppnsim.hls.dataflow.tasks import dataflow_region, in_tasks
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import state_machine
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.program import LoopProgram


def schedule_kernel(
    program: LoopProgram, library: Library, directives: Directives | None = None, rules: Rules = TOOL, *,
    known: Known | None = None,
) -> StateMachine:  # fmt: skip
    """Return the schedule of a kernel.

    Its cycles are those between start and done (R5.9). A state machine goes through regions; it visits the header of a
    loop once more than the loop runs (R5.1): the last visit is the first state of the code after the loop.

    Parameters
    ----------
    known : what calls with the same program, library and rules have found; this call adds to it.

    Raises
    ------
    InputError
        If an operator or type is not in the library, a directive cannot be followed, or a bound cannot be counted.
    """
    directives, program = directives or Directives(), without_structs(program)
    if (region := dataflow_region(program, directives)) is not None:
        machine = in_tasks(
            program, directives, region, lambda task: state_machine(task, library, directives, rules, Known())
        )  # fmt: skip
    else:
        machine = state_machine(program, library, directives, rules, known or Known())
        check_fifos(program, machine, directives)
    check_elements(program, machine, directives)
    return machine
