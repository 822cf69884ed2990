"""Builds the loop program of one kernel of a source under a policy."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.kernels import inferred, scops
from ppnsim.c.lowering.functions.frames import frame_of
from ppnsim.c.lowering.functions.inline import entered, timing_of
from ppnsim.c.lowering.functions.synthesis_inline import single_exit
from ppnsim.c.lowering.lower import block
from ppnsim.c.lowering.places.bindings import moves
from ppnsim.c.lowering.places.elements import check_copies, pointer
from ppnsim.c.lowering.scope import ArrayPlace, Context, Scope
from ppnsim.c.lowering.statements.bound_places import bound
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.regions import region_of, spelled
from ppnsim.c.scops import declare, within
from ppnsim.c.syntax import Function, SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.program import Array, LoopProgram, Node


def program_of(kernel: Function, context: Context) -> LoopProgram:
    """Return the loop program of a kernel: its arrays, its body, and the calls in it."""
    scope = entered(kernel, context)
    scope.inferred = inferred(kernel, context)
    timing = timing_of(kernel, scope, StatementTiming())
    assert kernel.body is not None
    body, inside = list[Node](), list[SyntaxNode]()
    regions = scops(kernel, context)
    after = kernel.body.position.line
    for parameter in kernel.parameters if context.policy.data_subscripts else ():
        if parameter.type.kind in ("pointer", "array") and moves(parameter, scope):  # bound like an alias of itself
            at = SyntaxNode("name", parameter.position, parameter.type, variable=parameter)
            body += bound(parameter, pointer(at, scope), scope, timing, at, scope)
    whole = single_exit(kernel, scope) if context.policy.opens_calls else kernel.body
    for node in whole.children if not regions else ():
        found = block([node], scope, timing, after)
        inside += [node] if found else []
        body, after = [*body, *found], node.end
    for first, last in regions:
        declare(kernel.body, scope, first)
        inside = within(kernel.body, first, last)
        body += block(inside, scope, timing, first)
    check_copies(context)
    _check_pragmas(kernel.body, context)
    region = region_of(kernel, scope, inside, regions)
    arrays = spelled(_ordered(kernel, scope, context.arrays), kernel, scope, region)
    frames = (frame_of(kernel, scope), *context.frames) if context.policy.opens_calls else ()
    return LoopProgram(
        name=kernel.name, arrays=arrays, body=tuple(body), file=context.unit.file, region=region, frames=frames,
        left_out=context.unit.left_out,
    )  # fmt: skip


def _check_pragmas(body: SyntaxNode, context: Context) -> None:
    """Refuse a pragma at the end of a block, because no statement follows it."""
    for line in context.pragmas.timing_lines(body.position.file, body.position.line, body.end):
        around = body
        while inner := next((n for n in around.children if n.position.line < line < n.end), None):
            around = inner
        if not any(child.position.line > line for child in around.children):
            message = "#pragma ppnsim stands before no statement, loop or call; it belongs before one"
            raise InputError(message, where=f"{body.position.file}:{line}:1")


def _ordered(kernel: Function, scope: Scope, arrays: Mapping[str, Array]) -> tuple[Array, ...]:
    """Return the arrays: parameters in their order, then the others in order of first use."""
    bound = [scope.bindings.get(parameter) for parameter in kernel.parameters]
    first = [each.array for each in bound if isinstance(each, ArrayPlace) and each.array in arrays]
    return tuple(arrays[name] for name in (*first, *(name for name in arrays if name not in first)))
