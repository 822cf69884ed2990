"""Which variable of the source a channel of its network is, and which pragmas give its depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ppnsim.c.blocks import in_words
from ppnsim.c.declarations import StreamDeclaration, StreamDeclarations
from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.hls.pragmas.names import ArrayNames, names_in
from ppnsim.hls.schedule.model import RegionChannel
from ppnsim.loops.program import Frame, LoopProgram, Position
from ppnsim.model.network import Network
from ppnsim.source_networks.model import PragmaScope, SourceStream


def streams_of(
    program: LoopProgram, fifos: Mapping[str, RegionChannel], declarations: StreamDeclarations,
    sources: Mapping[str, str],
) -> tuple[SourceStream, ...]:  # fmt: skip
    """Return the variables behind FIFOs.

    Two FIFOs are of one variable if one declaration makes both: elements of an array of streams, or a stream in a
    function that is called twice. A stream whose declaration is not found has its name in the program.

    Parameters
    ----------
    program : the function with its tasks.
    fifos : what each FIFO is, by channel.
    declarations : of all streams in the source.
    sources : the text of each file.
    """
    known = {(each.position, each.variable): each for each in (*declarations.streams, *declarations.arrays)}
    channels: dict[_NameInSource, list[str]] = {}
    scopes = _scopes(program, declarations)
    for channel, fifo in fifos.items():
        declared = known.get((fifo.position, fifo.variable))
        channels.setdefault(_named(program, fifo, declared, scopes), []).append(channel)
    pragmas = _pragmas(program, sources)
    return tuple(
        SourceStream(
            variable=named.variable, channels=tuple(names), declared=named.declared, scope=named.scope,
            pragmas=tuple(dict.fromkeys(place for name in names for place in pragmas.get(fifos[name].array, ()))),
            blocks=any(in_words(fifos[name].array) != fifos[name].array for name in names),
        )
        for named, names in channels.items()
    )  # fmt: skip


class _NameInSource(NamedTuple):
    """How a pragma names a stream."""

    variable: str
    declared: StreamDeclaration | None
    scope: PragmaScope | None


def _scopes(program: LoopProgram, declarations: StreamDeclarations) -> list[tuple[Frame, PragmaScope]]:
    """Return where a pragma can stand: in the body of each function."""
    first = {frame.position: frame.path[-1] for frame in reversed(program.frames)}  # its other calls are numbered
    return [
        (frame, PragmaScope(first[frame.position], frame.position, body))
        for frame in program.frames if (body := declarations.bodies.get(frame.position)) is not None
    ]  # fmt: skip


def _named(
    program: LoopProgram, fifo: RegionChannel, declared: StreamDeclaration | None,
    scopes: Sequence[tuple[Frame, PragmaScope]],
) -> _NameInSource:  # fmt: skip
    """Return how and where a pragma can name a stream.

    One that is declared in a function follows its declaration, a global one stands in the top function, and a private
    member of an object in the first method that has it, which is one pragma for all objects of the class.
    """
    if declared is None:
        return _NameInSource(fifo.variable if fifo.variable else fifo.array, None, None)
    if declared.hidden:
        for frame, scope in sorted(scopes, key=lambda each: len(each[0].path)):
            if (name := _inside(program, frame, fifo.array)) is not None:
                return _NameInSource(name, None, scope)
    outside = declared.function is None and scopes
    return _NameInSource(declared.variable, declared, scopes[0][1] if outside else None)


def _inside(program: LoopProgram, frame: Frame, array: str) -> str | None:
    """Return how a method calls a stream that is a member of its object, None if it is none."""
    own = [(name, of) for name, of in frame.names if name == "this"]
    names = names_in(program.arrays, [replace(frame, names=tuple(own))]) if own else {}
    found = (name for name, arrays in names.items() if arrays == {array} and not name.startswith("this"))
    return next(found, None)


def grouped(network: Network, streams: Sequence[SourceStream]) -> Network:
    """Return the network with a group for each variable that is several FIFOs, or one of another name.

    A group is called as the variable is; variables of one name are numbered.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> streams = SourceStream(variable="s", channels=("c0", "c1")), SourceStream(variable="c2", channels=("c2",))
    >>> grouped(chain(firings=1, length=4), streams).groups
    {'s': ('c0', 'c1')}
    """
    taken = {each.name for each in network.channels}
    times = Counter(stream.variable for stream in streams)
    group: dict[str, str] = {}
    for number, stream in enumerate(streams):
        if stream.channels != (stream.variable,):
            before = sum(other.variable == stream.variable for other in streams[:number])
            plain = times[stream.variable] == 1 and stream.variable not in taken
            name = stream.variable if plain else f"{stream.variable}#{before + 1}"
            group |= dict.fromkeys(stream.channels, name)
    channels = (replace(each, group=group[each.name]) if each.name in group else each for each in network.channels)
    return network.replace(channels=channels)


def accesses_of(
    program: LoopProgram, channels: Mapping[str, RegionChannel]
) -> dict[str, tuple[Position, Position]]:  # fmt: skip
    """Return where each channel is first written and first read; an unknown place where no statement does."""
    by_array: dict[str, list[str]] = {}
    for name, channel in channels.items():
        by_array.setdefault(channel.array, []).append(name)
    found: tuple[dict[str, Position], dict[str, Position]] = {}, {}
    for statement in program.statements():
        for places, accesses in zip(found, (statement.writes, statement.reads), strict=True):
            for access in accesses:
                # An element of an array of streams is one FIFO, if it is known which.
                one = bool(access.subscripts) and all(each.is_constant for each in access.subscripts)
                for name in by_array.get(access.array, ()):
                    if not one or channels[name].kind != "fifo" or name == str(access):
                        places.setdefault(name, statement.position)
    return {name: (found[0].get(name, Position()), found[1].get(name, Position())) for name in channels}


def _pragmas(program: LoopProgram, sources: Mapping[str, str]) -> dict[str, list[Position]]:
    """Return the places of ``#pragma HLS stream`` by stream of the program, whatever its name is around the pragma."""
    found: dict[str, list[Position]] = {}
    known = ArrayNames(program.arrays)
    for file, text in sources.items():
        for pragma in hls_pragmas(file, text):
            if pragma.name != "stream":
                continue
            variable = dict(pragma.clauses).get("variable", "").removeprefix("this->")
            for frame in program.frames:
                inside = frame.position.line <= pragma.position.line <= frame.end and frame.position.file == file
                for array in known.meant([frame], variable).get(variable, ()) if inside and variable else ():
                    found.setdefault(array, []).append(pragma.position)
    return found
