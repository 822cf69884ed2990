"""Run counts of tasks without an end (``hls::task``): they run until the tokens that others write are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ppnsim.errors import InputError
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.model.step_lists import StepList

NOTHING: Mapping[str, int] = MappingProxyType({})


def rounds_of(
    leaves: Sequence[Leaf], clocks: Mapping[Leaf, Clocked], outside: Mapping[str, int] = NOTHING
) -> dict[Leaf, int]:
    """Return the runs of each task without an end.

    If all tokens of a task come from outside, and their number is unknown, the task runs once. If that is too few
    tokens for one run of a later task, all such tasks run as often as that task needs (R7.1).

    Parameters
    ----------
    outside : known numbers of tokens that come from outside, by FIFO of the interface.

    Raises
    ------
    InputError
        If a task never gets the tokens of one run, or such tasks feed each other in a circle.
    """
    puts: dict[str, Leaf] = {}
    for leaf in leaves:
        for fifo, kind in clocks[leaf].times:
            if kind == "put":
                puts.setdefault(fifo, leaf)
    feeds = _Feeds(clocks, puts, outside)
    order = feeds.in_order(leaves)
    free: list[Leaf] = []
    for leaf in order:
        before = feeds.before(leaf)
        if all(each in free for each in before) and (before or not any(f in outside for f, _ in feeds.taken(leaf))):
            free.append(leaf)
    runs = 1
    while True:
        known = {leaf: 1 for leaf in leaves if not leaf.endless}
        short = 1
        for leaf in order:
            known[leaf], lacks = feeds.rounds(leaf, known, runs if leaf in free else 1, free)
            short = max(short, lacks)
        if short == 1:
            return known
        runs *= short


@dataclass(frozen=True)
class _Feeds:
    """The task that writes the tokens of each FIFO, and the number of tokens from outside."""

    clocks: Mapping[Leaf, Clocked]
    puts: Mapping[str, Leaf]
    outside: Mapping[str, int]

    def taken(self, leaf: Leaf) -> Iterator[tuple[str, int]]:
        """Yield each FIFO that a task reads, and the tokens that one run reads."""
        for (fifo, kind), steps in self.clocks[leaf].times.items():
            if kind == "take":
                yield fifo, StepList(steps).count * leaf.times()

    def before(self, leaf: Leaf) -> list[Leaf]:
        """Return the tasks that write for a task."""
        return [self.puts[fifo] for fifo, _ in self.taken(leaf) if fifo in self.puts]

    def in_order(self, leaves: Sequence[Leaf]) -> list[Leaf]:
        """Return the tasks without an end, each after those that write for it."""
        order: list[Leaf] = []
        waiting = [leaf for leaf in leaves if leaf.endless]
        while waiting:
            ready = [leaf for leaf in waiting if not any(each in waiting for each in self.before(leaf))]
            if not ready:
                names = ", ".join(f"'{leaf.name}'" for leaf in waiting)
                words = f"tasks {names} run as long as tokens come and feed each other in a circle"
                raise NoNetwork(f"{words}: how often they run is not known", where=str(waiting[0].position))
            order += ready
            waiting = [leaf for leaf in waiting if leaf not in ready]
        return order

    def rounds(self, leaf: Leaf, known: Mapping[Leaf, int], runs: int, free: Sequence[Leaf]) -> tuple[int, int]:
        """Return the runs of a task, and the factor by which ``free`` tasks must run more often for its first run.

        ``runs`` is the number of its runs if all of its tokens come from outside.
        """
        found, lacks = list[int](), 1
        for fifo, needed in self.taken(leaf):
            if fifo in self.outside and fifo not in self.puts:
                found.append(max(1, self.outside[fifo] // needed))
            if fifo in self.puts:
                writer = self.puts[fifo]
                one = StepList(self.clocks[writer].times[fifo, "put"]).count * writer.times()
                if (written := one * known[writer]) < needed and writer not in free:
                    self._refuse(leaf, fifo, needed, written)
                lacks = max(lacks, -(-needed // max(1, written)))
                found.append(max(1, written // needed))
        return min(found, default=runs), lacks

    def _refuse(self, leaf: Leaf, fifo: str, needed: int, written: int) -> None:
        words = f"task '{leaf.name}' reads {needed} tokens of FIFO '{fifo}' in a run, and '{self.puts[fifo].name}' "
        words += f"writes {written} in all; '#pragma HLS loop_tripcount max=N' in a loop of it without an end says how "
        raise InputError(words + "many tokens it takes", where=str(leaf.position))
