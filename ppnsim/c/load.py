"""The door of the front-end: a C file in, its loop programs out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Never

from ppnsim.c.clang.parser import parse
from ppnsim.c.given import check_settings, check_source, deep_recursion
from ppnsim.c.kernels import Skipped, chosen, inferred, scops
from ppnsim.c.lowering.functions.inline import entered, frame_of, timing_of
from ppnsim.c.lowering.functions.opened import single_exit
from ppnsim.c.lowering.lower import block
from ppnsim.c.lowering.places.bindings import bind_pointer, bound_value, is_bound
from ppnsim.c.lowering.places.elements import check_copies
from ppnsim.c.lowering.scope import ArrayPlace, Context, Scope
from ppnsim.c.lowering.variables.uses import written
from ppnsim.c.plain.unit import plain_unit
from ppnsim.c.policy import STRICT, LoweringPolicy
from ppnsim.c.pragmas.read import Pragmas, StatementTiming
from ppnsim.c.pragmas.text import macro_values
from ppnsim.c.regions import region_of, spelled
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit, refuse
from ppnsim.errors import InputError
from ppnsim.loops.program import Array, LoopProgram, Node

_NONE: Mapping[str, Never] = MappingProxyType({})
_SYNTHESIS = ("__SYNTHESIS__", "__VITIS_HLS__")  # macros that the tools for high-level synthesis define


@dataclass(frozen=True, slots=True)
class Kernels:
    """The loop programs of the kernels of a file, and the functions that are left out.

    ``asked``: the caller or the file names exactly these kernels, so that none may be left out. ``assumed`` says what
    is assumed of functions without a body. ``ranged`` are the programs with a loop whose iterations have a range, and
    whether each such range has an end.
    """

    programs: tuple[LoopProgram, ...]
    skipped: tuple[Skipped, ...]
    asked: bool
    assumed: tuple[str, ...] = ()
    ranged: Mapping[str, bool] = field(default_factory=dict)


def load_unit(
    path: str, defines: Mapping[str, str] = _NONE, include: Sequence[str] = (), linked: Sequence[str] = ()
) -> TranslationUnit:  # fmt: skip
    """Return the syntax tree of a C or C++ file behind those ``linked`` with it; raise InputError where it is not C."""
    for source in (path, *linked):
        check_source(source, defines, include)
    with deep_recursion():
        return parse(path, defines, include, linked)


def load_programs(
    path: str, *, function: str | None = None, defines: Mapping[str, str] = _NONE, include: Sequence[str] = (),
    settings: Mapping[str, int] = _NONE, policy: LoweringPolicy = STRICT, linked: Sequence[str] = (),
) -> list[LoopProgram]:  # fmt: skip
    """Return the loop programs of `load_kernels` alone."""
    return list(load_kernels(
        path, function=function, defines=defines, include=include, settings=settings, policy=policy, linked=linked
    ).programs)  # fmt: skip


def load_kernels(
    path: str, *, function: str | None = None, defines: Mapping[str, str] = _NONE, include: Sequence[str] = (),
    settings: Mapping[str, int] = _NONE, policy: LoweringPolicy = STRICT, linked: Sequence[str] = (),
) -> Kernels:  # fmt: skip
    """Return the loop programs of the kernels of a C or C++ file, in the order of the file.

    Kernels are the functions marked with ``#pragma ppnsim kernel``, else the functions with a ``#pragma scop``, else
    all functions with loops that no other kernel calls, except ``main`` and printing code. In the last case, a function
    that cannot be analysed is skipped, with the reason.

    Parameters
    ----------
    path : the file.
    function : the only function to look at.
    defines : macros, as with ``-D``.
    include : folders to look for headers in.
    settings : values of integer parameters and global variables.
    policy : how to read them. With `HARDWARE`, they are read as high-level synthesis does, for their timing alone.
    linked : further sources of the same design. They are read before the file, as one text with it.

    Raises
    ------
    InputError
        With file, line, column, expression and reason: not C, not an affine program, or no kernel.
    """
    for source in (path, *linked):
        check_source(source, defines, include)
    with deep_recursion():
        tool = {name: "1" for name in _SYNTHESIS if name not in defines} if policy.vendor_pragmas else {}
        unit = parse(path, {**tool, **defines}, include, linked)
        unit = plain_unit(unit, polls=policy.polls) if policy.opens_calls else unit
        check_settings(unit, settings)
        pragmas = Pragmas(unit.active)
        changed = frozenset(v for f in unit.functions.values() for v in written(f) if v.scope == "global")
        choice = chosen(Context(unit, pragmas, settings, policy=policy), function)
        macros = macro_values(unit.active, defines) if policy.vendor_pragmas else {}
        programs, refused = [], []
        assumed, ranged = dict[str, str](), dict[str, bool]()
        for kernel in choice.kernels:
            try:
                context = Context(unit, pragmas, settings, changed_globals=changed, policy=policy, macros=macros)
                programs.append(_program(kernel, context))
                assumed |= context.assumed
                ranged |= {kernel.name: not context.boundless} if context.ranged else {}
            except InputError as reason:
                if choice.asked or len(choice.kernels) == 1:
                    raise
                refused.append(Skipped(kernel.name, str(reason)))
    if not programs:
        more = ", ".join(f"'{each.function}'" for each in refused[1:])
        raise InputError(
            f"{refused[0].function}: {refused[0].reason} (nor can the other functions with loops be analysed: {more})"
        )
    return Kernels(tuple(programs), (*refused, *choice.skipped), choice.asked, tuple(assumed.values()), ranged)


def _program(kernel: Function, context: Context) -> LoopProgram:
    scope = entered(kernel, context)
    scope.inferred = inferred(kernel, context)
    timing = timing_of(kernel, scope, StatementTiming())
    assert kernel.body is not None
    body, inside = list[Node](), list[SyntaxNode]()
    regions = scops(kernel, context)
    after = kernel.body.position.line
    whole = single_exit(kernel, scope) if context.policy.opens_calls else kernel.body
    for node in whole.children if not regions else ():
        found = block([node], scope, timing, after)
        inside += [node] if found else []
        body, after = [*body, *found], node.end
    for first, last in regions:
        _declare(kernel.body, scope, first)
        inside = _within(kernel.body, first, last)
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
    """Refuse a pragma at the end of a block, where no statement follows."""
    for line in context.pragmas.timing_lines(body.position.file, body.position.line, body.end):
        around = body
        while inner := next((n for n in around.children if n.position.line < line < n.end), None):
            around = inner
        if not any(child.position.line > line for child in around.children):
            message = "#pragma ppnsim stands before no statement, loop or call; it belongs before one"
            raise InputError(message, where=f"{body.position.file}:{line}:1")


def _declare(node: SyntaxNode, scope: Scope, line: int) -> None:
    """Bind integers and pointers that get their value before a scop; other statements before it are left out."""
    for inner in node.walk():
        if inner.position.line >= line or not inner.children:
            continue
        variable = inner.variable if inner.kind == "declare" else inner.children[0].variable
        if inner.kind == "declare" and variable in scope.steering:
            block([inner], scope, StatementTiming(), line)
        elif inner.kind == "assign" and variable in scope.steering:
            bound_value(inner, scope)
        elif inner.kind in ("declare", "assign") and variable and variable.type.kind == "pointer":
            with suppress(InputError):  # what the scop does not use may be anything
                if is_bound(variable, scope):
                    bind_pointer(variable, inner.children[-1], scope)


def _within(node: SyntaxNode, first: int, last: int) -> list[SyntaxNode]:
    """Return the outermost statements between two lines; one that is only partly between them is refused."""
    found = []
    for child in node.children:
        begins, ends = first < child.position.line < last, first < child.end < last
        if begins and ends:
            found.append(child)
        elif begins or ends:
            words = f"#pragma scop (line {first}) to #pragma endscop (line {last}) hold only a part of this statement"
            refuse(child.position, f"{words}; put both around it, or both into its braces")
        elif child.position.line < first and child.end > last:
            found += _within(child, first, last)
    return found


def _ordered(kernel: Function, scope: Scope, arrays: Mapping[str, Array]) -> tuple[Array, ...]:
    """Return the arrays: parameters in their order, then the others in order of first use."""
    bound = [scope.bindings.get(parameter) for parameter in kernel.parameters]
    first = [each.array for each in bound if isinstance(each, ArrayPlace) and each.array in arrays]
    return tuple(arrays[name] for name in (*first, *(name for name in arrays if name not in first)))
