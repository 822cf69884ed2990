"""Kernels in OpenCL C from the few lines that a test is about."""

from pathlib import Path
from typing import Any

from ppnsim.opencl.design import Design
from ppnsim.opencl.files.board import opencl_board
from ppnsim.opencl.kernel import BlockStep, Kernel
from ppnsim.opencl.reader.hints import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c

SHIPPED = Path(__file__).parents[2] / "scenarios" / "opencl"

OTHERS = Path(__file__).parents[1] / "sources" / "opencl"

BOARD = opencl_board()


def read(text: str, folder: Path, settings: dict[str, int] | None = None, **asked: Any) -> tuple[Kernel, Design]:
    """Return what a source in a file of its own is read as."""
    file = folder / "kernel.cl"
    file.write_text(text)
    return load_opencl_c(file, settings, ReaderOptions(**asked))


def kernel_of(body: str, folder: Path, settings: dict[str, int] | None = None, **asked: Any) -> Kernel:
    """Return a kernel with arrays a, b (float) and c (int), and numbers n and m."""
    head = "__kernel void k(__global float *a, __global float *b, __global int *c, int n, int m)"
    text = f"{head} {{ int g = get_global_id(0), h = get_global_id(1); {body} }}"
    return read(text, folder, settings, **{"sizes": (64,), **asked})[0]


def steps_of(kernel: Kernel, op: str = "") -> list[BlockStep]:
    return [step for block, _ in kernel.blocks() for step in block.steps if not op or step.op == op]


def ops(kernel: Kernel) -> list[str]:
    return [step.op for step in steps_of(kernel)]
