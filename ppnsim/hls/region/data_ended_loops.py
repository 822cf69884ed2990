"""Trip counts of loops that data ends: the other end of a FIFO gives them if no annotation does (R7.10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c.lowering.control.limits import ASSUMED
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.errors import InputError
from ppnsim.hls.loop_names import called, labels_of
from ppnsim.hls.pragmas.directives import Directives, all_loops
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region.checks import check_counts, chosen
from ppnsim.hls.region.leaves import Leaf, leaves_of
from ppnsim.hls.region.parts import parts_of
from ppnsim.hls.structure.counting import constant_trips, is_data, visits, with_trips
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Loop, LoopProgram, Node

_SAID = re.compile(r"the loop in line (\d+) runs (\d+) times")


def with_brought_trips(
    program: LoopProgram, directives: Directives, *, annotated: bool = False
) -> tuple[LoopProgram, tuple[str, ...]]:  # fmt: skip
    """Return a kernel whose loops with assumed trip counts match the known token counts of other tasks.

    A loop changes if the number of tokens of its task at a FIFO is linear in its trip count, and the number at the
    other end rests on no assumption, or on a trip count that was matched before. Loops without any limit then match
    the tokens that arrays or annotations limit. The sentences name the loops, their trip counts and the FIFOs.
    ``annotated``: annotated trip counts stay, as in synthesis reports.
    """
    if not any(loop.assumed for loop in all_loops(program.body)):
        return program, ()
    try:
        part = parts_of(program, directives)
        leaves = [] if part is None else leaves_of(part, frozenset(each.name for each in program.arrays if each.stream))
    except InputError:  # the scheduling of the region reports the error
        return program, ()
    stated = list(_annotated(program)) if annotated else []
    found = _Matched(program, leaves, {id(loop): constant_trips(replace(loop, assumed=False)) or 0 for loop in stated})
    found.settle()
    for loop in stated:  # annotated trip counts stay
        found.counts.pop(id(loop), None)
    return (program.rewritten(found.changed) if found.counts else program), tuple(found.said)


def overtaken(sentences: Sequence[str], fitting: LoopProgram) -> frozenset[str]:
    """Return the sentences, among some, about a loop's trip count that no loop in that line has."""
    counts: dict[int, set[int | None]] = {}
    for loop in all_loops(fitting.body):
        counts.setdefault(loop.position.line, set()).add(constant_trips(replace(loop, assumed=False)))
    said = {each: _SAID.match(each) for each in sentences}
    return frozenset(
        each for each, found in said.items()
        if found and int(found[1]) in counts and not {int(found[2]), None} & counts[int(found[1])]
    )  # fmt: skip


def _annotated(program: LoopProgram) -> Iterator[Loop]:
    """Yield data-ended loops with a ``loop_tripcount`` of their own, or with a ``tripcount`` right before them."""
    pragmas = Pragmas(sources_of(program))
    for loop in all_loops(program.body):
        file, line = loop.position.file, loop.position.line
        inner = (each.position.line for each in all_loops(loop.body) if each.position.file == file)
        until = min((each for each in inner if line <= each <= loop.end), default=loop.end + 1)
        said = pragmas.tripcount(file, line, until) or pragmas.timing(file, line - 2, line).tripcount
        if loop.assumed and said is not None:
            yield loop


def check_chosen(program: LoopProgram, leaves: Sequence[Leaf], directives: Directives) -> None:
    """Refuse tokens that do not match because data decides about an ``if`` with loops, before anything is scheduled.

    Raises
    ------
    NoNetwork
        As `check_counts`, which finds the same, and more, with the schedules of the tasks (R7.4).
    """
    decided = {leaf for leaf in leaves if chosen(leaf)}
    arrays = {array.name: array for array in program.arrays}
    for fifo, writer, reader in pairs_of(program, leaves) if decided else ():
        put, taken = _tokens(writer, fifo), _tokens(reader, fifo)
        if {writer, reader} & decided and not (put.decided or taken.decided):
            depth = directives.depths.get(fifo, arrays[fifo].stream)
            check_counts(arrays[fifo], fifo, (writer, put.passed({})), (reader, taken.passed({})), depth)


