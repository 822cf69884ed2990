"""Where the streams of a C++ source are declared, which a program of loops does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.clang.parser import parse
from ppnsim.c.given import check_source, deep_recursion
from ppnsim.c.syntax import CType
from ppnsim.loops.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDeclaration:
    """A declaration of an ``hls::stream``, or of an array of them.

    Attributes
    ----------
    variable : its name.
    position : the place of the name.
    extent : the first byte of the declaration in its file, and the byte behind the declaration; without the ``;``.
    function : file, first and last line of the function around it; None for a global variable.
    """

    variable: str
    position: Position
    extent: tuple[int, int] = (0, 0)
    function: tuple[str, int, int] | None = None


def stream_declarations(
    path: str, *, defines: Mapping[str, str] | None = None, include: Sequence[str] = (), linked: Sequence[str] = ()
) -> list[StreamDeclaration]:
    """Return the declarations of streams in a source and its headers, those of each function together.

    The arguments are those of `load_kernels`. Parameters of functions are not among the declarations: they are names of
    streams that are declared elsewhere.

    Raises
    ------
    InputError
        If clang cannot read the file.
    """
    check_source(path, defines or {}, include)
    with deep_recursion():
        unit = parse(path, defines or {}, include, linked)
        found = [
            StreamDeclaration(variable=each.name, position=each.position)
            for each in unit.variables
            if _is_stream(each.type)
        ]
        for function in unit.functions.values():
            around = function.position.file, function.position.line, function.end
            found += [
                StreamDeclaration(
                    variable=node.variable.name, position=node.variable.position, extent=node.extent, function=around
                )
                for node in function.walk()
                if node.kind == "declare" and node.variable is not None and _is_stream(node.variable.type)
            ]
    return found


def _is_stream(kind: CType) -> bool:
    """Return whether a variable is a stream, or an array of streams."""
    while kind.kind == "array" and kind.element is not None:
        kind = kind.element
    return kind.kind == "stream"
