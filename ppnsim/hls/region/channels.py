"""Channels between the tasks of regions: FIFOs, whole arrays with their free copies, and order (R7.2, R7.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, all_loops
from ppnsim.hls.pragmas.names import variable_of
from ppnsim.hls.rams import is_ram
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.as_reports import ReportedRegion, told
from ppnsim.hls.region.blocks import as_blocks, shown
from ppnsim.hls.region.checks import check_counts, check_ends, check_fifo
from ppnsim.hls.region.leaves import Leaf, common_part, first_leaves, in_region, last_leaves, stands_before
from ppnsim.hls.region.memories import Shared, shared_memories
from ppnsim.hls.region.orders import orders_of
from ppnsim.hls.region.read_write_arrays import check_own_values, refuse_early, refuse_second
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.rhythms import Rhythm
from ppnsim.hls.region.steps import repeated
from ppnsim.hls.schedule.model import ChannelKind, RegionChannel
from ppnsim.hls.structure.blocks import is_block
from ppnsim.loops.as_c.names import unique
from ppnsim.loops.program import Array, LoopProgram, Position
from ppnsim.model.elements import Channel
from ppnsim.model.step_lists import StepList

BUFFERS = 2
"""Copies of an array between two tasks: one task writes one copy while the other task reads the other."""
Ends = dict[str, tuple[list[Leaf], list[Leaf]]]
"""The tasks that write each FIFO, and those that read it."""


@dataclass(slots=True)
class ChannelsBetween:
    """A search for the channels between tasks.

    Attributes
    ----------
    leaves : all tasks.
    clocks : the accesses of each task to FIFOs, in one run.
    rhythms : steps of one run of each task, and from its start to its next start.
    outer : number of loops around each task that are runs of its process.
    recent : whether the rules of R9 hold.
    reported : the waits that synthesis reports leave out, None if the hardware's cycles count.
    said : assumptions about the channels.
    """

    program: LoopProgram
    directives: Directives
    leaves: Sequence[Leaf]
    clocks: Mapping[Leaf, Clocked]
    rhythms: Mapping[Leaf, Rhythm]
    outer: int
    recent: bool = False
    reported: ReportedRegion | None = None
    said: list[str] = field(default_factory=list)

    def all(self) -> Iterator[tuple[Channel, RegionChannel]]:
        """Yield all channels: FIFOs, arrays in the order of their declaration, and order."""
        ends = self._ends()
        for array in self.program.arrays:
            if array.stream:
                found = self.fifos(array, ends.get(array.name, {}))
                yield from (as_blocks(*each, array, self.program) for each in found)
            elif not is_block(array):
                yield from self.buffers(array)
        yield from self.order()

    def _ends(self) -> dict[str, Ends]:
        """Return the tasks that write and that read each FIFO, by the array that contains it."""
        found: dict[str, Ends] = {}
        for leaf in self.leaves:
            for fifo, kind in self.clocks[leaf].times:
                ends = found.setdefault(fifo.partition("[")[0], {})
                ends.setdefault(fifo, ([], []))[kind == "take"].append(leaf)
        return found

    def fifos(self, array: Array, ends: Ends) -> Iterator[tuple[Channel, RegionChannel]]:
        """Yield the FIFO of a variable, or each FIFO of an array of them."""
        depth = self.directives.depths.get(array.name, array.stream)
        inside: set[Leaf] = set()
        for fifo, (writers, readers) in sorted(ends.items(), key=lambda each: _numbers(each[0])):
            called = shown(array, fifo)
            check_ends(array, called, writers, readers)
            if not (writers and readers):
                continue  # an argument: the outside never makes a task wait
            (writer,), (reader,) = writers, readers
            if writer is reader:
                inside.add(writer)
                continue
            if stands_before(reader, writer) and not (reader.endless or writer.endless):
                words = f"is read by '{reader.name}' before '{writer.name}' writes it"
                where = str(reader.reads[array.name])
                if not in_region(reader, writer):
                    raise InputError(f"FIFO '{called}' of a dataflow region {words}", where=where)
                if any(each.drains for each in (*self.directives.loops.values(), *self.directives.functions.values())):
                    more = "it feeds back, and whether pipelines that drain (style=flp, frp) stand still is not known"
                    raise NoNetwork(f"FIFO '{called}' of a dataflow region {words}; {more}", where=where)
                more = "it feeds back: both run at once, each standing still as a whole; C simulation finds it empty"
                self.said.append(f"{where}: FIFO '{called}' {words} in the source: {more}")
            self._check_counts(array, fifo, writer, reader)
            yield self._channel(
                fifo, "fifo", array, writer, reader, self._accesses(writer, fifo, "put"),
                self._accesses(reader, fifo, "take"), depth=depth, width=array.bits,
            )  # fmt: skip
        for leaf in self.leaves:
            if leaf in inside:
                guessed = any(loop.assumed for loop in all_loops(leaf.body))
                check_fifo(leaf.name, array, self.clocks[leaf], depth, guessed=guessed)

    def _accesses(self, leaf: Leaf, fifo: str, kind: str) -> StepList:
        steps = self.clocks[leaf].times[fifo, kind]
        return StepList(self.rhythms[leaf].again(steps, leaf.times(self.outer)))

    def _check_counts(self, array: Array, fifo: str, writer: Leaf, reader: Leaf) -> None:
        put, taken = (
            StepList(self.clocks[leaf].times[fifo, kind]).count * leaf.times()
            for leaf, kind in ((writer, "put"), (reader, "take"))
        )
        check_counts(array, fifo, (writer, put), (reader, taken), self.directives.depths.get(array.name, array.stream))

    def buffers(self, array: Array) -> Iterator[tuple[Channel, RegionChannel]]:
        """Yield the channels that hand an array or a scalar over from its writer to each reader.

        If different tasks use different memories of an array, each memory has its own channels.
        """
        touching = self._touching(array)
        partition = self.directives.partitions.get(array.name)
        every, assumed = shared_memories(array, partition, touching) if touching else ([], False)
        if assumed:
            names, directive = ", ".join(each.name for each in every), "a directive array_partition with type=complete"
            words = f"'{array.name}' is handed over as if it were divided into {names}, as {directive} makes it"
            self.said.append(f"{words}: synthesis refuses an array that several tasks write ({array.position})")
        for shared in every:
            found: list[tuple[Channel, RegionChannel]] = []
            seen: set[tuple[Leaf, Leaf]] = set()
            for writer, reader in self._pairs(array, shared):
                found += self._handed(array, shared, writer, reader, seen)
            alone = sum(known.kind == "buffer" for _, known in found) == 1
            for channel, known in found:
                yield (replace(channel, name=shared.name) if alone and known.kind == "buffer" else channel), known

    def _pairs(self, array: Array, shared: Shared) -> Iterator[tuple[Leaf, Leaf]]:
        """Yield each task that writes memories with each later task of the same region that reads them."""
        refuse_early(array, shared, self.leaves)
        latest: list[Leaf] = []
        for leaf in self.leaves:
            before = [each for each in latest if in_region(each, leaf)]
            if leaf in shared.writes and before and not self._in_place(array):
                refuse_second(array, before[0], leaf)
            if leaf in shared.reads:
                for writer in before:
                    if array.role == "local" and not self._in_place(array):
                        check_own_values(array, writer, shared.among)
                    yield writer, leaf
            if leaf in shared.writes:
                takes_over = self._in_place(array) and (not array.shape or leaf in shared.reads)
                latest = [leaf] if takes_over else [*latest, leaf]

    def _touching(self, array: Array) -> list[Leaf]:
        """Return the tasks that read or write an array; empty if no task has to wait for it."""
        kept = self.directives.storage.get(array.name)
        touching = [leaf for leaf in self.leaves if array.name in leaf.reads or array.name in leaf.writes]
        if kept is not None and kept.kind == "fifo" and len(touching) > 1:
            names = ", ".join(leaf.name for leaf in touching)
            words = f"array '{array.name}' is a FIFO by its interface pragma, and several tasks ({names}) access it"
            raise NoNetwork(words, where=str(touching[1].position))
        if (kept is not None and kept.kind == "bus") or not any(array.name in leaf.writes for leaf in touching):
            return []
        return touching

    def _in_place(self, array: Array) -> bool:
        """Return whether each task hands on new values: of a scalar, or of an array of registers only."""
        kept = self.directives.partitions.get(array.name)
        return not array.shape or (kept is not None and kept.registers)

    def _handed(
        self, array: Array, shared: Shared, writer: Leaf, reader: Leaf, seen: set[tuple[Leaf, Leaf]]
    ) -> Iterator[tuple[Channel, RegionChannel]]:
        """Yield the channels of whole copies from one part to another, and the channels of free copies back."""
        if self.reported is not None and (why := self.reported.overlaps(array, shared, writer)):
            self.said.append(told(shared.name, reader.name, why))
            return
        # R9.7: an array in registers has one copy.
        twice = array.role == "local" and not (self.recent and array.shape and self._in_place(array))
        copies = self.directives.copies.get(array.name, BUFFERS if twice else 1)
        width = array.bits * (prod(array.shape) if array.role == "local" else 1)
        place = common_part(writer, reader)
        both: tuple[tuple[ChannelKind, Leaf, Leaf], ...] = ("buffer", writer, reader), ("credit", reader, writer)
        # R5.26: reports count the longest period, and no wait for a free copy.
        freely = self.reported is not None and any(self.rhythms[each].rewinds for each in (writer, reader))
        for kind, one, other in both[: 1 if freely else 2]:
            for source in last_leaves(self.leaves, place, one):
                for target in first_leaves(self.leaves, place, other):
                    if (source, target) in seen:
                        continue
                    seen.add((source, target))
                    initial, bits = (0, width) if kind == "buffer" else (copies, 1)
                    yield self._whole(
                        f"{shared.name}: {source.name} -> {target.name}", kind, array, (source, target), place,
                        depth=copies, initial=initial, width=bits, ready=kind == "credit",
                    )  # fmt: skip

    def order(self) -> Iterator[tuple[Channel, RegionChannel]]:
        """Yield the channels that order parts: stages, and the rounds of loops around regions."""
        taken: set[str] = set()  # names in use: two loops around a region may order the same tasks
        for order in orders_of(self.leaves):
            for one, other in order.pairs:
                name = f"next {other.name} after {one.name}" if order.initial else f"{one.name} -> {other.name}"
                taken.add(name := unique(name, taken))
                yield self._whole(name, "order", None, (one, other), order.place, initial=order.initial, width=1)

    def _whole(
        self, name: str, kind: ChannelKind, array: Array | None, ends: tuple[Leaf, Leaf], place: int, *,
        depth: int | None = None, initial: int = 0, width: int, ready: bool = False,
    ) -> tuple[Channel, RegionChannel]:  # fmt: skip
        """Return a channel with one token for each run of the part around both ends.

        ``ready``: the token says that the source can start again, not that it has ended (R5.26).
        """
        source, target = ends
        inside = [each.times(max(place + 1, self.outer)) for each in ends]
        times = [each.times(self.outer, max(place + 1, self.outer)) for each in ends]
        every = [runs * self.rhythms[each].period for runs, each in zip(inside, ends, strict=True)]
        rhythm = self.rhythms[source]
        last, forward = rhythm.ready(inside[0]) if ready else rhythm.done(inside[0])
        written = StepList(repeated((last,), times[0], every[0]))
        read = StepList(repeated((0,), times[1], every[1]))
        return self._channel(
            name, kind, array, source, target, written, read, depth=depth, width=width, initial=initial,
            forward=forward,
        )  # fmt: skip

    def _channel(
        self, name: str, kind: ChannelKind, array: Array | None, source: Leaf, target: Leaf, written: StepList,
        read: StepList, *, depth: int | None, width: int, initial: int = 0, forward: int | None = None,
    ) -> tuple[Channel, RegionChannel]:  # fmt: skip
        # R10.2: without this rule, a token passes every FIFO in one cycle (R7.2).
        slow = kind == "fifo" and (self.recent or bool(self.directives.timings)) and is_ram(depth or 0, width)
        # R7.3: a memory that is handed over only once; in reports on every device (R9.40).
        later = self.recent or self.reported is not None
        slow |= kind == "buffer" and later and array is not None and bool(array.shape) and source.times() == 1
        channel = Channel(
            name=name, source=source.name, target=target.name, write_steps=written, read_steps=read, depth=depth,
            width=width, initial=initial, forward=2 if slow else forward, fixed=kind != "fifo",
        )  # fmt: skip
        if array is None:
            return channel, RegionChannel(kind, "", "", Position())
        position = array.position
        if not position.file:
            position = source.writes.get(array.name, target.reads.get(array.name, position))
        return channel, RegionChannel(kind, array.name, variable_of(array, self.program.frames), position)


def _numbers(fifo: str) -> list[int]:
    """Return the subscripts of a FIFO in an array as a sort key, so that s[10] comes after s[9]."""
    return [int(each) for each in fifo.replace("]", "").split("[")[1:]]
