"""The structure of a whole kernel: pipelined functions, constants folded, every loop decided on (R1)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.library.types import Format
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.recent import Recent
from ppnsim.hls.rules import Rules
from ppnsim.hls.structure.decisions import structured
from ppnsim.hls.structure.folding import folded, tables_of
from ppnsim.hls.structure.trees import Tree
from ppnsim.hls.structure.unrolling import flat_in
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Loop, LoopProgram, Node


def pipelined_functions(program: LoopProgram, directives: Directives) -> tuple[LoopProgram, Directives]:
    """Unroll all loops in pipelined functions; a kernel that is pipelined itself becomes a loop of one iteration."""
    paths = []
    for number, frame in enumerate(program.frames):
        asked = directives.functions.get(scope_of(frame))
        if asked is not None and asked.pipeline and number:
            paths.append(frame.path)
        elif asked is not None and asked.pipeline:
            once = Loop(
                iterator=program.name, first=(Affine.of(0),), last=(Affine.of(0),), body=program.body,
                position=frame.position, end=frame.end,
            )  # fmt: skip
            loops = {scope_of(once): replace(asked, call=True)}
            return replace(program, body=(once,)), replace(directives, loops=loops)
    return (replace(program, body=flat_in(program.body, paths)) if paths else program), directives


def trees_of(
    program: LoopProgram, directives: Directives, rules: Rules, known: Recent[tuple[Tree, ...]]
) -> tuple[Tree, ...]:
    """Return the body of a program with every loop decided on."""
    formats = {array.name: Format.held(array, f"'{array.name}' of {program.name}") for array in program.arrays}
    real = {name for name, each in formats.items() if each.real}
    written = frozenset(access.array for statement in program.statements() for access in statement.writes)
    tables = tables_of(program.arrays, written)
    found: list[Tree] = []
    for number, node in enumerate(program.body):
        asked = tuple(directives.of(loop) for loop in all_loops((node,)))

        def made(node: Node = node) -> tuple[Tree, ...]:
            return structured((node,), real, directives, rules, lambda statement: folded(statement, tables))

        found += known.of((number, asked), made)
    return tuple(found)
