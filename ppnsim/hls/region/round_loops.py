"""Rounds of a pipelined task without an end (``hls::task``) as a loop: one round starts every interval (R11.8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.model import Part, TaskCode, TaskLoop
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Frame, Loop, Node

IN_TURN = ("split_round_robin", "merge_round_robin", "split_load_balance", "merge_load_balance")
"""First parts of the names of ``hls::split`` and ``hls::merge`` tasks, from headers/vendor/hls_np_channel.h."""


def in_turn(task: str) -> bool:
    """Return whether a task is an ``hls::split`` or an ``hls::merge``, by its name."""
    return task.startswith(IN_TURN)


def round_loop(frame: Frame, body: Sequence[Node]) -> Loop:
    """Return the body of a function as a loop of one round, at the function's place in the source."""
    return Loop(
        iterator=f"rounds of {frame.path[-1]}", first=(Affine.of(0),), last=(Affine.of(0),), body=tuple(body),
        position=frame.position, end=frame.end,
    )  # fmt: skip


def with_rounds(body: Sequence[Node], rounds: int) -> tuple[Node, ...]:
    """Return the loop of `round_loop` with this number of rounds."""
    (loop,) = body
    assert isinstance(loop, Loop)
    return (replace(loop, last=(Affine.of(rounds - 1),)),)


def with_round_loops(directives: Directives) -> Directives:
    """Return directives that pipeline the loops of rounds instead of their functions."""
    asked = {scope: each for scope, each in directives.functions.items() if each.endless and each.pipeline}
    plain = {scope: replace(each, pipeline=None) for scope, each in asked.items()}
    return replace(directives, loops={**directives.loops, **asked}, functions={**directives.functions, **plain})


def standing(names: Collection[str]) -> tuple[str, ...]:
    """Return the assumptions about the pipelines of tasks without an end, a sentence for each kind of task.

    The tasks of ``hls::split`` and ``hls::merge`` hold no token when they stop (R7.6).
    """
    turns = sorted(each for each in names if in_turn(each))
    others = sorted(set(names) - set(turns))
    said = []
    if others:
        words = "stop as a whole when no token comes (rule R11.8 in ppnsim/hls/RULES.md); the tool lets them run empty"
        said.append(f"assumed: the pipelines of {', '.join(others)} {words}, which can be sooner")
    if turns:
        words = "pass one token a cycle, and a port without a buffer holds one (rule R7.6 in ppnsim/hls/RULES.md)"
        said.append(f"assumed: {', '.join(turns)} {words}")
    if balanced := [each for each in turns if "load_balance" in each]:
        words = "in turn, whole rounds of them, where the tool serves who comes first, which can be sooner (rule R7.6)"
        said.append(f"assumed: {', '.join(balanced)} serve their ports {words}")
    return tuple(said)


def leading_loops(part: Part) -> int:
    """Return the number of parts around everything else, up to the innermost loop around all tasks."""
    place = found = 0
    while not isinstance(part, TaskCode) and len(part.parts) == 1:
        place += 1
        found = place if isinstance(part, TaskLoop) else found
        part = part.parts[0]
    return found
