"""What can be compared, from a path or an object: each kind of source becomes the subject of its own simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.c.load import Kernels
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.comparison.keys import settings_in
from ppnsim.comparison.run.kernels import OpenclSubject, ScheduleSubject
from ppnsim.comparison.run.memory import MemorySubject, PortSubject
from ppnsim.comparison.run.network import NetworkSubject
from ppnsim.comparison.run.placed import PlacedSubject
from ppnsim.comparison.run.platform import PlatformSubject
from ppnsim.comparison.run.subject import Subject
from ppnsim.comparison.sizes import with_sizes, with_values
from ppnsim.errors import InputError
from ppnsim.files import load, load_as, refuse_options
from ppnsim.hls.library.library import load_library
from ppnsim.hls.lost.designs import LoopDesign
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.project.suffixes import is_project
from ppnsim.loops.program import LoopProgram
from ppnsim.memory.files.json import MemoryFile
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import PRESETS, preset
from ppnsim.model.network import Network
from ppnsim.opencl.design import parse_design
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.placed.model.placement import Placement
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.roofline.accelerator import Accelerator
from ppnsim.roofline.files.toml import RooflineFile
from ppnsim.source_networks.branch_cycles import hardware_on
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.of_callers import Callers
from ppnsim.source_networks.one_clock import check_one_clock
from ppnsim.units import clock_ns

ReadAccelerator = Callable[[dict[str, Any]], Accelerator]
"""Reads an accelerator for values of what varies; it may come from a C source."""
Change = Callable[[Network], Network]
KINDS_OF_FILES = ("Network", "Placement", "PlatformFile", "OpenclFile", "RooflineFile", "MemoryFile")
NO_DESIGN = "is for OpenCL kernels, and for kernels in C whose schedule is compared (--model lost)"


def subject_of(
    source: object, vary: Sequence[str], *, schedule: bool = False, design: str | None = None,
    accelerator: ReadAccelerator | None = None, change: Change | None = None, **options: Any,
) -> Subject:  # fmt: skip
    """Return the subject of a path or an object.

    Parameters
    ----------
    source : a file, the name of a memory's preset, or what `ppnsim.load` returns.
    vary : ``NAME=VALUES``, each.
    schedule : whether a kernel in C is scheduled; else its network is run.
    design : of an OpenCL kernel (``"SM+UL8:k"``), or of a scheduled kernel (``"pipeline j"``).
    accelerator : reads the source as an accelerator; a kernel in C is one only if it is given.
    change : what becomes of a network before it is run, as other depths.
    options : for a path: what `ppnsim.load` takes.

    Raises
    ------
    InputError
        If the source cannot be read, or nothing in it can be compared.
    """
    if not isinstance(source, str | PathLike):
        check_one_clock(source.origin if isinstance(source, Network) else source, vary)
        name = getattr(source, "name", type(source).__name__)
        return of_object(_changed(source, change), vary, options, name=name)
    path = str(source)
    if change is not None and (schedule or accelerator is not None or path in PRESETS):
        _changed(None, change)
    if Path(path).suffix in SUFFIXES or is_project(path):
        if accelerator is not None:
            return PortSubject(name=path, vary=vary, load=accelerator, settings=settings_in(path, options))
        return _of_c(path, vary, options, schedule=schedule, design=design, change=change)
    if path in PRESETS and not Path(path).is_file():
        return MemorySubject(name=path, vary=vary, dram=preset(path).dram)
    held = _changed(load(path, *KINDS_OF_FILES, **options), change)
    return of_file(path, held, vary, options, design, accelerator)


def _changed(held: object, change: Change | None) -> object:
    """Return what is held with another network, if that is to change."""
    if change is None:
        return held
    if isinstance(held, SourceNetwork):
        held = held.network
    if isinstance(held, Placement):
        return replace(held, network=change(held.network))
    if not isinstance(held, Network):
        raise InputError("depths and style can only be used with networks")
    return change(held)


def of_file(
    path: str, held: object, vary: Sequence[str], options: Mapping[str, Any], design: str | None,
    accelerator: ReadAccelerator | None = None,
) -> Subject:  # fmt: skip
    """Return the subject of what a file holds that is not a C source."""
    if design is not None and not isinstance(held, OpenclFile):
        raise InputError(NO_DESIGN, where="--design")
    if isinstance(held, PlatformFile):
        return PlatformSubject(
            name=path, vary=vary, settings=settings_in(path, options),
            load=lambda values: load_as(path, PlatformFile, changes=values, **options),
        )  # fmt: skip
    if isinstance(held, RooflineFile) and accelerator is not None:
        return PortSubject(name=path, vary=vary, load=accelerator, settings=settings_in(path, options))
    if isinstance(held, OpenclFile):
        return _of_opencl(path, vary, options, design)
    return of_object(held, vary, {}, name=path)


def of_object(held: object, vary: Sequence[str], options: Mapping[str, Any], *, name: str) -> Subject:
    """Return the subject of an object; of what comes from a file nothing can vary but the parameters of networks."""
    refuse_options(options)
    if isinstance(held, SourceNetwork):
        held = held.network
    if isinstance(held, Network):
        return NetworkSubject(name=name, vary=vary, network=held)
    if isinstance(held, Placement):
        return PlacedSubject(name=name, vary=vary, placement=held)
    if isinstance(held, MemoryFile):
        held = held.dram
    if isinstance(held, Dram):
        return MemorySubject(name=name, vary=vary, dram=held)
    if vary:
        what = "can only vary in a file, which is read again for each value"
        raise InputError(f"the parameters of a {type(held).__name__} {what}: give its path", where="vary")
    if isinstance(held, PlatformFile):
        return PlatformSubject(name=held.system.name, vary=(), load=lambda _: held)
    if isinstance(held, RooflineFile):
        return PortSubject(name=held.accelerator.name, vary=(), load=lambda _: held.accelerator)
    if isinstance(held, Accelerator):
        return PortSubject(name=name, vary=(), load=lambda _: held)
    if isinstance(held, OpenclFile):
        return OpenclSubject(name=held.kernel.name, vary=(), load=lambda _: held)
    words = f"a {type(held).__name__} cannot be compared with a model"
    raise InputError(f"{words}: give a network, what ppnsim.load returns, or the path of a file")


def _of_opencl(path: str, vary: Sequence[str], options: Mapping[str, Any], design: str | None) -> Subject:
    settings = options.get("settings") or {}

    def read(values: Mapping[str, int]) -> OpenclFile:
        return load_as(path, OpenclFile, **{**options, "settings": {**settings, **values}})

    return OpenclSubject(
        name=path, vary=vary, load=read, design=parse_design(design) if design else None,
        settings=settings_in(path, options),
    )  # fmt: skip


def _of_c(
    path: str, vary: Sequence[str], options: Mapping[str, Any], *, schedule: bool, design: str | None,
    change: Change | None,
) -> Subject:  # fmt: skip
    if not schedule:
        if design is not None:
            raise InputError(NO_DESIGN, where="--design")
        made: Change = change or Network.checked
        return NetworkSubject(
            name=path, vary=vary, settings=settings_in(path, options),
            read=lambda values: made(load_as(path, Network, **with_values(path, options, values))),
        )  # fmt: skip
    given = dict(options)
    device, clock = given.pop("device", None), given.pop("clock", None)
    library = load_library(device or DEVICE, clock_ns(clock or CLOCK))

    def program(sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
        found = load_as(path, Kernels, **with_sizes(path, given, sizes), policy=hardware_on(library))
        if len(found.programs) > 1:
            names = ", ".join(each.name for each in found.programs)
            raise InputError(f"holds {len(found.programs)} kernels: choose one with --function ({names})", where=path)
        (kernel,) = found.programs
        return kernel, Callers.of(found).directives(kernel)

    return ScheduleSubject(
        name=path, vary=vary, program=program, library=library,
        design=LoopDesign.read(design or "auto"), settings=settings_in(path, options),
    )  # fmt: skip
