"""The structure of each loop in hardware (R1.3 to R1.5): pipelined, unrolled, flattened, or in the state machine.

Loop bounds, trip counts and the roles of written locations decide the structure; directives override it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, LoopDirective, all_loops, direct_loops, scope_of
from ppnsim.hls.recent_results import Recent
from ppnsim.hls.rules import Rules
from ppnsim.hls.structure.counting import constant_trips, is_data, used
from ppnsim.hls.structure.element_runs import copies
from ppnsim.hls.structure.flat import check_copies, flat, outgrows
from ppnsim.hls.structure.folding import folded, tables_of
from ppnsim.hls.structure.known_conditions import without_impossible
from ppnsim.hls.structure.last_only import without_last_only
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.perfect import (
    asks_between,
    flattens,
    is_perfect,
    is_simple,
    is_steady,
    keeps_short,
    of_scalars,
    reads_between,
    runs_once,
    takes_before,
    trips_inside,
)
from ppnsim.hls.structure.resolved_subscripts import resolved
from ppnsim.hls.structure.sinking import beside, sunk
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, changed, steps_of
from ppnsim.hls.structure.unrolling import unrolled, without_single
from ppnsim.hls.structure.whole_program import WholeProgram
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Execution, Loop, LoopProgram, Node, Operation, Statement

Around = tuple[Loop | Condition, ...]
Steps = tuple[GuardedStatement, ...]


def trees_of(
    program: LoopProgram, directives: Directives, rules: Rules, known: Recent[tuple[Tree, ...]],
    whole: WholeProgram | None = None,
) -> tuple[Tree, ...]:  # fmt: skip
    """Return a program's body with constants folded and a structure for each loop; ``known`` stores the results.

    ``whole`` are the facts about the program, if they are known already.

    Raises
    ------
    InputError
        If a loop that must be unrolled has no constant trip count, or if data decides whether a loop runs.
    """
    whole = whole or WholeProgram.of(program)
    arrays = directives.stored_as("fifo") - whole.streams
    builder = _Builder(whole.real, directives, rules, whole.memories, directives.stored_as("bus"), arrays)
    written = frozenset(access.array for statement in program.statements() for access in statement.writes)
    tables = tables_of(program.arrays, written)
    fifos = whole.tokens

    plain: dict[int, Operation] = {}  # folded expressions by identity, since copies of a statement share expressions

    def change(statement: Statement) -> Statement:
        if statement.value is None or statement.index:
            return folded(statement, tables, fifos)
        if id(statement.value) in plain and tables.keys().isdisjoint([each.array for each in statement.reads]):
            return statement
        if (new := folded(statement, tables, fifos)) is statement:
            plain[id(statement.value)] = statement.value
        return new

    def made(node: Node) -> tuple[Tree, ...]:
        return changed(builder.nodes((node,), ()), change)

    found: list[Tree] = []
    body = without_last_only(program, directives.tells_of, whole.counted)
    for number, node in enumerate(without_single(body, directives.tells_of)):
        asked = tuple(directives.of(loop) for loop in all_loops((node,)))
        found += known.of((number, asked), partial(made, node))
    return resolved(found, program.arrays, lambda statement: folded(statement, tables, fifos))


@dataclass(frozen=True, slots=True)
class _Builder:
    """Builds the structure of loops.

    ``real`` are the arrays of floating-point numbers, ``memories`` local arrays in memories, ``buses`` arrays on buses,
    ``fifos`` arrays that are FIFOs.
    """

    real: frozenset[str]
    directives: Directives
    rules: Rules
    memories: frozenset[str]
    buses: frozenset[str]
    fifos: frozenset[str]

    def nodes(self, body: Sequence[Node], around: Around, under: tuple[Condition, ...] = ()) -> tuple[Tree, ...]:
        found: list[Tree] = []
        for node in body:
            if isinstance(node, Execution):
                found.append(GuardedStatement(node.statement, under))
            elif isinstance(node, Loop):
                found += self.loop(node, around, under)
            elif not direct_loops(node.body) and not direct_loops(node.otherwise):
                found += steps_of([node], under)
            else:
                for part, condition in ((node.body, node.condition), (node.otherwise, Not(node.condition))):
                    inside = self.nodes(part, (*around, condition), (*under, condition))
                    if is_data(condition) and not all(isinstance(tree, GuardedStatement) for tree in inside):
                        loop = direct_loops(part)[0]
                        words = f"loop '{loop.iterator}' runs only if data decides so; '#pragma ppnsim tripcount(1)'"
                        words += " before the if executes its body, tripcount(0) its else"
                        raise InputError(words, where=str(loop.position))
                    found += inside
        return tuple(found)

    def pipeline(
        self, loop: Loop, body: Sequence[Node], around: Around, asked: LoopDirective | None = None
    ) -> Pipeline:  # fmt: skip
        asked, given = asked or self.directives.of(loop), self.directives
        return Pipeline(
            (loop,), without_impossible(steps_of(body), (*around, loop)), around=around,
            unrolled=bool(direct_loops(loop.body)), ii=asked.ii,
            distances=given.distances((loop,)), apart=given.apart((loop,)), depth=asked.least, balance=asked.balance,
            call=asked.call, asked=bool(asked.pipeline), firm=bool(asked.pipeline) and asked.firm,
            rewind=asked.rewind,
        )  # fmt: skip

    def loop(self, loop: Loop, around: Around, under: tuple[Condition, ...]) -> list[Tree]:
        factor = self.directives.of(loop).unroll
        if factor is None:
            return [self._decided(loop, around)]
        if self.directives.of(loop).pipeline and self._vanishes(loop) and constant_trips(loop) != 1:
            # A pipelined loop contains no loops; the directive then unrolls it.
            return list(self.nodes(flat((loop,)), around, under))
        check_copies(loop, self.directives)
        found: list[Tree] = []
        for copy in unrolled(loop, factor):
            if isinstance(copy, Loop) and copy.iterator == loop.iterator:
                found.append(self._decided(copy, around))
            else:
                found += self.nodes((copy,), around, under)
        return found

    def _decided(self, loop: Loop, around: Around) -> Tree:
        asked, children = self.directives.of(loop), self._left(loop.body)
        by_itself = self.rules.pipeline_loops or scope_of(loop) in self.directives.timings or copies(loop, self.buses)
        asks = asked.pipeline or (asked.pipeline is None and bool(by_itself) and self._pays(loop, around))
        if not children and not asks:
            return Serial((loop,), without_impossible(steps_of(flat(loop.body)), (*around, loop)), around)
        if not children:
            return self.pipeline(loop, flat(loop.body), around)
        if (asked.pipeline and (asked.call or not outgrows(loop))) or self._unrolls(loop, children):
            return self.pipeline(loop, flat(loop.body), around)
        if (
            asked.pipeline is None
            and self.rules.recent
            and (once := runs_once(loop, self.directives, self.memories)) is not None
        ):
            return self.pipeline(loop, flat(loop.body), around, self.directives.of(once))
        body = self.nodes(loop.body, (*around, loop))
        joined = None if asked.flatten is False else self._flattened(loop, body, around)
        return joined or Serial((loop,), body, around)

    def _left(self, body: Sequence[Node]) -> list[Loop]:
        """Return the loops of a body that remain when directives have completely unrolled others."""
        found: list[Loop] = []
        for each in direct_loops(body):
            if not self._vanishes(each):
                found += self._left(each.body) if self._is_unrolled(each) else [each]
        return found

    def _is_unrolled(self, loop: Loop) -> bool:
        """Return whether a directive unrolls a loop completely, which leaves copies of its inner loops."""
        asked, trips = self.directives.of(loop), constant_trips(loop)
        return asked.unroll is not None and trips is not None and not 0 < asked.unroll < trips

    def _vanishes(self, loop: Loop) -> bool:
        """Return whether a directive unrolls a loop completely, and none of its inner loops remains."""
        if not self._is_unrolled(loop):
            return False
        asked, trips = self.directives.of(loop), constant_trips(loop)
        return (bool(asked.pipeline) and trips != 1) or not self._left(loop.body)

    def _flattened(self, loop: Loop, body: tuple[Tree, ...], around: Around) -> Pipeline | Serial | None:
        """R1.4: return a loop and the only loop in its body as one loop, None if they remain two."""
        nests = [tree for tree in body if not isinstance(tree, GuardedStatement)]
        if len(nests) != 1 or self._is_ended(loop.body) or any(each.ended for each in nests[0].loops):
            return None
        inner, asked = nests[0], self.directives.of(loop)
        if self._kept_apart(asked, loop, inner, body):
            return None
        whole = asked.joined or (self._joins(loop, inner) and self._becomes_one(asked, loop, inner, body))
        if whole and isinstance(inner, Pipeline) and all(map(constant_trips, inner.loops)):
            return replace(sunk(inner, body, loop), loops=(loop, *inner.loops), around=around)
        if isinstance(inner, Serial):
            one = len(body) == 1 and self._shares_header(loop, inner, around)
            return replace(inner, loops=(loop, *inner.loops), around=around) if one else None
        if not self.rules.flatten or len(direct_loops(loop.body)) > 1:
            return None
        if not flattens(loop, inner, body, self.real, self.buses if self.rules.recent else None):
            return None
        before, after = beside(inner, body)
        return replace(
            inner, loops=(loop, *inner.loops), around=around,
            before=(*before, *inner.before), after=(*inner.after, *after),
            distances={**self.directives.distances((loop,)), **inner.distances},
            apart=inner.apart | self.directives.apart((loop,)),
        )  # fmt: skip

    def _shares_header(self, loop: Loop, inner: Serial, around: Around) -> bool:
        """R1.4: return whether perfectly nested loops of the state machine share a header; not with `pipeline off`.

        In Vivado HLS all loops without a directive are like loops with `pipeline off` (R1.6).
        """
        bound = any(used(each, loop.iterator) for each in inner.loops)
        asked = self.directives.of(loop)
        joins = bool((self.rules.pipeline_loops and asked.pipeline is not False) or asked.flatten)
        return joins and not bound and inner.around == (*around, loop) and not reads_between(loop, inner, self.buses)

    def _kept_apart(self, asked: LoopDirective, loop: Loop, inner: Pipeline | Serial, body: tuple[Tree, ...]) -> bool:
        if isinstance(inner, Pipeline) and self.directives.of(inner.loops[-1]).flatten is False:
            return True
        if inner.loops[0].under is not None or (not asked.flatten and takes_before(loop, inner, self.fifos)):
            return True  # a loop in an `if` is not the only code in the loop around it; nor is one behind a token
        told = asked.joined or asked.flatten or not self.rules.joins
        return not told and asks_between(loop, inner, body, self.buses)

    def _becomes_one(
        self, asked: LoopDirective, loop: Loop, inner: Pipeline | Serial, body: tuple[Tree, ...]
    ) -> bool:  # fmt: skip
        """Return whether a nest is flattened: by the release (R9.2), by a directive, or as a simple nest (R9.22)."""
        if asked.flatten and len(body) == 1:
            return True
        if self.rules.joins:
            return True
        if not isinstance(inner, Pipeline) or len(body) == 1:
            return False
        before, after = beside(inner, body)
        inside = [each.statement for each in inner.steps]
        if self.rules.pipeline_loops and not after and all(of_scalars(each.statement, inside) for each in before):
            return True
        told = self.rules.release and len(inner.loops) == 1
        if not self.rules.recent and (not told or flattens(loop, inner, body, self.real)):
            return False  # nests in nests (R9.22), and nests that R1.4 flattens
        return is_simple(inner, body, self.real, self.directives.partitions)

    def _is_ended(self, body: Sequence[Node]) -> bool:
        """R9.4: return whether partial unrolling leaves tests between copies; the outer loop then stays separate."""
        counts = [(constant_trips(loop), self.directives.of(loop).unroll) for loop in direct_loops(body)]
        return any(trips and factor and trips % factor for trips, factor in counts)

    def _joins(self, loop: Loop, inner: Pipeline | Serial) -> bool:
        """R9.2: return whether the inner loop is counted, ignores the outer iterator, and is under no condition."""
        simple = all(is_steady(each, loop) and not used(each, loop.iterator) for each in (loop, *inner.loops))
        return simple and inner.around[-1:] == (loop,) and self.rules.flatten

    def _pays(self, loop: Loop, around: Around) -> bool:
        """R1.3: return whether the tool pipelines a loop on its own: no short loop in a `pipeline off` loop."""
        outer, trips = [each for each in around if isinstance(each, Loop)], constant_trips(loop)
        short = trips is not None and trips <= self.rules.pipeline_loops
        return not (short and outer and self.directives.of(outer[-1]).pipeline is False)

    def _unrolls(self, loop: Loop, children: Sequence[Loop]) -> bool:
        """R1.3: return whether to unroll the inner loops: all are short, and the nest is not perfect."""
        most = self.rules.pipeline_loops
        kept = self.directives.keeps(loop) or self.directives.of(loop).pipeline is False
        if kept or not self.rules.unroll or not most:
            return False
        if any((trips := trips_inside(each, self._left)) is None or trips > most for each in children):
            return False
        return not is_perfect(loop.body, self.real, loop.iterator) and not (self.rules.joins and keeps_short(loop.body))
