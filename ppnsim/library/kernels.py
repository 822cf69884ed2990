"""The loop programs of a C or C++ source, and work that is done for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ppnsim.c.input_checks import deep_recursion
from ppnsim.c.load import Kernels
from ppnsim.c.policy import STRICT, LoweringPolicy
from ppnsim.errors import InputError
from ppnsim.files import load_as, refuse_options
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.library.place import Place, tell
from ppnsim.loops.program import LoopProgram
from ppnsim.source_networks.of_callers import Callers

KernelLike = LoopProgram | Kernels | Place
"""A loop program, those of a source, or the path of one."""

Result = TypeVar("Result")


def kernels_of(
    given: KernelLike, *, policy: LoweringPolicy = STRICT, silent: bool = False, told: set[str] | None = None,
    **options: Any,
) -> Kernels:  # fmt: skip
    """Return the loop programs of a source; what was left out or assumed is told on the error stream.

    Parameters
    ----------
    silent : leave it to the caller to tell it.
    told : sentences that were told for the same source before, and are not told again; new ones are added.
    options : for a path: ``function``, ``defines``, ``include``, ``settings``.

    Raises
    ------
    InputError
        If the source cannot be read, or options for a path are given with an object.
    """
    if not isinstance(given, LoopProgram | Kernels):
        found = load_as(given, Kernels, **options, policy=policy)
        before = set[str]() if told is None else told
        for sentence in (*(f"skipped {each.function}: {each.reason}" for each in found.skipped), *found.assumed):
            if not silent and sentence not in before:
                before.add(sentence)
                tell(sentence)
        return found
    refuse_options(options)
    return given if isinstance(given, Kernels) else Kernels(programs=(given,), skipped=(), asked=True)


def one_kernel(given: KernelLike, *, policy: LoweringPolicy = STRICT, **options: Any) -> LoopProgram:
    """Return the loop program of a source that must hold one kernel, or of the one that ``function`` names."""
    return _only(kernels_of(given, policy=policy, **options))


def synthesised_kernel(
    given: KernelLike, *, policy: LoweringPolicy, told: set[str] | None = None, **options: Any
) -> tuple[LoopProgram, Directives]:
    """Return the only kernel of a source as `one_kernel` does, and its directives as ``ppnsim schedule`` reads them.

    What is made of its arguments is told on the error stream (R6.8, R6.26).
    """
    before = set[str]() if told is None else told
    kernels = kernels_of(given, policy=policy, told=before, **options)
    program, callers = _only(kernels), Callers.of(kernels)
    directives = callers.directives(program)
    for sentence in (*callers.told(program), *callers.said(program, directives)):
        if sentence not in before:
            before.add(sentence)
            tell(sentence)
    return program, directives


def _only(kernels: Kernels) -> LoopProgram:
    if len(kernels.programs) > 1:
        names = ", ".join(program.name for program in kernels.programs)
        raise InputError(f"holds {len(kernels.programs)} kernels: choose one with --function ({names})")
    return kernels.programs[0]


def each_kernel(
    found: Kernels, work: Callable[[LoopProgram], Result], skipped: list[dict[str, str]]
) -> Iterator[Result]:
    """Yield what ``work`` returns for each kernel of a source; functions that cannot be used go to ``skipped``.

    An error is raised only if no kernel is left, or if the kernel was asked for.
    """
    done = 0
    skipped += ({"function": each.function, "reason": each.reason} for each in found.skipped)
    for program in found.programs:
        try:
            with deep_recursion():  # statements may stand in many branches
                result = work(program)
        except InputError as reason:
            if found.asked or len(found.programs) == 1:
                raise
            tell(f"skipped {program.name}: {reason}")
            skipped.append({"function": program.name, "reason": str(reason)})
        else:
            done += 1
            yield result
    if not done:
        named = ((f"{each['function']}: ", each["reason"]) for each in skipped)
        raise InputError("; ".join(name + reason.removeprefix(name) for name, reason in named))


def of_kernels(file: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the result of a source: that of its kernel, or a list ``kernels`` if several were asked for.

    Examples
    --------
    >>> of_kernels("k.c", [{"function": "f"}])
    {'function': 'f'}
    >>> of_kernels("k.c", [{"function": "f"}, {"function": "g"}])
    {'file': 'k.c', 'kernels': [{'function': 'f'}, {'function': 'g'}]}
    """
    return results[0] if len(results) == 1 else {"file": file, "kernels": results}
