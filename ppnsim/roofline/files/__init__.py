"""Accelerators in files."""

from collections.abc import Mapping
from typing import Any

from ppnsim.formats.reader import Reader, holds


def _recognises(data: Mapping[str, Any]) -> bool:
    """Tell an accelerator from the operator table of a device, whose ``device`` is a table, and from a network."""
    tables = holds("kernel", "operator", "argument", "metric", "point")
    return tables(data) and not isinstance(data.get("device"), dict) and "process" not in data


READERS = (
    Reader(
        kind="an accelerator", makes="RooflineFile", home="ppnsim.roofline.files.toml", suffixes=(".toml",),
        commands=("roofline", "compare"), options=("changes",), recognises=_recognises,
    ),
)  # fmt: skip
