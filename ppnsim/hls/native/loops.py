"""Pipelined loops of a task: single loops, loops with small loops inside (R1.3), and flattened nests (R1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.c.kinds import LOOPS
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import Function, SyntaxNode, refuse
from ppnsim.errors import InputError
from ppnsim.hls.native.directives import count, inside
from ppnsim.hls.native.heads import values_of
from ppnsim.hls.native.instrument import body_of, loop_parts
from ppnsim.hls.native.lanes import of_vectors
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.rules import TOOL


def pipelined(region: NativeRegion, node: SyntaxNode) -> list[SyntaxNode] | None:
    """Return the loops of one pipeline, outermost first, None for a loop of the state machine.

    Innermost loops and loops with a directive are pipelined; the loops inside the latter are unrolled. A perfect nest
    of counted loops with constant inner bounds is flattened; small loops in any other nest are unrolled (R1.3).
    """
    asked = asked_of(region, node, "pipeline")
    if asked is not None:
        return None if "off" in dict(asked.clauses) else [node]
    inner = [each for each in _loops_in(region, node) if not is_unrolled(region, each)]
    if not inner:
        return [node]
    body = body_of(node)
    only = body.children[0] if body.kind == "block" and len(body.children) == 1 else body
    fors = node.kind == only.kind == "for" and not any(_apart(region, each) for each in (node, only))
    if fors and _counted(region, node) and _counted(region, only, alone=True):
        deeper = pipelined(region, only)
        return None if deeper is None else [node, *deeper]
    perfect = only.kind in LOOPS
    return [node] if not perfect and all(_is_small(region, each) for each in inner) else None


def imperfect(region: NativeRegion, function: Function) -> list[SyntaxNode]:
    """Return the loops with statements around their only inner loop, which recent tools flatten (R9.2)."""
    found = []
    for node in function.walk():
        if node.kind != "for" or _apart(region, node) or pipelined(region, node) is not None:
            continue
        body = body_of(node)
        inner = [each for each in body.children if each.kind in LOOPS]
        if len(inner) == 1 and len(body.children) > 1 and len(list(_loops_in(region, node))) == 1:
            found.append(node)
    return found


def _is_small(region: NativeRegion, node: SyntaxNode) -> bool:
    """Return whether an inner loop is unrolled without a directive: innermost, with few constant iterations."""
    told = any(asked_of(region, node, name) is not None for name in ("pipeline", "unroll"))
    if told or any(True for _ in _loops_in(region, node)):
        return False
    try:
        _, values = values_of(region, node)
    except InputError:
        return False
    return len(values) <= TOOL.pipeline_loops


def _apart(region: NativeRegion, node: SyntaxNode) -> bool:
    """Return whether a directive forbids flattening a loop."""
    asked = asked_of(region, node, "loop_flatten")
    return asked is not None and "off" in dict(asked.clauses)


def is_unrolled(region: NativeRegion, node: SyntaxNode) -> bool:
    """Return whether a directive unrolls a loop completely."""
    asked = asked_of(region, node, "unroll")
    if asked is None or "off" in dict(asked.clauses):
        return False
    return "factor" not in dict(asked.clauses) or copies_of(region, node) == 1


def copies_of(region: NativeRegion, node: SyntaxNode) -> int:
    """Return how many copies of a loop's body run side by side; 1 without a factor, or if all iterations unroll."""
    asked = asked_of(region, node, "unroll")
    if asked is None or "off" in dict(asked.clauses) or (factor := count(asked, "factor")) is None:
        return 1
    _, values = values_of(region, node)
    if factor < len(values) and any(not is_unrolled(region, each) for each in _loops_in(region, node)):
        words = "unrolling by a factor of a loop with loops in it is not followed where a design is executed"
        refuse(asked.position, f"{words}; unroll the loops in it, or write the copies out")
    return 1 if factor >= len(values) else factor


def latencies_of(region: NativeRegion, task: Function) -> dict[str, int]:
    """Return the minimum latencies of functions from directives, in states, by name.

    Raises
    ------
    InputError
        For a minimum latency of a task or of a function that accesses streams, or any maximum latency of a function.
    """
    found: dict[str, int] = {}
    for pragma in (each for each in region.pragmas if each.name == "latency"):
        for name, function in region.functions.items():
            body = function.body
            if body is None or not inside(pragma, body):
                continue
            if any(each.kind in LOOPS and inside(pragma, each) for each in body.walk()):
                continue
            if "max" in dict(pragma.clauses):
                words = "a largest latency of a function is not followed where a design is executed"
                refuse(pragma.position, f"{words}; leave it out: schedules are as short as they can be")
            if function is task or name in region.opened:
                words = "a least latency of a task, or of a function with loops or accesses to streams, is not followed"
                refuse(pragma.position, f"{words} where a design is executed; ask it of a function that computes")
            found[name] = count(pragma, "min") or 0
    return found


def _loops_in(region: NativeRegion, node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the loops inside a loop, and inside the functions that it calls."""
    yield from (each for each in body_of(node).walk() if each.kind in LOOPS)
    for call in node.walk():
        if call.kind == "call" and call.text in region.functions and not of_vectors(region.functions[call.text]):
            yield from (each for each in region.functions[call.text].walk() if each.kind in LOOPS)


def _counted(region: NativeRegion, loop: SyntaxNode, *, alone: bool = False) -> bool:
    """Return whether a loop has a complete head and no other exit; ``alone``: its bounds are constants."""
    start, test, step = loop_parts(loop, region.unit.sources[loop.position.file])
    if start is None or test is None or step is None:
        return False
    own = {node.variable for node in step.walk() if node.kind == "name"}
    names = {node.variable for part in (start, test) for node in part.walk() if node.kind == "name"}
    return (not alone or names <= own) and not any(node.kind in ("break", "return") for node in loop.walk())


def asked_of(region: NativeRegion, node: SyntaxNode, name: str) -> PragmaLine | None:
    """Return the first directive of this name on a loop itself, None if it has none."""
    inner = [each for each in body_of(node).walk() if each.kind in LOOPS]
    for pragma in region.pragmas:
        if pragma.name == name and inside(pragma, node) and not any(inside(pragma, each) for each in inner):
            return pragma
    return None
