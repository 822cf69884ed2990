"""The loops of a program as hardware has them (R1.3 to R1.5): pipelined, unrolled, flattened, or a state machine's.

Bounds of loops inside, trip counts and what a loop does with its locations decide; directives overrule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.affine.expressions import Condition, Not
from ppnsim.affine.program import Access, Execution, Guard, Loop, Node, Operation
from ppnsim.hls.counting import constant_trips, used
from ppnsim.hls.directives import Directives
from ppnsim.hls.locations import Role, Step, is_constant, iterators, roles
from ppnsim.hls.rules import Rules
from ppnsim.hls.unrolling import flat, unrolled

UNROLLED = 64
"""Trip count up to which all loops inside a loop are unrolled, so that it can be pipelined (R1.3)."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipelined loop, or several flattened into one; ``before`` and ``after`` are what flattening took in."""

    loops: tuple[Loop, ...]
    steps: tuple[Step, ...]
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    around: tuple[Loop | Condition, ...] = ()
    unrolled: bool = False
    ii: int = 1


@dataclass(frozen=True, slots=True)
class Serial:
    """A loop of the state machine, or several perfectly nested ones that share a header."""

    loops: tuple[Loop, ...]
    body: tuple[Tree, ...]
    around: tuple[Loop | Condition, ...] = ()


Tree = Pipeline | Serial | Step


