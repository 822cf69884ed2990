"""Depths of FIFOs as pragmas: the lines to paste, and a copy of the source that has them.

Everything else of the copy is that of the source, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.errors import InputError
from ppnsim.loops.position import Position
from ppnsim.source_networks import blocks
from ppnsim.source_networks.model import SourceNetwork, SourceStream, line_of

_UNTIL_SEMICOLON = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?P<end>;)""", re.DOTALL
)  # fmt: skip
_REST_OF_LINE = re.compile(rb"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*)?(?:\r?\n|\Z)")


@dataclass(frozen=True, slots=True)
class StreamPragma:
    """The pragma that gives the FIFOs of a variable a depth; of a stream of blocks its type, which has the depth."""

    stream: SourceStream
    depth: int

    @property
    def text(self) -> str:
        """The line to paste after the declaration, or at the top of the function that can name the stream."""
        if self.stream.blocks:
            return f"hls::stream_of_blocks<.., {self.depth}> {self.stream.variable}"
        return f"#pragma HLS stream variable={self.stream.variable} depth={self.depth}"


def stream_pragmas(source: SourceNetwork, depths: Mapping[str, int | None]) -> list[StreamPragma]:
    """Return a pragma for each variable that has a channel among ``depths``; the deepest of its channels counts.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> streams = SourceStream(variable="s", channels=("s[0]", "s[1]")), SourceStream(variable="t", channels=("t",))
    >>> source = SourceNetwork(
    ...     network=chain(firings=1), file="k.cpp", function="top", made_of="tasks", streams=streams)
    >>> [pragma.text for pragma in stream_pragmas(source, {"s[0]": 2, "s[1]": 5})]
    ['#pragma HLS stream variable=s depth=5']
    """
    found = []
    for stream in source.streams:
        given = [depth for name in stream.channels if (depth := depths.get(name)) is not None]
        if given:
            found.append(StreamPragma(stream, max(given)))
    return found


def pragma_result(pragma: StreamPragma) -> dict[str, object]:
    """Return a pragma as a dictionary.

    ``file`` and ``line`` are those of the declaration, null if not known; ``inside`` is the function at whose top the
    pragma belongs, null if it belongs after the declaration.
    """
    stream = pragma.stream
    at = stream.declared.position if stream.declared else None
    return {
        "variable": stream.variable, "depth": pragma.depth, "file": at and at.file, "line": at and at.line,
        "inside": stream.scope and stream.scope.name, "text": pragma.text,
    }  # fmt: skip


def with_pragmas(text: bytes, file: str, pragmas: Sequence[StreamPragma]) -> bytes:
    """Return a source with the pragmas: in place of the depths that it has, else after the declarations.

    Depths of streams of blocks go into their types; what no literal there says is left out (`not_written`).

    Parameters
    ----------
    text : what the file holds.
    file : its name, as in the places of the streams.
    pragmas : from `stream_pragmas`.

    Raises
    ------
    InputError
        If a stream is not declared in this file, or its declaration or pragma is not text that can be changed.
    """
    edits: dict[tuple[int, int], list[bytes]] = {}
    for pragma in pragmas:
        for (start, end), words in _edits(text, file, pragma):
            known = edits.setdefault((start, end), [])
            if start != end and known and known != [words]:
                raise InputError(f"gives two streams their depth, {known[0].decode()} and {words.decode()}", where=file)
            known += [words] if start == end or not known else []
    for (start, end), words_of in sorted(edits.items(), reverse=True):
        text = text[:start] + b"".join(words_of) + text[end:]
    return text


