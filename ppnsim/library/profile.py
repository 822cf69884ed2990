"""``ppnsim.profile``: what C kernels can reach as process networks, without building them in hardware."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from ppnsim.derive.derive import channels as channels_of
from ppnsim.derive.derive import derive, with_streams
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.derive.estimate.report import KernelProfile, print_profile, profile_result
from ppnsim.derive.given import Cycles, Latencies
from ppnsim.derive.hazards import orderings
from ppnsim.explore.fifo.selftimed import selftimed_sizes
from ppnsim.library.answer import Answer
from ppnsim.library.cycles import timed_each
from ppnsim.library.kernels import KernelLike, each_kernel, kernels_of, of_kernels
from ppnsim.library.place import tell
from ppnsim.library.rewriting import rewritten, steps_of
from ppnsim.loops.program import LoopProgram
from ppnsim.report.text import plain_line
from ppnsim.source_networks import remarks
from ppnsim.units import period_with_unit

Progress = Callable[[int, int], None]

_LARGEST = 1_000_000  # executions above which the network is not derived: the estimates do not need it


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class KernelProfiles(Answer):
    """The profiles of the kernels of a source; ``skipped`` are the functions that cannot be used, with the reason.

    ``idle`` are the sentences about pragmas of high-level synthesis, which say nothing of statements.
    """

    _measured = frozenset({"seconds"})
    kernels: tuple[KernelProfile, ...]
    skipped: Sequence[Mapping[str, str]]
    clock_ns: float
    file: str
    idle: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON; several kernels are a list under ``kernels``."""
        more = {"skipped": list(self.skipped), "without_effect": list(self.idle)}
        results = [profile_result(each) | more for each in self.kernels]
        return of_kernels(self.file, results)

    def print(self, console: Console) -> None:
        """Print estimates, statements and channels of each kernel."""
        for each in self.kernels:
            print_profile(console, each, clock_ns=self.clock_ns)
        for sentence in self.idle:
            plain_line(console, sentence)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each statement of each kernel."""
        results = map(profile_result, self.kernels)
        return [
            {"function": result["function"], **{key: value for key, value in row.items() if key != "loops"}}
            for result in results
            for row in result["statements"]
        ]


def profile(
    source: KernelLike, *, latency: Latencies | None = None, ii: Cycles | None = None, timing: str | None = None,
    hazards: bool = False, io: bool = False, clock: str = "10 ns", rewrite: Sequence[str] = (), channels: bool = True,
    progress: Progress | None = None, **options: Any,
) -> KernelProfiles:  # fmt: skip
    """Profile C kernels: absolute and unbounded throughput, and the process network that they become.

    Parameters
    ----------
    source : path of a C source (``options``: ``function``, ``defines``, ``include``, ``settings``), or a loop program.
    latency, ii : cycles for all statements, or by name of a statement or function; a list has one for each execution.
    timing : a TOML file of cycles.
    hazards : keep writes after earlier reads and writes.
    io : stream arrays in through sources and out through sinks.
    clock : period or frequency, with its unit.
    rewrite : steps as on the command line, ``["unfold tmp=4", "cut y_2@j"]``.
    channels : derive the network, and list its channels with their sizes.
    progress : called with iterations of the outermost loops, done and in all.

    Raises
    ------
    InputError
        If the source cannot be read, or no kernel in it can be used.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> found = profile(directory() / "kernels" / "predictor.c", latency=3)
    >>> [(each.program.name, each.estimate.absolute.finish) for each in found.kernels]
    [('predictor', 83)]
    """
    steps, period, skipped = steps_of(rewrite), period_with_unit(clock, "--clock:"), list[dict[str, str]]()

    def profiled(program: LoopProgram) -> KernelProfile:
        changed, streams = rewritten(program, steps, io=io)
        changed, latencies, interval = timed_each(changed, latency, ii, timing)
        return _profile(
            changed, latencies, interval, io=streams, hazards=hazards, channels=channels, progress=progress
        )  # fmt: skip

    found = tuple(each_kernel(kernels_of(source, **options), profiled, skipped))
    idle = () if isinstance(source, LoopProgram) else remarks.idle_pragmas(each.program for each in found)
    return KernelProfiles(
        kernels=found, skipped=skipped, clock_ns=period, file=found[0].program.file, idle=idle
    )  # fmt: skip


def _profile(
    program: LoopProgram, latency: Latencies, ii: int, *, io: bool, hazards: bool, channels: bool,
    progress: Progress | None,
) -> KernelProfile:  # fmt: skip
    began = time.perf_counter()
    estimate = estimate_program(program, io=io, latency=latency, ii=ii, hazards=hazards, progress=progress)
    found, ordered, sizes = None, [], {}
    if channels and estimate.executions <= _LARGEST:
        whole = with_streams(program) if io else program
        found, ordered = channels_of(whole, hazards=hazards), orderings(whole) if hazards else []
        sizes = selftimed_sizes(derive(program, io=io, latency=latency, ii=ii, hazards=hazards, wires=found))
    elif channels:
        reason = f"its {estimate.executions} executions are more than {_LARGEST}, so no channels are derived"
        tell(f"{program.name}: {reason}")
    return KernelProfile(
        program=program, estimate=estimate, channels=found, orderings=ordered, sizes=sizes,
        seconds=time.perf_counter() - began,
    )  # fmt: skip
