"""Trip counts as formulas of the kernel's arguments, for loops whose bounds depend on data (R5.15)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.scalars import Scalars
from ppnsim.loops.polynomials import Digits, Divided, Polynomial
from ppnsim.loops.program import Loop, LoopProgram, Node
from ppnsim.loops.summed import ITERATOR

UNKNOWN = "unknown "
"""Prefix of the name of a scalar that a loop needs, and that is no formula of the arguments."""
NEGATIVE = "negative "
"""Prefix of the name of a scalar that may be negative, in a quotient."""


def with_known_ends(program: LoopProgram) -> LoopProgram:
    """Return a program whose loops have formulas of arguments and iterators as trip counts, where these are known.

    A name in the head of a loop stands for its value at the loop: the code before may have assigned an argument.
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
    """Return an expression of a loop's head as a formula of the arguments."""
    by = {}
    for name in value.names:
        if name.startswith(ITERATOR):
            continue
        found = scalars.of(name, scalars.before(loop))
        if found is None:
            found = Polynomial.of(UNKNOWN + name)
        elif _has_quotients(value) and not found.never_negative:
            # The formula of the head assumes numbers from 0 on; a variable may be negative.
            found = Polynomial.of(NEGATIVE + name)
        by[name] = found
    return value.replaced(by)


def _has_quotients(value: Polynomial) -> bool:
    inner = [each for monomial, _ in value.terms for each in monomial if not isinstance(each, str)]
    return any(isinstance(each, Divided | Digits) or any(map(_has_quotients, each.parts)) for each in inner)
