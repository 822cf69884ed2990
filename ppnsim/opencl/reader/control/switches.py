"""A switch as an equivalent chain of ifs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce

from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.opencl.reader.control.changes import opened_blocks
from ppnsim.opencl.reader.control.jumps import early_ends, leaves

_BOOL = CType("integer", "int", 32)


def as_ifs(node: SyntaxNode, value: Variable) -> SyntaxNode:
    """Return a switch as a chain of ifs; ``value`` holds the value that it compares.

    Raises
    ------
    InputError
        If a case goes on into the next one.
    """
    subject = SyntaxNode("name", node.position, value.type, variable=value)
    made = partial(replace, node, kind="binary", type=_BOOL)
    groups = _groups(node)
    chain = replace(node, kind="block", text="", children=())
    for number, (labels, body) in sorted(enumerate(groups), key=lambda each: (not _has_default(each[1][0]), -each[0])):
        ends = [place for place, each in enumerate(body) if leaves(each)]
        if not ends and number + 1 < len(groups):
            refuse(body[-1].position, "a case that goes on into the next one is not followed: end it with break")
        kept = body[: ends[0] + (body[ends[0]].kind == "return")] if ends else body
        for each in (inner for one in kept for inner in early_ends(one) if inner.kind != "return"):
            refuse(each.position, "a break under a condition within a case is not followed: use else")
        block = replace(node, kind="block", text="", children=tuple(kept))
        if _has_default(labels):
            chain = block  # wherever it stands, it is the last alternative
            continue
        tests = (made(text="==", children=(subject, each)) for each in labels)
        test = reduce(lambda one, other: made(text="||", children=(one, other)), tests)
        chain = replace(node, kind="if", text="", children=(test, block, chain))
    return chain


def _groups(node: SyntaxNode) -> list[tuple[list[SyntaxNode], list[SyntaxNode]]]:
    """Return the groups of labels of a switch, each with its statements."""
    groups: list[tuple[list[SyntaxNode], list[SyntaxNode]]] = []
    for statement in node.children[1].children:
        labels, inner = [], statement
        while inner.kind in ("case", "default"):
            labels.append(inner.children[0] if inner.kind == "case" else inner)
            inner = inner.children[-1]
        if labels:
            groups.append((labels, []))
        if groups:
            groups[-1][1].extend(opened_blocks([inner]))
    return groups


def _has_default(labels: Sequence[SyntaxNode]) -> bool:
    return any(each.kind == "default" for each in labels)
