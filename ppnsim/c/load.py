"""Reads a C or C++ file and returns the loop programs of its kernels; this is the entry point of the front-end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Never

from ppnsim.c.caller_interfaces import Handed, handed
from ppnsim.c.clang.parser import parse
from ppnsim.c.find_function import named_tops
from ppnsim.c.input_checks import (
    check_calls,
    check_settings,
    check_source,
    deep_recursion,
    macros_of_tool,
    settings_inside,
)
from ppnsim.c.kernels import Skipped, chosen
from ppnsim.c.lowered_kernels import KernelReader, Recount, lowered_kernels
from ppnsim.c.lowering.scope import Context
from ppnsim.c.plain import unit as plain
from ppnsim.c.policy import STRICT, LoweringPolicy
from ppnsim.c.pragmas.black_boxes import BlackBox, not_there
from ppnsim.c.pragmas.numbers import macro_values
from ppnsim.c.pragmas.placed import PlacedCount, placed_counts
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.c.sibling_sources import with_beside
from ppnsim.c.syntax import TranslationUnit
from ppnsim.loops.program import LoopProgram

_NONE: Mapping[str, Never] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Kernels:
    """The loop programs of the kernels of a file, and the functions that are left out.

    ``asked`` is true if the caller or the file names exactly these kernels; then none may be left out. ``assumed``
    lists the assumptions about functions without a body. ``ranged`` maps each program with a loop of a variable trip
    count to a function that reads the program again with another count. ``beside`` lists the sibling sources that were
    read with the file because they define functions that the file calls. ``handed`` holds the interface directives that
    the callers of a kernel give to its arrays, if they are followed. A kernel is in ``forked`` if data decides which
    loops of an ``if`` run, and one branch is always taken. ``tops`` are the kernels that contain ``#pragma HLS top``,
    or that such a pragma outside of functions names. ``called`` are the kernels that other functions call, which are
    modules of these functions (R6.8 of hls).
    """

    programs: tuple[LoopProgram, ...]
    skipped: tuple[Skipped, ...]
    asked: bool
    assumed: tuple[str, ...] = ()
    ranged: Mapping[str, Recount] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    handed: Mapping[str, tuple[Handed, ...]] = field(default_factory=dict)
    forked: frozenset[str] = frozenset()
    tops: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()


def load_unit(
    path: str, defines: Mapping[str, str] = _NONE, include: Sequence[str] = (), linked: Sequence[str] = ()
) -> TranslationUnit:  # fmt: skip
    """Return the syntax tree of a C or C++ file, read after the ``linked`` files; raise InputError if it is not C."""
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
    counts: Sequence[PlacedCount] = (), boxes: Sequence[BlackBox] = (),
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
    policy : how to read them. `HARDWARE` reads as high-level synthesis does, for the timing alone, and also reads
        sibling sources that define functions that the file only declares (`with_beside`).
    linked : further sources of the same design. They are read before the file, as one text with it.
    counts : trip counts that a script gives to loops by their labels.
    boxes : functions that RTL replaces; their bodies are not read.

    Raises
    ------
    InputError
        With file, line, column, expression and reason: not C, not an affine program, or no kernel.
    """
    for source in (path, *linked):
        check_source(source, defines, include)
    with deep_recursion():
        unit, beside = _read(path, defines, include, policy, linked, function, boxes)
        check_settings(unit, settings)
        pragmas = Pragmas(unit.active, placed_counts(counts, unit.functions.values(), unit.active), boxes)
        choice = chosen(Context(unit, pragmas, settings, policy=policy), function)
        check_calls(unit, choice.kernels)
        macros = macro_values(unit.active, defines) if policy.vendor_pragmas else {}
        lowered = lowered_kernels(choice, KernelReader(unit, pragmas, settings, policy, macros))
    assumed = {**beside, **{each: each for each in unit.assumed}, **lowered.assumed}
    assumed |= {each: each for each in settings_inside(unit, settings, choice.kernels)}
    assumed |= {each: each for each in not_there(boxes, {of.name for of in unit.functions.values()})}
    of_callers = {kernel.name: handed(kernel, unit, macros) for kernel in choice.kernels if policy.vendor_pragmas}
    return Kernels(
        tuple(lowered.programs), (*lowered.refused, *choice.skipped), choice.asked,
        tuple(dict.fromkeys(assumed.values())), lowered.ranged, tuple(beside), of_callers, frozenset(lowered.forked),
        named_tops(unit, pragmas.directives, choice.kernels),
        _called(unit) & {kernel.name for kernel in choice.kernels},
    )  # fmt: skip


def _called(unit: TranslationUnit) -> frozenset[str]:
    """Return the functions that a function other than ``main`` calls."""
    return frozenset(call.text for each in unit.functions.values() if each.name != "main" for call in each.calls())


def _read(
    path: str, defines: Mapping[str, str], include: Sequence[str], policy: LoweringPolicy, linked: Sequence[str],
    function: str | None, boxes: Sequence[BlackBox] = (),
) -> tuple[TranslationUnit, dict[str, str]]:  # fmt: skip
    """Return a file as the tool of the policy reads it, and the sibling sources read with it, each with a message."""
    read = partial(parse, path, macros_of_tool(defines) if policy.vendor_pragmas else defines, include, known={})
    unit = read(linked)
    if not policy.opens_calls:
        return unit, {}
    unit, beside = with_beside(unit, read, linked, function)
    replaced = {each.function for each in boxes}
    functions = {name: replace(of, body=None) if of.name in replaced else of for name, of in unit.functions.items()}
    return plain.plain_unit(replace(unit, functions=functions) if boxes else unit, polls=policy.polls), beside