def pairs_of(program: LoopProgram, leaves: Sequence[Leaf]) -> Iterator[tuple[str, Leaf, Leaf]]:
    """Yield each FIFO between two tasks that run once, with its writer and its reader."""
    for array in program.arrays:
        if not array.stream or array.shape:
            continue
        writers = [leaf for leaf in leaves if array.name in leaf.writes]
        readers = [leaf for leaf in leaves if array.name in leaf.reads]
        if len(writers) == len(readers) == 1 and writers != readers and not any(
            leaf.endless or leaf.around for leaf in (*writers, *readers)
        ):  # fmt: skip
            yield array.name, writers[0], readers[0]


@dataclass(slots=True)
class _Matched:
    """Matched trip counts; ``counts`` has them by identity, since loops of two calls of a function may be equal."""

    program: LoopProgram
    leaves: Sequence[Leaf]
    counts: dict[int, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def settle(self) -> None:
        """Match trip counts along the FIFOs, first with the tokens, then against them, until no loop changes."""
        pairs = list(pairs_of(self.program, self.leaves))
        against = [(fifo, reader, writer) for fifo, writer, reader in pairs]
        for open_ in (_is_assumed, _is_guessed):
            while any(self._match(*each, open_) for each in (*pairs, *against)):
                pass

    def changed(self, node: Node) -> tuple[Node, ...] | None:
        """Return a loop with its new trip count, nothing if it never runs; None for other nodes."""
        if not isinstance(node, Loop) or (count := self.counts.get(id(node))) is None:
            return None
        body = tuple(LoopProgram(name="", arrays=(), body=node.body).rewritten(self.changed).body)
        return (replace(with_trips(node, count), body=body),) if count else ()

    def _match(self, fifo: str, known: Leaf, open_: Leaf, is_open: Callable[[Loop], bool]) -> bool:
        """Set the trip count of the one loop that decides a task's tokens so that they match; return whether it can."""
        tokens, loops = _tokens(known, fifo), _tokens(open_, fifo)
        free, others = ([*filter(is_open, each.assumed(self.counts))] for each in (loops, tokens))
        if len(free) != 1 or others or tokens.decided or loops.decided:
            return False
        wanted = tokens.passed(self.counts)
        once, twice = (loops.passed({**self.counts, id(free[0]): count}) for count in (1, 2))
        count, left = divmod(wanted - (2 * once - twice), max(twice - once, 1))
        if left or count < 0 or twice == once or loops.passed({**self.counts, id(free[0]): count}) != wanted:
            return False  # the tokens are not linear in the trip count, or no trip count gives this number
        self.counts[id(free[0])] = count
        loop, verb = free[0], "brings" if fifo in open_.reads else "takes"
        before = constant_trips(replace(loop, assumed=False))
        if count != before:
            words = f"{called(loop, labels_of(self.program))} runs {count} times"
            self.said.append(f"{words}: as often as '{known.name}' {verb} tokens of FIFO '{fifo}'")
        return True


def _is_assumed(loop: Loop) -> bool:
    return loop.assumed


def _is_guessed(loop: Loop) -> bool:
    """Return whether nothing tells the trip count of a loop: no annotation, no bound and no array in it."""
    return loop.assumed and loop.unlimited and constant_trips(replace(loop, assumed=False)) == ASSUMED


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The accesses of a task to a FIFO: the number of accesses, and the loops and conditions around them."""

    accesses: tuple[tuple[int, tuple[Loop | Condition, ...]], ...]

    def passed(self, counts: Mapping[int, int]) -> int:
        """Return how many tokens the task passes in a run, with other trip counts for some loops."""

        def counted(part: Loop | Condition) -> Loop | Condition:
            return with_trips(part, counts[id(part)]) if isinstance(part, Loop) and id(part) in counts else part

        return sum(times * visits([*map(counted, around)]) for times, around in self.accesses)

    def assumed(self, counts: Mapping[int, int]) -> list[Loop]:
        """Return the loops around the accesses whose trip counts are still assumed."""
        loops = {id(part): part for _, around in self.accesses for part in around if isinstance(part, Loop)}
        return [loop for key, loop in loops.items() if loop.assumed and key not in counts]

    @property
    def decided(self) -> bool:
        """Whether data decides if a token passes."""
        return any(not isinstance(part, Loop) and is_data(part) for _, around in self.accesses for part in around)


def _tokens(leaf: Leaf, fifo: str) -> _Tokens:
    """Return the accesses of a task to a FIFO."""
    found = []
    for statement, around, _ in LoopProgram(name="", arrays=(), body=leaf.body).placed():
        times = sum(access.array == fifo for access in (*statement.reads, *statement.writes))
        if times:
            found.append((times, around))
    return _Tokens(tuple(found))
