"""What synthesis does to the code of a kernel with dataflow regions before its tasks are scheduled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ppnsim.hls.idle_loops import said_of_idle, without_idle_loops
from ppnsim.hls.numbers import with_numbers
from ppnsim.hls.structure.roms import with_roms
from ppnsim.hls.unused import removed, shared_by_tasks, without_unused
from ppnsim.loops.program import LoopProgram, Node


def simplified(
    program: LoopProgram, release: str, tasks: Callable[[LoopProgram], list[Sequence[Node]]]
) -> tuple[LoopProgram, tuple[str, ...]]:  # fmt: skip
    """Return a kernel with known numbers, without unused code (R5.10) and without loops that fill tables (R9.44).

    What tasks pass on to each other stays; ``tasks`` returns the code of each. The sentences say what is removed.
    """
    shared = shared_by_tasks(program, tasks(program))
    running = without_idle_loops(program)
    numbered = with_numbers(running, shared)
    left = without_unused(numbered, shared)
    return with_roms(left, release, partial(tasks, left)), (*said_of_idle(program, running), *removed(numbered, left))
