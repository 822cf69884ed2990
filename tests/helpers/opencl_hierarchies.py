"""Hierarchies of OpenCL kernels: shipped ones, and small ones from blocks."""

from pathlib import Path
from typing import Any

from ppnsim.boards.board import OpenclBoard
from ppnsim.files import load_as
from ppnsim.opencl.files.board import opencl_board
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.kernel import Block, BlockStep, Kernel

FOLDER = Path(__file__).parents[2] / "scenarios" / "opencl"

NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))

ADD = Block(
    name="add",
    steps=(
        BlockStep(name="a", op="load", bytes=4, along=("items",)),
        BlockStep(name="s", op="fp_add", after=("a",)),
        BlockStep(name="c", op="store", bytes=4, along=("items",), after=("s",)),
    ),
)

BOARD = opencl_board()


def kernel(*body: Any, items: int = 100, **more: Any) -> Kernel:
    return Kernel(name="f", work_items=items, body=body, **more)


def shipped(name: str, **parameters: int) -> tuple[Kernel, OpenclBoard]:
    held = load_as(FOLDER / f"{name}.toml", OpenclFile, settings=parameters)
    return held.kernel, held.board
