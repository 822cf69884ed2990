"""Which loops of a task are pipelined, alone or as a flattened nest (R1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.c.kinds import LOOPS
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.hls.native.directives import inside
from ppnsim.hls.native.instrument import body_of, loop_parts
from ppnsim.hls.native.region import NativeRegion


def pipelined(region: NativeRegion, node: SyntaxNode) -> list[SyntaxNode] | None:
    """Return the loops that one pipeline runs, outermost first, None for a loop of the state machine.

    Innermost loops are pipelined, and loops that a directive names; the loops in those are unrolled. A perfect nest of
    counted loops with constant inner bounds is flattened.
    """
    asked = asked_of(region, node, "pipeline")
    if asked is not None:
        return None if "off" in dict(asked.clauses) else [node]
    inner = [each for each in _loops_in(region, node) if not is_unrolled(region, each)]
    if not inner:
        return [node]
    body = body_of(node)
    only = body.children[0] if body.kind == "block" and len(body.children) == 1 else body
    if node.kind == "for" and only.kind == "for" and _counted(region, node) and _counted(region, only, alone=True):
        deeper = pipelined(region, only)
        return None if deeper is None else [node, *deeper]
    return None


def is_unrolled(region: NativeRegion, node: SyntaxNode) -> bool:
    """Return whether a directive unrolls a loop; refuse one that copies only some iterations."""
    asked = asked_of(region, node, "unroll")
    if asked is None:
        return False
    if "factor" in dict(asked.clauses):
        refuse(asked.position, "unrolling by a factor is not followed where a design is executed")
    return "off" not in dict(asked.clauses)


def _loops_in(region: NativeRegion, node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the loops in a loop, and in the functions that it calls."""
    yield from (each for each in body_of(node).walk() if each.kind in LOOPS)
    for call in node.walk():
        if call.kind == "call" and call.text in region.functions:
            yield from (each for each in region.functions[call.text].walk() if each.kind in LOOPS)


def _counted(region: NativeRegion, loop: SyntaxNode, *, alone: bool = False) -> bool:
    """Return whether a loop has all parts of a head and no other exit; ``alone``: its bounds are constants."""
    start, test, step = loop_parts(loop, region.unit.sources[loop.position.file])
    if start is None or test is None or step is None:
        return False
    own = {node.variable for node in step.walk() if node.kind == "name"}
    names = {node.variable for part in (start, test) for node in part.walk() if node.kind == "name"}
    return (not alone or names <= own) and not any(node.kind in ("break", "return") for node in loop.walk())


def asked_of(region: NativeRegion, node: SyntaxNode, name: str) -> PragmaLine | None:
    """Return the first directive of this name of a loop, not of a loop in it; None if it has none."""
    inner = [each for each in body_of(node).walk() if each.kind in LOOPS]
    for pragma in region.pragmas:
        if pragma.name == name and inside(pragma, node) and not any(inside(pragma, each) for each in inner):
            return pragma
    return None
