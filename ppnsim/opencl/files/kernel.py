"""OpenCL kernels from files: hierarchies in TOML, and sources in OpenCL C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.opencl.design import Design
from ppnsim.opencl.files.board import opencl_board
from ppnsim.opencl.files.toml import parse_opencl
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.reader.launch import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenclFile:
    """A kernel, the board that it is for, and the design that its source asks for."""

    kernel: Kernel
    board: OpenclBoard
    design: Design


def read(
    data: object, path: Path, *, settings: Mapping[str, int] | None = None, source: ReaderOptions | None = None
) -> OpenclFile:
    """Return what a file says: ``data`` of a hierarchy in TOML, None for OpenCL C, which clang reads.

    ``settings`` are values of parameters; ``source`` is asked of OpenCL C only.

    Raises
    ------
    InputError
        If the file breaks a rule, or a hierarchy is asked for what only a source has.
    """
    if data is None:
        kernel, design = load_opencl_c(path, settings, source)
        return OpenclFile(kernel=kernel, board=opencl_board(), design=design)
    if source is not None and source.given:
        options = "--kernel, --global, --local, -D and -I"
        raise InputError(f"{options} are for OpenCL C (.cl); a hierarchy has its parameters (--set)")
    kernel, board = parse_opencl(data, name=path.stem, settings=settings)
    return OpenclFile(kernel=kernel, board=board, design=Design())