def _edits(text: bytes, file: str, pragma: StreamPragma) -> list[tuple[tuple[int, int], bytes]]:
    """Return the bytes to replace for one stream, each with their new text."""
    stream = pragma.stream
    if stream.blocks:
        return blocks.in_the_type(text, file, pragma.stream, pragma.depth)
    if stream.pragmas:
        return [_changed(text, file, pragma, place) for place in stream.pragmas]
    advice = f"paste it yourself: {pragma.text}"
    if (scope := stream.scope) is not None:
        if scope.position.file != file:
            words = f"'{scope.name}', in which '{stream.variable}' is named, is not here; {advice}"
            raise InputError(words, where=line_of(scope.position))
        if text[scope.body : scope.body + 1] != b"{":
            raise InputError(f"a macro writes '{scope.name}'; {advice}", where=line_of(scope.position))
        return [_at_the_top(text, scope.body + 1, pragma)]
    declared = stream.declared
    if declared is None:
        raise InputError(f"the declaration of '{stream.variable}' is not known; {advice}", where=file)
    if declared.position.file != file:
        raise InputError(f"'{stream.variable}' is not declared here; {advice}", where=stream.place)
    written = text[slice(*declared.extent)]
    name = stream.variable.partition(".")[0].encode()
    if not re.search(rb"\b" + name + rb"\b", written) or b"\\\n" in written:
        raise InputError(f"a macro declares '{stream.variable}'; {advice}", where=stream.place)
    return [_inserted(text, declared.extent[1], pragma)]


def _at_the_top(text: bytes, start: int, pragma: StreamPragma) -> tuple[tuple[int, int], bytes]:
    """Return the new line at the top of a function whose body begins before byte ``start``."""
    newline = _newline(text)
    rest = _REST_OF_LINE.match(text, start)
    if rest is None or not rest[0].endswith(b"\n"):  # code in this line
        return (start, start), newline + pragma.text.encode() + newline
    return (rest.end(), rest.end()), pragma.text.encode() + newline


def _newline(text: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in text else b"\n"


def _inserted(text: bytes, end: int, pragma: StreamPragma) -> tuple[tuple[int, int], bytes]:
    """Return the new line after a declaration, which goes on until its semicolon."""
    found = next((match for match in _UNTIL_SEMICOLON.finditer(text, end) if match["end"]), None)
    assert found is not None, "clang has read this declaration"
    newline = _newline(text)
    line = text[text.rfind(b"\n", 0, found.start()) + 1 :]
    indent = line[: len(line) - len(line.lstrip(b" \t"))]
    rest = _REST_OF_LINE.match(text, found.end())
    if rest is None:  # more code in this line
        return (found.end(), found.end()), newline + indent + pragma.text.encode() + newline
    whole = indent + pragma.text.encode() + newline
    return (rest.end(), rest.end()), whole if rest[0].endswith(b"\n") else newline + whole


def _changed(text: bytes, file: str, pragma: StreamPragma, place: Position) -> tuple[tuple[int, int], bytes]:
    """Return the new depth in a pragma that the source has; a pragma without a depth gets one."""
    where = f"{place.file}:{place.line}"
    advice = f"change it yourself: {pragma.text}"
    if place.file != file:
        raise InputError(f"the pragma of '{pragma.stream.variable}' is in another file; {advice}", where=where)
    here = [each for each in hls_pragmas(file, text.decode(errors="replace")) if each.position == place]
    clauses = dict(here[0].clauses)
    lines = text.split(b"\n")
    start = sum(len(line) + 1 for line in lines[: place.line - 1])
    last = place.line
    while last < len(lines) and lines[last - 1].rstrip().endswith(b"\\"):
        last += 1
    end = start + len(b"\n".join(lines[place.line - 1 : last]))
    name = "depth" if "depth" in clauses else "variable"
    value = rb"\s*".join(re.escape(each.encode()) for each in clauses[name])
    pattern = re.compile(rb"\b" + name.encode() + rb"\s*=\s*(?P<value>" + value + rb")(?!\w)", re.IGNORECASE)
    found = list(pattern.finditer(text, start, end))
    if len(found) != 1 or len(here) != 1:
        raise InputError(f"several pragmas in one line cannot be told apart; {advice}", where=where)
    if name == "depth":
        return found[0].span("value"), str(pragma.depth).encode()
    return (found[0].end(), found[0].end()), f" depth={pragma.depth}".encode()
