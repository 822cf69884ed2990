"""Finds the declarations of streams in a C++ source, which a loop program does not contain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c.blocks import in_words
from ppnsim.c.clang.parser import parse
from ppnsim.c.input_checks import check_source, deep_recursion, macros_of_tool
from ppnsim.c.syntax import CType, Variable
from ppnsim.loops.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDeclaration:
    """A declaration of an ``hls::stream``, of an array of them, or of an object with such a member.

    Attributes
    ----------
    variable : its name; ``object.member`` for a member.
    position : the position of the name, or of the object's name.
    extent : the first byte of the declaration in its file, and the byte after the declaration; without the ``;``.
    function : file, first and last line of the function around it; None for a global variable.
    hidden : a member that only methods can name, because it is private or protected.
    """

    variable: str
    position: Position
    extent: tuple[int, int] = (0, 0)
    function: tuple[str, int, int] | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDeclarations:
    """The streams of a source, grouped by function; ``bodies`` tells where the body of each function begins.

    The key is the position of the function's name, and the value is the byte offset of the brace. ``arrays`` are the
    arrays of functions, which directives may turn into FIFOs.
    """

    streams: tuple[StreamDeclaration, ...] = ()
    arrays: tuple[StreamDeclaration, ...] = ()
    bodies: Mapping[Position, int] = field(default_factory=dict)


def stream_declarations(
    path: str, *, defines: Mapping[str, str] | None = None, include: Sequence[str] = (), linked: Sequence[str] = ()
) -> StreamDeclarations:
    """Return the declarations of streams in a source and its headers.

    The arguments are those of `load_kernels`. Parameters of functions are not included, because they are names of
    streams that are declared elsewhere.

    Raises
    ------
    InputError
        If clang cannot read the file.
    """
    check_source(path, defines or {}, include)
    with deep_recursion():
        unit = parse(path, macros_of_tool(defines or {}), include, linked)
        found = [each for variable in unit.variables for each in _streams_of(variable)]
        arrays, bodies = list[StreamDeclaration](), {}
        for function in unit.functions.values():
            around = function.position.file, function.position.line, function.end
            if function.body is not None:
                bodies[function.position] = function.body.extent[0]
            for node in function.walk():
                if node.kind == "declare" and (variable := node.variable) is not None:
                    streams = [replace(each, extent=node.extent, function=around) for each in _streams_of(variable)]
                    found += streams
                    if variable.type.kind == "array" and not streams:
                        arrays.append(StreamDeclaration(
                            variable=variable.name, position=variable.position, extent=node.extent, function=around,
                        ))  # fmt: skip
    return StreamDeclarations(streams=tuple(found), arrays=tuple(arrays), bodies=bodies)


def _streams_of(variable: Variable) -> Iterator[StreamDeclaration]:
    """Yield a variable that is a stream or an array of streams, or the members of an object that are.

    A stream of blocks is listed by its own name.
    """
    for name, hidden in _paths(variable.name, variable.type):
        yield StreamDeclaration(variable=in_words(name), position=variable.position, hidden=hidden)


def _paths(name: str, kind: CType, *, hidden: bool = False) -> Iterator[tuple[str, bool]]:
    while kind.kind == "array" and kind.element is not None:
        kind = kind.element
    if kind.kind == "stream":
        yield name, hidden
    for member, of in kind.fields:
        yield from _paths(f"{name}.{member}", of, hidden=hidden or member in kind.hidden)
