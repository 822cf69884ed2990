"""The network of a dataflow region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.loops.program import LoopProgram
from ppnsim.source_networks.model import SourceNetwork


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a dataflow region is scheduled for."""

    device: str
    clock_ns: float
    unsafe_math: bool = False


def region_of(
    program: LoopProgram, directives: Directives, target: Target, *, path: str, defines: Mapping[str, str],
    include: Sequence[str], notes: tuple[str, ...],
) -> SourceNetwork | None:  # fmt: skip
    """Return the network of the dataflow regions of a program."""
    del directives, target, defines, include, notes
    raise InputError(f"{path}: the dataflow region of '{program.name}' can be scheduled only (ppnsim schedule)")
