"""Memory blocks that FIFOs are made of, in files."""

from ppnsim.formats.reader import Reader

READERS = (
    Reader(
        kind="memory blocks", makes="MemoryTable", home="ppnsim.explore.files.memory_table", suffixes=(".toml",),
        commands=("size",), takes=("data",), recognises=lambda data: isinstance(data.get("memory"), list),
    ),
)  # fmt: skip
