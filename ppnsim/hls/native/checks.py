"""Checks of the directives, loops and streams of an executed region (R11.6)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ppnsim.c.blocks import in_words
from ppnsim.c.kinds import LOOPS
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.hls.native.directives import inside
from ppnsim.hls.native.places import Places
from ppnsim.hls.native.streams import stream_type

# Directives that change neither the results nor the cycles; other unknown directives are refused.
_QUIET = frozenset(
    ("interface", "inline", "loop_tripcount", "top", "protocol", "stable", "reset", "aggregate", "disaggregate")
)
_KNOWN = _QUIET | {"dataflow", "pipeline", "stream", "array_partition", "unroll", "latency", "loop_flatten"}


def check_names(pragmas: Sequence[PragmaLine]) -> None:
    """Refuse directives that are not followed."""
    for pragma in pragmas:
        if pragma.name not in _KNOWN:
            words = f"#pragma HLS {pragma.name} is not followed where a design is executed"
            raise InputError(words, where=str(pragma.position))


def unfollowed_styles(pragmas: Sequence[PragmaLine]) -> Iterator[str]:
    """Yield a sentence for each pipeline style that differs from the style of all pipelines here (R7.2)."""
    for pragma in pragmas:
        clauses = dict(pragma.clauses)
        style = clauses.get("style", "flp" if "enable_flush" in clauses else "stp").lower()
        if pragma.name == "pipeline" and style != "stp":
            said = f"style={style}" if "style" in clauses else "enable_flush"
            yield f"ignored: {pragma.position}: pipeline {said}: pipelines stand still as a whole here (R7.2)"


def check_loops(body: SyntaxNode, pragmas: Sequence[PragmaLine]) -> None:
    """Refuse a pipelined function with loops, which the tool would unroll."""
    loops = [node for node in body.walk() if node.kind in LOOPS]
    for pragma in pragmas:
        around = [loop for loop in loops if inside(pragma, loop)]
        if loops and pragma.name == "pipeline" and inside(pragma, body) and not around:
            refuse(pragma.position, "the pipelining of a function with loops is not followed where it is executed")


def check_streams(places: Places, known: Container[Variable]) -> None:
    """Refuse a stream that is neither one of the region (``known``) nor an argument of the accessing function."""
    used = [access.stream for access in places.access]
    given = [each for call in places.call for each in call.children if stream_type(each.type) is not None]
    for node, own in (*((each, False) for each in used), *((each, True) for each in given)):
        base = node.bare
        while base.kind in ("index", "unary", "binary"):
            base = base.children[0].bare
        variable = base.variable if base.kind == "name" else None
        if variable in known or (variable is not None and variable.scope == "parameter" and not own):
            continue
        if (blocks := in_words(str(node))) != str(node):
            refuse(
                node.position, f"hls::stream_of_blocks '{blocks}' is not followed where a region is executed (R11.6)"
            )
        words = f"the stream '{node}' is no variable of the dataflow region, which is not followed where it is executed"
        refuse(node.position, f"{words}; declare it in the region and hand it to the tasks as an argument")
