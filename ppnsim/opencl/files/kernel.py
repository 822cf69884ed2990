"""OpenCL kernels from files: hierarchies in TOML, and sources in OpenCL C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.opencl.board import Board
from ppnsim.opencl.design import Design
from ppnsim.opencl.files.toml import load_board, load_opencl
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.reader.launch import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenclFile:
    """A kernel, the board that it is for, and the design that its source asks for."""

    kernel: Kernel
    board: Board
    design: Design


def load_kernel(
    path: str | Path,
    settings: Mapping[str, int] | None = None,
    source: ReaderOptions | None = None,
    board: str | None = None,
) -> OpenclFile:
    """Return what a file says: ``.cl`` is read as OpenCL C, anything else as TOML.

    ``source`` is asked of OpenCL C only; ``board`` is a TOML file whose table ``board`` counts instead.

    Raises
    ------
    InputError
        If a file cannot be read or breaks a rule, or a TOML file is asked for what only a source has.
    """
    if Path(path).suffix == ".cl":
        kernel, design = load_opencl_c(path, settings, source)
        return OpenclFile(kernel=kernel, board=Board() if board is None else load_board(board), design=design)
    if source is not None and source.given:
        message = (
            "--kernel, --global, --local, -D and -I are for OpenCL C (.cl); a hierarchy has its parameters (--set)"
        )
        raise InputError(message, where=str(path))
    kernel, own = load_opencl(path, settings)
    return OpenclFile(kernel=kernel, board=own if board is None else load_board(board), design=Design())
