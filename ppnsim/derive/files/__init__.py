"""Cycles of statements in files."""

from ppnsim.formats.reader import Reader, holds

READERS = (
    Reader(
        kind="cycles of statements", makes="TimingFile", home="ppnsim.derive.files.timing", suffixes=(".toml",),
        commands=("profile", "derive", "explore-splits"), takes=("data",), recognises=holds("latency", "ii"),
    ),
)  # fmt: skip
