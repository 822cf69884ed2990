"""Platforms and applications in TOML."""

from ppnsim.formats.reader import Reader, holds

_TABLES = ("platform", "network", "bus", "stage", "application", "node")

READERS = (
    Reader(
        kind="a platform", makes="PlatformFile", home="ppnsim.platform.files.toml", suffixes=(".toml",),
        commands=("run", "compare", "estimate", "platform", "report", "export"), options=("changes",),
        recognises=lambda data: "process" not in data and holds(*_TABLES)(data),
    ),
)  # fmt: skip
