"""Memories and their traffic in files."""

from ppnsim.formats.reader import Reader, holds

READERS = (
    Reader(
        kind="a memory and its traffic", makes="MemoryFile", home="ppnsim.memory.files.json", suffixes=(".json",),
        commands=("run", "memory", "compare"), function="parse_memory", takes=("data",),
        recognises=holds("dram", "traffic"),
    ),
)  # fmt: skip
