"""Loops whose bounds are data, with their iterations by the kernel's arguments in place of other names (R5.15)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.scalars import Scalars
from ppnsim.loops.polynomials import Digits, Divided, Polynomial
from ppnsim.loops.program import Loop, LoopProgram, Node
from ppnsim.loops.summed import ITERATOR

UNKNOWN = "unknown "
"""Begins the name of a scalar that is no formula of the arguments where a loop needs it."""
NEGATIVE = "negative "
"""Begins the name of one that may be below 0, where a quotient is made of it."""


def with_known_ends(program: LoopProgram) -> LoopProgram:
    """Return a program whose loops say by arguments and iterators how often they run, where that is known.

    What the head of a loop names has the value that it has where the loop stands: an argument may have been assigned.
    """
    scalars = Scalars(program)

    def change(node: Node) -> tuple[Node, ...] | None:
        if not isinstance(node, Loop) or node.runs is None:
            return None
        runs, begins = (None if each is None else _resolved(each, node, scalars) for each in (node.runs, node.begins))
        body = replace(program, body=node.body).rewritten(change).body
        return (replace(node, body=body, runs=runs, begins=begins),)

    return program.rewritten(change) if scalars.counted else program


def _resolved(value: Polynomial, loop: Loop, scalars: Scalars) -> Polynomial:
    """Return what the head of a loop says, by the arguments."""
    by = {}
    for name in value.names:
        if name.startswith(ITERATOR):
            continue
        found = scalars.of(name, scalars.before(loop))
        if found is None:
            found = Polynomial.of(UNKNOWN + name)
        elif _has_quotients(value) and not found.never_negative:
            # The formula of the head takes names for numbers from 0 on, which variables need not be.
            found = Polynomial.of(NEGATIVE + name)
        by[name] = found
    return value.replaced(by)


def _has_quotients(value: Polynomial) -> bool:
    inner = [each for monomial, _ in value.terms for each in monomial if not isinstance(each, str)]
    return any(isinstance(each, Divided | Digits) or any(map(_has_quotients, each.parts)) for each in inner)
