"""OpenCL kernels in files."""

from ppnsim.formats.reader import Reader, holds

READERS = (
    Reader(
        kind="an OpenCL kernel", makes="OpenclFile", home="ppnsim.opencl.files.kernel", suffixes=(".cl", ".toml"),
        commands=("opencl", "compare"), options=("settings", "source"), recognises=holds("work_items", "body"),
    ),
)  # fmt: skip
