"""Vectors (hls::vector) in executed tasks: one operator for each lane, side by side, and reductions (R11.9)."""

from __future__ import annotations

from ppnsim.c.syntax import CType, Function, SyntaxNode, refuse
from ppnsim.hls.structure.lanes import LANES

_HEADER = "vendor/hls_vector.h"  # our replacement for the vendor's header
_REDUCTIONS = {"reduce_add": "+", "reduce_mult": "*"}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_POINTERS = ("begin", "end")


def of_vectors(function: Function) -> bool:
    """Return whether a function is in the vector header: its loops over lanes are no hardware loops."""
    return function.position.file.endswith(_HEADER)


def is_lane(node: SyntaxNode) -> bool:
    """Return whether an expression is a lane of a vector."""
    inner = node.children[0].bare if node.kind == "index" else node
    return inner.kind == "member" and inner.text == LANES


def lanes_of(of: CType) -> CType | None:
    """Return the array of the lanes of a vector, or of a pointer to one; None for another type."""
    while of.kind in ("pointer", "array") and of.element is not None:
        of = of.element
    return dict(of.fields).get(LANES)


def vector_call(node: SyntaxNode, function: Function) -> tuple[str, str, CType, int]:
    """Return the effect of a call of the vector header: its kind, its operator, the type of a lane, and the lanes.

    Kinds are ``fill`` (a vector with one number in all lanes), ``lanes`` (an operator for each lane), ``update`` (the
    same, written to the first operand), ``step`` (``++`` and ``--``), ``compare`` (a bool) and ``reduce``.
    """
    lanes = next(filter(None, map(lanes_of, (node.type, *(each.type for each in node.children)))))
    assert lanes.element is not None and isinstance(lanes.size, int)
    text, name = node.spelled.rpartition("operator")[2], function.name.rstrip("_0123456789")
    if name in _REDUCTIONS:
        return "reduce", _REDUCTIONS[name], lanes.element, lanes.size
    if "operator" not in node.spelled:
        if name in _POINTERS:
            refuse(node.position, f"'{name}' of an hls::vector, a pointer to its lanes; name the lanes, v[0]")
        return "fill", "", lanes.element, lanes.size
    kind = "compare" if text in _COMPARISONS else "step" if text in ("++", "--") else "lanes"
    if kind == "lanes" and text.endswith("="):
        kind = "update"
    return kind, text if kind == "compare" else text.removesuffix("=")[:2], lanes.element, lanes.size
