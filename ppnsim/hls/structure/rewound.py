"""Rewinding loops: a kernel or task that is one loop with ``pipeline rewind`` starts again while it ends (R5.26)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.shared_functions import frame_of
from ppnsim.hls.structure.sinking import sunk
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.loops.program import Frame, LoopProgram

CALLED = "its function is called by other code, which waits for its end"


def rewound(
    trees: Sequence[Tree], frames: Sequence[Frame], is_number: Callable[[GuardedStatement], bool],
    is_copy: Callable[[GuardedStatement], bool],
) -> tuple[Tree, ...]:  # fmt: skip
    """Return the trees of a kernel or task: a loop that rewinds takes the code before it into its pipeline.

    Other loops with the directive lose it, and say in ``unwound`` why.

    Parameters
    ----------
    is_number, is_copy : whether a statement before or behind the loop takes no state, and stays there.
    """
    if not any(each.rewind for each in _pipelines(trees)):
        return tuple(trees)
    before = list(takewhile(lambda each: not isinstance(each, Pipeline | Serial), trees))
    loops = [each for each in trees if not isinstance(each, GuardedStatement)]
    behind = [each for each in trees[len(before) + 1 :] if not (isinstance(each, GuardedStatement) and is_copy(each))]
    if len(loops) > 1:
        return _unwound(trees, "its function has more than one loop")
    if isinstance(loops[0], Serial):
        return _unwound(trees, "a loop around it starts it again, which is not flattened with it")
    if behind:
        return _unwound(trees, "code behind it waits for its end")
    loop = loops[0]
    first = [each for each in before if isinstance(each, GuardedStatement)]
    if reason := _hindrance(loop, first, frames):
        return _unwound(trees, reason)
    return (*_with_code(loop, first, is_number), *trees[len(before) + 1 :])


def _with_code(
    loop: Pipeline, first: Sequence[GuardedStatement], is_number: Callable[[GuardedStatement], bool]
) -> tuple[Tree, ...]:  # fmt: skip
    """Return a loop with the code before it; numbers that only the loop uses are start values of its registers."""
    computed = [each for each in first if not is_number(each)]
    touched = {access.array for each in computed for access in (*each.statement.reads, *each.statement.writes)}
    starts = [each for each in first if is_number(each) and touched.isdisjoint(w.array for w in each.statement.writes)]
    return (*starts, sunk(loop, (*(each for each in first if each not in starts), loop), loop.loops[0]))


def rewinding(trees: Sequence[Tree]) -> Pipeline | None:
    """Return the loop of a kernel or task that starts again while it ends, None if it ends first."""
    return next((each for each in trees if isinstance(each, Pipeline) and each.rewind), None)


def without_calls(directives: Directives, program: LoopProgram) -> Directives:
    """Return the directives of a kernel without tasks: loops in functions that it calls do not rewind."""
    own = {*directives.inlined(program.frames), *(frame.path for frame in program.frames[:1])}
    loops = (each for each in all_loops(program.body) if directives.of(each).rewind)
    called = ((each, frame_of(each, program.frames)) for each in loops)
    fixed = {
        scope_of(each): replace(directives.of(each), rewind=False)
        for each, frame in called if frame is not None and frame.path not in own
    }  # fmt: skip
    return replace(directives, loops={**directives.loops, **fixed}) if fixed else directives


def _hindrance(loop: Pipeline, before: Sequence[GuardedStatement], frames: Sequence[Frame]) -> str:
    """Return why the only loop of a function does not rewind, "" if it does."""
    if loop.call:
        return "a pipelined function takes new arguments anyway"
    if loop.around or any(each.under is not None for each in loop.loops):
        return "a condition decides whether it runs"
    if any(each.assumed or each.ended or each.left or constant_trips(each) is None for each in loop.loops):
        return "how often it runs is not a constant"
    if any(constant_trips(each) == 0 for each in loop.loops):
        return "it has no iteration"
    if any(each.conditions for each in before):
        return "code before it is under a condition"
    frame = frame_of(loop.loops[0], frames)
    if frame is not None and any(each.statement.path[: len(frame.path)] != frame.path for each in before):
        return CALLED
    return ""


def _pipelines(trees: Sequence[Tree]) -> list[Pipeline]:
    found: list[Pipeline] = []
    for tree in trees:
        found += _pipelines(tree.body) if isinstance(tree, Serial) else [tree] if isinstance(tree, Pipeline) else []
    return found


def _unwound(trees: Sequence[Tree], reason: str) -> tuple[Tree, ...]:
    """Return trees in which no loop rewinds, for a reason."""
    found: list[Tree] = []
    for tree in trees:
        if isinstance(tree, Serial):
            found.append(replace(tree, body=_unwound(tree.body, reason)))
        elif isinstance(tree, Pipeline) and tree.rewind:
            found.append(replace(tree, rewind=False, unwound=reason))
        else:
            found.append(tree)
    return tuple(found)
