"""The depths that the settings of a project give to streams (``config_dataflow``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from ppnsim.hls.project.model import Project
from ppnsim.model.network import Network
from ppnsim.source_networks.model import SourceStream

_DEFAULT = 2


def project_depths(
    network: Network, streams: Sequence[SourceStream], project: Project, directed: AbstractSet[str],
    sources: Mapping[str, str],
) -> tuple[dict[str, int], tuple[str, ...]]:  # fmt: skip
    """Return the depths that a project's settings give to channels, and a sentence that says so if there are any.

    ``fifo_depth`` is for streams without a depth in their type and without a directive, ``override_depth`` for all.

    Parameters
    ----------
    directed : the channels whose depth a directive gives.
    sources : the text of each file.
    """
    depths: dict[str, int] = {}
    for stream in streams:
        of_its_own = bool(stream.pragmas) or not directed.isdisjoint(stream.channels) or _has_depth(stream, sources)
        for name in stream.channels:
            if project.override_depth:
                depths[name] = project.override_depth
            elif project.fifo_depth and not of_its_own and network.channel(name).depth == _DEFAULT:
                depths[name] = project.fifo_depth
    if not depths:
        return {}, ()
    option = "override_user_fifo_depth" if project.override_depth else "fifo_depth"
    depth = next(iter(depths.values()))
    return depths, (f"{project.file}: config_dataflow -{option} gives {', '.join(depths)} a depth of {depth}",)


def _has_depth(stream: SourceStream, sources: Mapping[str, str]) -> bool:
    """Return whether the type of a declaration says a depth: ``hls::stream<int, 4>``."""
    if stream.declared is None or (text := sources.get(stream.declared.position.file)) is None:
        return False
    first, end = stream.declared.extent
    declared = text.encode()[first:end].decode(errors="replace").partition("stream<")[2]
    nested = 1
    for letter in declared:
        nested += {"<": 1, "(": 1, ">": -1, ")": -1}.get(letter, 0)
        if not nested:
            return False
        if letter == "," and nested == 1:
            return True
    return False
