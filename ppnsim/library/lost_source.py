"""Useful and lost cycles of the designs of a C kernel, learned and predicted for larger sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ppnsim.c.policy import LoweringPolicy
from ppnsim.comparison.sizes import with_sizes
from ppnsim.errors import InputError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library
from ppnsim.hls.lost.designs import GENERAL, POWERS, LoopDesign, is_power, learned, split_at
from ppnsim.hls.lost.report import DesignLosses, KernelLosses, SizePrediction
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.library.kernels import synthesised_kernel
from ppnsim.library.place import Place, may_have_a_region, tell
from ppnsim.library.target import library_of
from ppnsim.loops.program import LoopProgram
from ppnsim.model.run import Run
from ppnsim.source_networks.branch_cycles import hardware_on

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaledKernel:
    """A kernel whose sizes are macros or parameters; ``policy`` is how it is read, ``told`` what was told of it."""

    file: Place
    defines: Mapping[str, str]
    settings: Mapping[str, int]
    options: Mapping[str, Any]
    policy: LoweringPolicy
    told: set[str] = field(default_factory=set)

    def at(self, sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
        """Return the kernel for some sizes, and its directives."""
        defines = {name: str(sizes.get(name, value)) for name, value in self.defines.items()}
        settings = {name: sizes.get(name, value) for name, value in self.settings.items()}
        given = {"defines": defines, "settings": settings, **self.options}
        return synthesised_kernel(self.file, policy=self.policy, told=self.told, **given)


def region_run(
    file: Place, *, device: str | None = None, clock: str | None = None, clock_uncertainty: str | None = None,
    **options: Any,
) -> Run | None:  # fmt: skip
    """Return the run of the dataflow region of a source, None if it has none: its tasks work side by side."""
    if not may_have_a_region(file):
        return None
    library = library_of(device, clock, clock_uncertainty)
    program, directives = synthesised_kernel(file, policy=hardware_on(library), **options)
    return schedule_kernel(program, library, directives, on_deadlock="return").outcome


def lost_in_source(
    file: Place, *, designs: Sequence[str] = ("auto",), device: str | None = None, clock: str | None = None,
    clock_uncertainty: str | None = None,
    defines: Mapping[str, str] | None = None, settings: Mapping[str, int] | None = None, learn: Sequence[str] = (),
    at: Sequence[Mapping[str, int]] = (), sizes: Sequence[int] | None = None,
    vary: Mapping[str, Iterable[int]] | None = None, progress: Progress | None = None,
    **options: Any,
) -> KernelLosses:  # fmt: skip
    """Split the designs of a source's kernel, and learn their formulas if sizes are named; Ctrl-C keeps some.

    Parameters
    ----------
    designs, device, clock, clock_uncertainty, defines, settings, learn, at, vary, options : as of `ppnsim.lost`.
    sizes : to learn from, at least 6; None = powers of two if ``at`` has only such, else `GENERAL`.

    Raises
    ------
    InputError
        If the source cannot be read, a design is not one, or a size has no value.
    """
    chosen = list(dict.fromkeys(LoopDesign.read(text) for text in designs or ("auto",)))
    if vary and (learn or at):
        raise InputError("says what --learn and --at say: give one of them", where="--vary")
    if vary:
        values = {name: list(each) for name, each in vary.items()}
        learn, at = list(values), [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
        given = {"defines": defines or {}, "settings": settings or {}}
        known = {**given["defines"], **given["settings"]}
        sized = with_sizes(str(file), given, {name: each[0] for name, each in values.items() if name not in known})
        defines, settings = sized["defines"], sized["settings"]
    library = library_of(device, clock, clock_uncertainty)
    policy = hardware_on(library)
    kernel = ScaledKernel(file=file, defines=defines or {}, settings=settings or {}, options=options, policy=policy)
    _check(learn, at, [*kernel.defines, *kernel.settings])
    bounds = _bounds(sizes, learn, at)
    losses = KernelLosses(function=kernel.at({})[0].name, device=library.device.name, clock_ns=library.clock_ns)
    try:
        for design in chosen:
            _add_design(losses.designs, kernel, library, design, learn, at, bounds, progress)
    except KeyboardInterrupt:
        tell(f"interrupted in design '{design}'")
        losses.interrupted = True
    return losses


def _check(learn: Sequence[str], at: Sequence[Mapping[str, int]], known: Sequence[str]) -> None:
    """Refuse sizes that have no value to begin with, and predictions that leave one out or execute nothing."""
    for name in learn:
        if name not in known:
            raise InputError(f"'{name}' has no value: give it one with -D {name}=N or --set {name}=N", where="--learn")
        if learn.count(name) > 1:
            raise InputError(f"'{name}' is named twice", where="--learn")
    for given in at:
        for name, size in given.items():
            if name not in learn:
                known = ", ".join(learn) or "none"
                raise InputError(f"'{name}={size}' is not NAME=N with a name of --learn ({known})", where="--at")
            if size < 1:
                raise InputError(f"{name} = {size} executes nothing (sizes start at 1)", where="--at")
        if missing := [name for name in learn if name not in given]:
            said = ", ".join(f"{name}={size} " for name, size in given.items())
            raise InputError(f"{said}gives no value for {', '.join(missing)}", where="--at")


def _bounds(sizes: Sequence[int] | None, learn: Sequence[str], at: Sequence[Mapping[str, int]]) -> Sequence[int]:
    """Return the sizes to learn from; the largest power that is tried is 3, and two more check it."""
    if sizes is None:
        wanted = [size for each in at for size in each.values()]
        return POWERS if wanted and all(map(is_power, wanted)) else GENERAL
    if not learn:
        raise InputError("says what sizes to look at, but --learn names none", where="--sizes")
    if min(sizes, default=0) < 1 or len(set(sizes)) < len(sizes):
        raise InputError(f"{', '.join(map(str, sizes))} must be different sizes from 1 on", where="--sizes")
    if len(sizes) < 6:
        raise InputError(f"{len(sizes)} sizes do not determine and check a formula (at least 6)", where="--sizes")
    return sizes


def _add_design(
    losses: list[DesignLosses], kernel: ScaledKernel, library: Library, design: LoopDesign, names: Sequence[str],
    places: Sequence[Mapping[str, int]], bounds: Sequence[int], progress: Progress | None,
) -> None:  # fmt: skip
    """Add the split of a design, then learn its formulas and predict; an interruption keeps what was found."""
    found = DesignLosses(design=design, split=split_at(kernel.at, library, design, {}))
    losses.append(found)
    if not names:
        return

    def report(done: int) -> None:
        # How many it takes is known only when a formula holds.
        if progress is not None:
            progress(done, max(done, 2 ** (len(names) + 1)))

    try:
        found.model = learned(kernel.at, library, design, names, bounds, report=report)
    except InputError as error:  # what was found for other designs stays
        found.reason = str(error)
        return
    for sizes in places:
        predicted, reason = None, ""
        try:
            predicted = found.model.at(sizes)
        except InputError as error:  # as where a factor does not divide a size
            reason = str(error)
        scheduled = split_at(kernel.at, library, design, sizes)
        found.predictions.append(SizePrediction(sizes=sizes, predicted=predicted, scheduled=scheduled, reason=reason))
