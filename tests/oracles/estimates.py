"""The estimates of a network by the words of their rules (T4.1, T4.2), over and over until nothing more is known."""

from __future__ import annotations

from ppnsim import Network

Cycles = list[list[int | None]]


def plain_estimate(network: Network, *, own_processes: bool) -> dict[str, Cycles]:
    """Return the cycle of each step of each firing, by process; None where data goes round in a circle."""
    free = network.never_full().with_style("elastic")
    found = {name: [[None] * free.passings_of(name) for _ in range(free.steps[name].count)] for name in free.steps}
    known: dict[str, Cycles] = {name: [list(row) for row in rows] for name, rows in found.items()}
    more = True
    while more:
        more = False
        for name, rows in known.items():
            for firing in range(len(rows[0])):
                for step, row in enumerate(rows):
                    if row[firing] is None:
                        row[firing] = _cycle(network, free, known, name, step, firing, own_processes)
                        more = more or row[firing] is not None
    return known


def _cycle(
    given: Network, free: Network, known: dict[str, Cycles], name: str, step: int, firing: int, own: bool
) -> int | None:
    steps, latest = free.steps[name], 0
    firings = free.passings_of(name)
    offsets = [int(steps.offsets_of(each, firings)[firing]) for each in range(steps.count)]
    for other, offset in enumerate(offsets):
        if offset <= offsets[step]:
            waits = _waits(given, free, known, name, other, firing, own)
            if None in waits:
                return None
            latest = max(latest, max([0, *(each for each in waits if each is not None)]) + offsets[step] - offset)
    return latest


def _waits(
    given: Network, free: Network, known: dict[str, Cycles], name: str, step: int, firing: int, own: bool
) -> list[int | None]:
    """Return from when each of the things that a step of a firing waits for lets it pass, None where not known."""
    process, steps, rows, found = free.process(name), free.steps[name], known[name], list[int | None]()
    if firing and (steps.stops is not None or not own):
        ii = process.ii if steps.stops is None else int(steps.stops.gaps[firing])
        found.append(_later(rows[step][firing - 1], ii if step == 0 else min(process.ii, 1)))
        limited = given.process(name).style != "flushable" or not given.steps[name].varies
        if step == 0 and limited and steps.capacity is not None and firing >= steps.capacity:
            found += [row[firing - steps.capacity] for row in rows]
    for channel in free.inputs(name):
        if steps.port["in", channel.name] != step:
            continue
        counts, written = free.counts[channel.name], known[channel.source]
        writers = counts.writing_firings(free.passings_of(channel.source)).tolist()
        row = written[free.steps[channel.source].port["out", channel.name]]
        tokens = [token for reader, token in counts.reading_pairs(free.passings_of(name)).tolist() if reader == firing]
        for token in (each - counts.initial for each in tokens if each >= counts.initial):
            there = token < len(writers)
            found.append(_later(row[writers[token]], free.forward(channel.name)) if there else None)
    return found


def _later(cycle: int | None, cycles: int) -> int | None:
    return None if cycle is None else cycle + cycles
