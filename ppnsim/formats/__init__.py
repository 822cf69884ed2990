"""Files of networks: scenario TOML, network JSON and SDF3 XML; and what the files of all rooms are checked with."""

from ppnsim.formats.reader import Reader, holds

READERS = (
    Reader(
        kind="a network", makes="Network", home="ppnsim.formats.network", suffixes=(".toml", ".json", ".xml"),
        commands=("run", "explain", "size", "lost", "estimate", "sweep", "compare", "draw", "report", "export"),
        options=("iterations", "convention"), recognises=holds("process", "processes"),
    ),
)  # fmt: skip
