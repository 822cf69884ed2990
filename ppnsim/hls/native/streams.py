"""The streams of an executed region, with depths from types, directives and project settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import CType, Function, Variable, refuse
from ppnsim.c.widths import token_bits
from ppnsim.errors import did_you_mean
from ppnsim.hls.native.directives import count, inside

_OWN = re.compile(r", [1-9]\d*>$")  # the depth in the type of a stream


@dataclass(frozen=True, slots=True)
class ProjectDepths:
    """The depths of a project (``config_dataflow``): for streams without a depth, and for all streams; 0 if unset."""

    unsaid: int = 0
    override: int = 0

    def of(self, said: int | None, default: int) -> int:
        """Return the depth of a stream; ``said`` is the depth in its type or its directive.

        Examples
        --------
        >>> ProjectDepths(unsaid=16).of(None, 2), ProjectDepths(unsaid=16).of(4, 4), ProjectDepths(16, 8).of(4, 4)
        (16, 4, 8)
        """
        return self.override or said or self.unsaid or default


NO_DEPTHS = ProjectDepths()


@dataclass(frozen=True, slots=True)
class RegionStream:
    """A stream of a region: its name and depth; one of the ``interface`` is never empty too early, and never full."""

    name: str
    depth: int
    interface: bool
    width: int
    line: str


def streams_of(
    function: Function, pragmas: Sequence[PragmaLine], depths: ProjectDepths, *, top: bool
) -> dict[Variable, RegionStream]:
    """Return the streams that a region declares; the outermost region (``top``) also has those of the interface."""
    body = function.body
    assert body is not None
    asked = {dict(p.clauses).get("variable", ""): p for p in pragmas if p.name == "stream" and inside(p, body)}
    found: dict[Variable, RegionStream] = {}
    declared = [node.variable for node in body.walk() if node.kind == "declare" and node.variable is not None]
    for variable in (*(function.parameters if top else ()), *declared):
        if (stream := stream_type(variable.type)) is None:
            continue
        assert stream.element is not None and isinstance(stream.size, int)
        pragma = asked.get(variable.name)
        said = count(pragma, "depth") if pragma is not None else None
        depth = depths.of(said or (stream.size if _OWN.search(stream.text) else None), stream.size)
        where = f"{variable.position.file}:{variable.position.line}"
        interface = variable.scope == "parameter"
        found[variable] = RegionStream(variable.name, depth, interface, token_bits(stream.element) or 1, where)
    _check_names(asked, [each.name for each in found], declared)
    return found


def _check_names(asked: Mapping[str, PragmaLine], known: Sequence[str], declared: Sequence[Variable]) -> None:
    """Refuse stream directives that name no stream."""
    arrays = {each.name for each in declared if each.type.kind == "array"}
    for name, pragma in asked.items():
        if name in known:
            continue
        if name in arrays:
            words = f"array '{name}' as a FIFO is not followed where a design is executed"
            refuse(pragma.position, f"{words}; make it an hls::stream, or leave the directive out")
        refuse(pragma.position, f"no stream '{name}'{did_you_mean(name, known)}")


def stream_type(given: CType) -> CType | None:
    """Return the stream that a type is, refers to, or has as its elements."""
    while given.kind in ("array", "pointer") and given.element is not None:
        given = given.element
    return given if given.kind == "stream" else None
