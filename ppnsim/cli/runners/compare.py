"""What `ppnsim compare` is asked about: the subject of a file under the options of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.cli.options.at_sizes import SourceAtSizes
from ppnsim.cli.options.network import OF_PLACED, NetworkOptions
from ppnsim.cli.options.opencl import KernelOptions
from ppnsim.comparison.keys import settings_in
from ppnsim.comparison.run.kernels import OpenclSubject
from ppnsim.comparison.run.network import NetworkSubject
from ppnsim.comparison.run.subject import Subject
from ppnsim.comparison.sources import KINDS_OF_FILES, NO_DESIGN, of_file, subject_of
from ppnsim.errors import InputError
from ppnsim.files import load
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.compare import reader_of
from ppnsim.memory.model.presets import PRESETS
from ppnsim.model.network import Network
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.placed.model.placement import Placement

_OF_SCHEDULES = ("--function", "-D", "-I", "--set", "--device", "--clock")
_OF_KERNELS = ("--function", "-D", "-I", "--set", "--device")


def subject_in(
    file: str, vary: Sequence[str], options: NetworkOptions, kernel: KernelOptions | None = None, *,
    models: Sequence[str] = (),
) -> Subject:  # fmt: skip
    """Return the subject of a file; options that say nothing of it are refused by name."""
    kernel = kernel or KernelOptions()
    if not file.endswith(".cl"):
        _refuse(kernel.work_sizes(), (), "a file that is not OpenCL C (.cl)")
    accelerator = reader_of(file, roofline="roofline" in models, options=_of_accelerator(options))
    if accelerator is not None and is_source(file):
        _refuse(options.given(), (*_OF_SCHEDULES, "--memory"), "a kernel whose roofline is compared")
        return subject_of(file, vary, accelerator=accelerator)
    if "lost" in models and is_source(file):
        _refuse(options.given(), _OF_SCHEDULES, "a kernel whose schedule is compared")
        source = options.source
        read = {name: value for name, value in source.source.read().items() if value}
        more = {"device": source.device, "clock": source.clock}
        given = {**read, **{name: value for name, value in more.items() if value is not None}}
        return subject_of(file, vary, schedule=True, design=kernel.design, **given)
    if file.endswith(".cl"):
        return _of_opencl(file, vary, options, kernel)
    if file in PRESETS:
        _refuse(options.given(), (), "a memory")
        return subject_of(file, vary)
    if is_source(file) and kernel.design is not None:
        raise InputError(NO_DESIGN, where="--design")
    if is_source(file):
        return _of_source(file, vary, options)
    held = load(file, *KINDS_OF_FILES)
    if isinstance(held, OpenclFile):
        return _of_opencl(file, vary, options, kernel)
    if isinstance(held, Network):
        held = options.load(file).network
    elif isinstance(held, Placement):
        _refuse(options.given(), OF_PLACED, "a network placed on nodes")
        held = replace(held, network=options.changed(held.network))
    else:
        _refuse(options.given(), (), "this file")
    return of_file(file, held, vary, {}, kernel.design, accelerator)


def _of_accelerator(options: NetworkOptions) -> dict[str, Any]:
    source = options.source
    more = {"device": source.device, "clock": source.clock, "memory": source.memory, **source.source.read()}
    return {name: value for name, value in more.items() if value}


def _refuse(given: Sequence[str], known: Sequence[str], what: str) -> None:
    if unfit := [name for name in given if name not in known]:
        raise InputError(f"{', '.join(unfit)} cannot be used with {what}")


def _of_opencl(file: str, vary: Sequence[str], options: NetworkOptions, kernel: KernelOptions) -> Subject:
    _refuse(options.given(), _OF_KERNELS, "an OpenCL kernel")
    source = options.source.source
    asked = replace(
        kernel, function=source.function, settings=source.settings, define=source.define, include=source.include,
        device=options.source.device,
    ).of(file)  # fmt: skip
    settings = settings_in(file, source.read())
    return OpenclSubject(name=file, vary=vary, load=asked.read, design=asked.design, settings=settings)


def _of_source(file: str, vary: Sequence[str], options: NetworkOptions) -> Subject:
    """Return the subject of the network of a C or C++ source, read anew for values of its macros and parameters."""
    read = SourceAtSizes(file=file, options=options)
    return NetworkSubject(name=file, vary=vary, settings=settings_in(file, options.source.source.read()), read=read)
