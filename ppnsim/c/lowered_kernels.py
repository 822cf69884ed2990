"""Lowers the chosen kernels of a file one by one; a kernel that cannot be lowered is left out, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ppnsim.c.branches import settled
from ppnsim.c.executed.budget import counted_together
from ppnsim.c.input_checks import deep_recursion
from ppnsim.c.kernels import Chosen, Skipped
from ppnsim.c.lowering.scope import Context
from ppnsim.c.lowering.variables.uses import shown, written
from ppnsim.c.policy import LoweringPolicy
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.c.pragmas.trips import Count
from ppnsim.c.programs import program_of
from ppnsim.c.syntax import Function, TranslationUnit
from ppnsim.errors import AdvisedError, InputError
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.work import limited

Recount = Callable[[Count, frozenset[str]], LoopProgram]
"""Reads a program with another count; of some loops, by their positions, the hardware has only copies."""


class KernelReader:
    """Reads one kernel after the other of a translation unit, with what they share."""

    def __init__(
        self, unit: TranslationUnit, pragmas: Pragmas, settings: Mapping[str, int], policy: LoweringPolicy,
        macros: Mapping[str, int],
    ) -> None:  # fmt: skip
        changed = frozenset(v for f in unit.functions.values() for v in written(f) if v.scope == "global") | shown(unit)
        # The same objects for each trip count:
        shared: dict[str, Any] = {"changed_globals": changed, "steering": {}, "executed": {}, "passed": set()}
        self.policy = policy
        self._context = partial(Context, unit, pragmas, settings, macros=macros, **shared)

    def read(self, kernel: Function, count: Count, copied: frozenset[str]) -> tuple[LoopProgram, Context]:
        """Return a kernel's loop program and the context it left, with this count and these copies for the policy's."""
        made = partial(self._context, policy=replace(self.policy, count=count, copied=copied))
        with deep_recursion(), limited(), counted_together():
            return settled(made, partial(program_of, kernel))

    def program(self, kernel: Function, count: Count, copied: frozenset[str]) -> LoopProgram:
        """Return the loop program of `read` alone."""
        return self.read(kernel, count, copied)[0]


@dataclass(slots=True)
class LoweredKernels:
    """What became of the chosen kernels; the fields are those of `Kernels`, with each assumption by its key."""

    programs: list[LoopProgram] = field(default_factory=list)
    refused: list[Skipped] = field(default_factory=list)
    assumed: dict[str, str] = field(default_factory=dict)
    ranged: dict[str, Recount] = field(default_factory=dict)
    forked: set[str] = field(default_factory=set)


def lowered_kernels(choice: Chosen, reading: KernelReader) -> LoweredKernels:
    """Return what becomes of the chosen kernels; raise the reason if none of them, or one that is asked, is lowered."""
    found, kinds = LoweredKernels(), list[type[InputError]]()
    for kernel in choice.kernels:
        try:
            program, context = reading.read(kernel, reading.policy.count, reading.policy.copied)
        except InputError as reason:
            if choice.asked or len(choice.kernels) == 1:
                raise
            found.refused.append(Skipped(kernel.name, str(reason)))
            kinds.append(AdvisedError if isinstance(reason, AdvisedError) else InputError)
            continue
        found.programs.append(program)
        found.assumed |= context.assumed
        found.forked |= {kernel.name} if context.branches else set()
        if context.ranged:
            found.ranged[kernel.name] = partial(reading.program, kernel)
    if not found.programs:
        raise _none_of(found.refused, kinds[0])
    return found


def _none_of(refused: Sequence[Skipped], kind: type[InputError]) -> InputError:
    """Return the error that no function can be analysed: the reason of the first function, and the other names."""
    first, *others = refused
    more = ", ".join(f"'{each.function}'" for each in others)
    return kind(f"{first.function}: {first.reason} (nor can the other functions with loops be analysed: {more})")
