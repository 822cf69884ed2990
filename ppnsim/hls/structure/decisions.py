"""Decides what each loop becomes in hardware (R1.3 to R1.5): pipelined, unrolled, flattened, or a state machine.

Inner bounds, trip counts and the roles of written locations decide; directives overrule the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, direct_loops
from ppnsim.hls.rules import Rules
from ppnsim.hls.structure.counting import constant_trips, is_data, used
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.perfect import beside, flattens, stays_perfect
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, changed, steps_of
from ppnsim.hls.structure.unrolling import flat, unrolled
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Execution, Loop, Node, Statement

UNROLLED = 64
"""Trip count up to which all loops inside a loop are unrolled, so that it can be pipelined (R1.3)."""


def structured(
    body: Sequence[Node], real: set[str], directives: Directives, rules: Rules,
    change: Callable[[Statement], Statement] = lambda statement: statement,
) -> tuple[Tree, ...]:  # fmt: skip
    """Return a program's body with every loop decided on.

    Parameters
    ----------
    real : names of the arrays of floating-point numbers.
    change : rewrites each statement at the end.

    Raises
    ------
    InputError
        If a loop that has to be unrolled has no constant trip count, or if data decides whether a loop runs.
    """
    return changed(_Builder(real, directives, rules).nodes(body, ()), change)


@dataclass(frozen=True, slots=True)
class _Builder:
    real: set[str]
    directives: Directives
    rules: Rules

    def nodes(
        self, body: Sequence[Node], around: tuple[Loop | Condition, ...], under: tuple[Condition, ...] = ()
    ) -> tuple[Tree, ...]:
        found: list[Tree] = []
        for node in body:
            if isinstance(node, Execution):
                found.append(GuardedStatement(node.statement, under))
            elif isinstance(node, Loop):
                found += self.loop(node, around)
            elif not direct_loops(node.body) and not direct_loops(node.otherwise):
                found += steps_of([node], under)
            else:
                for part, condition in ((node.body, node.condition), (node.otherwise, Not(node.condition))):
                    inside = self.nodes(part, (*around, condition), (*under, condition))
                    if is_data(condition) and not all(isinstance(tree, GuardedStatement) for tree in inside):
                        _refuse_loop(part)
                    found += inside
        return tuple(found)

    def pipeline(self, loop: Loop, body: Sequence[Node], around: tuple[Loop | Condition, ...]) -> Pipeline:
        """Return a pipelined loop."""
        asked, given = self.directives.of(loop), self.directives
        return Pipeline(
            (loop,), tuple(steps_of(body)), around=around, unrolled=bool(direct_loops(loop.body)), ii=asked.ii,
            distances=given.distances((loop,)), apart=given.apart((loop,)), depth=asked.least, balance=asked.balance,
            call=asked.call,
        )  # fmt: skip

    def loop(self, loop: Loop, around: tuple[Loop | Condition, ...]) -> tuple[Tree, ...]:
        asked = self.directives.of(loop)
        if asked.unroll is not None:
            found: list[Tree] = []
            for copy in unrolled(loop, asked.unroll):
                if isinstance(copy, Loop) and copy.iterator == loop.iterator:
                    found += self._decided(copy, around)
                else:
                    found += self.nodes((copy,), around)
            return tuple(found)
        return self._decided(loop, around)

    def _decided(self, loop: Loop, around: tuple[Loop | Condition, ...]) -> tuple[Tree, ...]:
        asked, children = self.directives.of(loop), direct_loops(loop.body)
        if not children and asked.pipeline is False:
            return (Serial((loop,), tuple(steps_of(loop.body)), around),)
        if not children:
            return (self.pipeline(loop, loop.body, around),)
        if asked.pipeline or self._unrolls(loop, children):
            return (self.pipeline(loop, flat(loop.body), around),)
        body = self.nodes(loop.body, (*around, loop))
        joined = None if asked.flatten is False else self._flattened(loop, body, around)
        return (joined or Serial((loop,), body, around),)

    def _flattened(
        self, loop: Loop, body: tuple[Tree, ...], around: tuple[Loop | Condition, ...]
    ) -> Pipeline | Serial | None:
        """R1.4: return a loop and the only loop in its body as one, None if they stay two."""
        nests = [tree for tree in body if not isinstance(tree, GuardedStatement)]
        if len(nests) != 1:
            return None
        (inner,) = nests
        if isinstance(inner, Serial):
            apart = any(used(each, loop.iterator) for each in inner.loops) or inner.around != (*around, loop)
            return None if apart or len(body) > 1 else replace(inner, loops=(loop, *inner.loops), around=around)
        if not self.rules.flatten or len(direct_loops(loop.body)) > 1 or not flattens(loop, inner, body, self.real):
            return None
        before, after = beside(inner, body)
        return replace(
            inner, loops=(loop, *inner.loops), around=around,
            before=(*before, *inner.before), after=(*inner.after, *after),
            distances={**self.directives.distances((loop,)), **inner.distances},
            apart=inner.apart | self.directives.apart((loop,)),
        )  # fmt: skip

    def _unrolls(self, loop: Loop, children: Sequence[Loop]) -> bool:
        """R1.3: all inner loops are innermost and short, and the nest is not perfect."""
        if not self.rules.unroll or self.directives.keeps(loop):
            return False
        for child in children:
            trips = constant_trips(child)
            if trips is None or trips > UNROLLED or direct_loops(child.body):
                return False
        return not (len(loop.body) == 1 and isinstance(loop.body[0], Loop) and stays_perfect(loop.body[0], self.real))


def _refuse_loop(body: Sequence[Node]) -> NoReturn:
    loop = direct_loops(body)[0]
    raise InputError(
        f"loop '{loop.iterator}' runs only if data decides so; '#pragma ppnsim tripcount(1)' before the if executes "
        "its body, tripcount(0) its else",
        where=str(loop.position),
    )
