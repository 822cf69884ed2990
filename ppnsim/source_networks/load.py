"""The door of this room: the network of a function in a C or C++ source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ppnsim.c.load import Kernels, load_kernels
from ppnsim.c.policy import HARDWARE, LoweringPolicy
from ppnsim.derive.cycles import Cycles, Latencies
from ppnsim.derive.derive import derive
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.region import Target, region_of
from ppnsim.units import clock_ns

DEVICE, CLOCK = "xc7z020", "10 ns"
"""What a source is taken for where nobody says it: that of the published designs that schedules are measured on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A file, and what clang is told of it."""

    path: str
    function: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    include: Sequence[str] = ()
    settings: Mapping[str, int] = field(default_factory=dict)

    def kernels(self, policy: LoweringPolicy | None = None) -> Kernels:
        more: dict[str, Any] = {} if policy is None else {"policy": policy}
        return load_kernels(
            self.path, function=self.function, defines=self.defines, include=self.include, settings=self.settings,
            **more,
        )  # fmt: skip


def load_source(
    path: str, *, function: str | None = None, defines: Mapping[str, str] | None = None, include: Sequence[str] = (),
    settings: Mapping[str, int] | None = None, device: str | None = None, clock: str | float = CLOCK,
    pragmas: Sequence[str] = (), unsafe_math: bool = False,
    statements: Callable[[LoopProgram], Network] | None = None,
) -> SourceNetwork:  # fmt: skip
    """Return the network of a function: that of its dataflow region, else one with a process for each statement.

    Parameters
    ----------
    path : a C or C++ source.
    function : the function; it need not be named where the file has one kernel.
    defines, include : macros and folders of headers, as ``-D`` and ``-I`` of a compiler.
    settings : values of integer parameters and global variables.
    device : the board or device that a dataflow region is scheduled for; default ``xc7z020``.
    clock : period or frequency, ``"10 ns"``, ``"200 MHz"``, or a number of nanoseconds.
    pragmas : directives of a dataflow region, as if they stood in the source: ``"dataflow"``, ``"28: unroll"``.
    unsafe_math : whether sums of floating point are balanced in a dataflow region, which changes their results.
    statements : makes the network of a function without a dataflow region; default: `derive` with latencies of 1.

    Raises
    ------
    InputError
        If the file has several kernels and none is named, something in it cannot be followed, or one of the options
        for dataflow regions is given and there is none.
    """
    source = _Source(
        path=path, function=function, defines=defines or {}, include=include, settings=settings or {}
    )  # fmt: skip
    target = Target(device=device or DEVICE, clock_ns=clock_ns(clock), unsafe_math=unsafe_math)
    if (found := _region(source, pragmas, target)) is not None:
        return found
    for option, value in {"device": device, "pragmas": pragmas, "unsafe_math": unsafe_math}.items():
        if value:
            words = "has no '#pragma HLS dataflow', so it becomes a network of its statements"
            raise InputError(f"{words}, for which '{option}' means nothing", where=path)
    kernels = source.kernels()
    program = _only(kernels.programs)
    network = (statements or derive)(program)
    places = {each.owner: each.position for each in reversed(program.statements())}
    return SourceNetwork(
        network=network.replace(clock_ns=target.clock_ns), file=path, function=program.name, made_of="statements",
        places=places, notes=_notes(kernels),
    )  # fmt: skip


def load_source_network(
    path: str, *, function: str | None = None, defines: Mapping[str, str] | None = None, include: Sequence[str] = (),
    settings: Mapping[str, int] | None = None, device: str | None = None, clock: str | float = CLOCK,
    pragmas: Sequence[str] = (), unsafe_math: bool = False,
    latency: Latencies = 1, ii: Cycles = 1, io: bool = False, hazards: bool = False,
) -> Network:  # fmt: skip
    """Return the network of a function alone (`load_source`).

    ``latency``, ``ii``, ``io`` and ``hazards`` are those of `derive`, for a function without a dataflow region.
    """
    statements = partial(derive, latency=latency, ii=ii, io=io, hazards=hazards)
    return load_source(
        path, function=function, defines=defines, include=include, settings=settings, device=device, clock=clock,
        pragmas=pragmas, unsafe_math=unsafe_math, statements=statements,
    ).network  # fmt: skip


def _region(source: _Source, pragmas: Sequence[str], target: Target) -> SourceNetwork | None:
    """Return the network of the function with a dataflow region; None if there is no region."""
    try:
        kernels = source.kernels(HARDWARE)
        read = [(program, read_directives(sources_of(program), program, pragmas)) for program in kernels.programs]
    except InputError:
        # Without a region, a static affine program is read by other rules, and refused by their reasons.
        if pragmas or _mentions_region(source.path):
            raise
        return None
    if not any(_has_region(program, directives) for program, directives in read):
        return None
    _only(kernels.programs)
    return region_of(
        *read[0], target, path=source.path, defines=source.defines, include=source.include, notes=_notes(kernels)
    )


def _has_region(program: LoopProgram, directives: Directives) -> bool:
    """Return whether a directive makes a function or a loop of a program a dataflow region."""
    functions = [directives.functions.get(scope_of(frame)) for frame in program.frames]
    asked = [*functions, *(directives.of(loop) for loop in all_loops(program.body))]
    return any(each is not None and each.dataflow for each in asked)


def _mentions_region(path: str) -> bool:
    return "dataflow" in Path(path).read_text(encoding="utf-8", errors="replace").lower()


def _only(programs: Sequence[LoopProgram]) -> LoopProgram:
    if len(programs) > 1:
        names = ", ".join(program.name for program in programs)
        raise InputError(f"holds {len(programs)} kernels: choose one with --function ({names})")
    return programs[0]


def _notes(kernels: Kernels) -> tuple[str, ...]:
    return (*(f"skipped {each.function}: {each.reason}" for each in kernels.skipped), *kernels.assumed)
