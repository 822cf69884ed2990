"""Networks across nodes in TOML."""

from ppnsim.formats.reader import Reader

READERS = (
    Reader(
        kind="a network placed on nodes", makes="Placement", home="ppnsim.placed.files.toml", suffixes=(".toml",),
        commands=("run", "draw", "sweep", "platform", "compare", "report"),
        recognises=lambda data: "node" in data and "process" in data,
    ),
)  # fmt: skip