def structured(body: Sequence[Node], real: set[str], directives: Directives, rules: Rules) -> tuple[Tree, ...]:
    """Return a program's body with every loop decided on.

    Parameters
    ----------
    real : names of the arrays of floating-point numbers.
    """
    return _Builder(real, directives, rules).nodes(body, ())


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
                found.append(Step(node.statement, under))
            elif isinstance(node, Loop):
                found += self.loop(node, around)
            elif not _has_loops(node.body) and not _has_loops(node.otherwise):
                found += steps_of([node], under)
            else:
                found += self.nodes(node.body, (*around, node.condition), (*under, node.condition))
                other = Not(node.condition)
                found += self.nodes(node.otherwise, (*around, other), (*under, other))
        return tuple(found)

    def loop(self, loop: Loop, around: tuple[Loop | Condition, ...]) -> tuple[Tree, ...]:
        asked = self.directives.of(loop)
        if asked.unroll is not None:
            copies = unrolled(loop, asked.unroll)
            return self.nodes(copies, around) if not isinstance(copies[0], Loop) else tuple(
                tree for copy in copies for tree in self._decided(copy, around)  # type: ignore[arg-type]
            )  # fmt: skip
        return self._decided(loop, around)

    def _decided(self, loop: Loop, around: tuple[Loop | Condition, ...]) -> tuple[Tree, ...]:
        asked = self.directives.of(loop)
        inside = (*around, loop)
        children = _loops(loop.body)
        if not children or asked.pipeline:
            body = tuple(loop.body)
            if children:
                body = flat(body)
            if asked.pipeline is False:
                return (Serial((loop,), tuple(steps_of(body)), around),)
            return (Pipeline((loop,), tuple(steps_of(body)), around=around, unrolled=bool(children), ii=asked.ii),)
        if self._unrolls(loop, children):
            body = flat(loop.body)
            return (Pipeline((loop,), tuple(steps_of(body)), around=around, unrolled=True),)
        body_trees = self.nodes(loop.body, inside)
        nests = [tree for tree in body_trees if not isinstance(tree, Step)]
        if len(nests) == 1 and isinstance(nests[0], Pipeline) and asked.flatten is not False:
            inner = nests[0]
            if self.rules.flatten and self._flattens(loop, inner, body_trees) and len(children) == 1:
                place = body_trees.index(inner)
                pre = tuple(tree for tree in body_trees[:place] if isinstance(tree, Step))
                post = tuple(tree for tree in body_trees[place + 1 :] if isinstance(tree, Step))
                return (
                    replace(
                        inner, loops=(loop, *inner.loops), around=around,
                        before=(*pre, *inner.before), after=(*inner.after, *post),
                    ),
                )  # fmt: skip
        if len(body_trees) == 1 and isinstance(body_trees[0], Serial) and asked.flatten is not False:
            inner_loops = body_trees[0]
            if not any(used(each, loop.iterator) for each in inner_loops.loops) and inner_loops.around == inside:
                return (replace(inner_loops, loops=(loop, *inner_loops.loops), around=around),)
        return (Serial((loop,), body_trees, around),)

    def _unrolls(self, loop: Loop, children: Sequence[Loop]) -> bool:
        """R1.3: all loops inside are innermost ones of few iterations, and it is no perfect nest."""
        if not self.rules.unroll or self.directives.keeps(loop):
            return False
        for child in children:
            trips = constant_trips(child)
            if trips is None or trips > UNROLLED or _loops(child.body):
                return False
        return not (len(loop.body) == 1 and isinstance(loop.body[0], Loop) and not self._changed(loop.body[0]))

    def _changed(self, child: Loop) -> bool:
        """Return whether something is hoisted out of a loop, promoted or forwarded, so that it is imperfect."""
        steps = tuple(steps_of(child.body))
        written = {access.array for step in steps for access in step.statement.writes}
        for step in steps:
            for access in step.statement.reads:
                if access.subscripts and access.array not in written and child.iterator not in iterators(access):
                    return True
        found = roles((child,), steps, (), self.real)
        return any(role.kind in ("accumulate", "forward") for role in found.values())

    def _flattens(self, loop: Loop, inner: Pipeline, body: tuple[Tree, ...]) -> bool:
        """R1.4: the loop inside does not use the iterator, and the nest is perfect or nearly so."""
        if any(used(each, loop.iterator) for each in inner.loops) or inner.around[-1:] != (loop,):
            return False
        if len(body) == 1:
            found = roles(inner.loops, inner.steps, inner.before, self.real)
            return not any(
                role.kind == "forward" or (role.kind == "accumulate" and not role.given) for role in found.values()
            )
        return self._nearly_perfect(inner, body)

    def _nearly_perfect(self, inner: Pipeline, body: tuple[Tree, ...]) -> bool:
        place = body.index(inner)
        before = [tree for tree in body[:place] if isinstance(tree, Step)]
        after = [tree for tree in body[place + 1 :] if isinstance(tree, Step)]
        if not before or any(constant_trips(each) is None for each in inner.loops) or inner.before or inner.after:
            return False
        found: Mapping[Access, Role] = roles(inner.loops, inner.steps, before, self.real)
        held = {access for access, role in found.items() if role.kind == "accumulate"}
        for step in before:
            if not is_constant(step.statement.value) or not set(step.statement.writes) <= held:
                return False
        if len(after) > 1 + len(before) / 2:
            return False
        for step in after:
            touched = (*step.statement.reads, *step.statement.writes)
            if any(access.subscripts and access not in held for access in touched) or _calls(step.statement.value):
                return False
        return True


def steps_of(body: Sequence[Node], under: tuple[Condition, ...] = ()) -> list[Step]:
    """Return the statements of a body without loops, each with its conditions."""
    found: list[Step] = []
    for node in body:
        if isinstance(node, Execution):
            found.append(Step(node.statement, under))
        elif isinstance(node, Guard):
            found += steps_of(node.body, (*under, node.condition))
            found += steps_of(node.otherwise, (*under, Not(node.condition)))
    return found


def _loops(body: Sequence[Node]) -> list[Loop]:
    found: list[Loop] = []
    for node in body:
        if isinstance(node, Loop):
            found.append(node)
        elif isinstance(node, Guard):
            found += [*_loops(node.body), *_loops(node.otherwise)]
    return found


def _has_loops(body: Sequence[Node]) -> bool:
    return bool(_loops(body))


def _calls(tree: Operation | None) -> bool:
    return tree is not None and (tree.kind == "call" or any(_calls(operand) for operand in tree.operands))
