"""Refuses statements that a loop program cannot express, with advice."""

from __future__ import annotations

from typing import NoReturn

from ppnsim.c.kinds import UNCOUNTED
from ppnsim.c.lowering.control.loop_heads import advised
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.syntax import SyntaxNode, refuse


def refuse_form(node: SyntaxNode, scope: Scope) -> NoReturn:
    """Raise InputError for a statement of `NON_AFFINE`, with the form that may replace it."""
    if node.kind == "goto" and scope.context.policy.vendor_pragmas:
        words = f"goto '{node.text}', whose label is not further down in a block around it"
        refuse(node.position, f"{words}; write a loop, with break or return at its end, or a function for both")
    if node.kind == "asm" and scope.context.policy.vendor_pragmas:
        refuse(node.position, f"{node}, which no hardware is made of; put it between #ifndef __SYNTHESIS__ and #endif")
    advice = "; only for loops with affine bounds and if with affine conditions can be analysed"
    if node.kind in UNCOUNTED:
        advice += f"; {advised(scope)}"
    refuse(node.position, f"{node} in kernel '{scope.function.name}'{advice}")
