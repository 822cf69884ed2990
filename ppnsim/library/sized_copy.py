"""A file with sized depths: a copy of the C or C++ source with pragmas, or the network as TOML, JSON or SDF3 XML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ppnsim.c.suffixes import SUFFIXES as SOURCES
from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.library.place import Place, tell
from ppnsim.library.save import save
from ppnsim.library.subject import NetworkFile
from ppnsim.source_networks import blocks
from ppnsim.source_networks import depths as pragmas
from ppnsim.source_networks.model import SourceNetwork


def save_sized(found: NetworkFile, depths: Mapping[str, int], path: Place) -> Path:
    """Write a network with these depths, as the suffix says; of a C or C++ source also a copy with pragmas.

    Raises
    ------
    InputError
        If it is no such source, has no streams, or would replace itself; or the file cannot be written.
    """
    place = Path(path)
    if place.suffix not in SOURCES:
        save(found.network.with_depths(depths), path)
        return place
    source = found.source
    if source is None:
        words = f"'{found.file}' is not a C or C++ source, which pragmas could be written to"
        raise InputError(f"{words}: write save('sized.toml'), or ppnsim.size('FILE.cpp').save(..)", where=str(path))
    check_streams(source, place, where=str(path))
    text = Path(source.file).read_bytes()
    copy = pragmas.with_pragmas(text, source.file, pragmas.stream_pragmas(source, depths))
    if left := blocks.not_written(text, source, depths):
        tell(left)
    with replacing(place, binary=True) as out:
        out.write(copy)
    return place


def check_streams(source: SourceNetwork, place: Path, where: str) -> None:
    """Refuse a copy with pragmas of a source without streams, or in place of the source itself."""
    if place.exists() and place.samefile(source.file):
        raise InputError(f"'{place}' is the source itself; choose another name", where=where)
    if not source.streams:
        what = "has no streams between its tasks" if source.has_region else "has no '#pragma HLS dataflow'"
        raise InputError(f"function '{source.function}' {what}, so there are no depths to write", where=where)
