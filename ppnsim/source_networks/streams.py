"""Which variable of the source a channel of its network is, and which pragmas give its depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppnsim.c.declarations import StreamDeclaration
from ppnsim.c.pragmas.text import PragmaLine, hls_pragmas
from ppnsim.loops.program import Frame, LoopProgram, Position
from ppnsim.source_networks.model import SourceStream


def streams_of(
    program: LoopProgram, arrays: Mapping[str, str], declarations: Sequence[StreamDeclaration],
    sources: Mapping[str, str],
) -> tuple[SourceStream, ...]:  # fmt: skip
    """Return the variables behind some channels.

    Two channels are of one variable if one declaration makes both: elements of an array of streams, or a stream in a
    function that is called twice. A stream whose declaration is not found has its name in the program.

    Parameters
    ----------
    program : the function with its tasks.
    arrays : the stream in the program, by channel.
    declarations : of all streams in the source.
    sources : the text of each file.
    """
    frames = sorted(program.frames, key=lambda frame: len(frame.path))
    names = {array: [(frame, name) for frame in frames for name, of in frame.names if of == array]
             for array in arrays.values()}  # fmt: skip
    pragmas = [each for file, text in sources.items() for each in hls_pragmas(file, text) if each.name == "stream"]
    found: dict[StreamDeclaration | str, list[str]] = {}
    for channel, array in arrays.items():
        found.setdefault(_declared(names[array], declarations) or array, []).append(channel)
    return tuple(
        SourceStream(
            variable=key if isinstance(key, str) else key.variable, channels=tuple(channels),
            declared=None if isinstance(key, str) else key,
            pragmas=_pragmas([place for channel in channels for place in names[arrays[channel]]], pragmas),
        )
        for key, channels in found.items()
    )  # fmt: skip


def _declared(
    names: Sequence[tuple[Frame, str]], declarations: Sequence[StreamDeclaration]
) -> StreamDeclaration | None:  # fmt: skip
    """Return the declaration of a stream: in the outermost function that knows it, or outside of all functions."""
    for frame, name in names:
        function = frame.position.file, frame.position.line, frame.end
        inside = [each for each in declarations if each.variable == name and each.function == function]
        if len(inside) == 1:
            return inside[0]
    outside = [each for each in declarations if each.function is None and any(each.variable == n for _, n in names)]
    return outside[0] if len(outside) == 1 else None


def _pragmas(names: Sequence[tuple[Frame, str]], pragmas: Sequence[PragmaLine]) -> tuple[Position, ...]:
    """Return the places of the pragmas on a stream, whatever its name is in the function around them."""
    found = {
        each.position: None
        for each in pragmas
        for frame, name in names
        if dict(each.clauses).get("variable") == name
        and each.position.file == frame.position.file
        and frame.position.line <= each.position.line <= frame.end
    }
    return tuple(found)
