"""Small networks of every kind, the same ones every time: drawn with a seed, without hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from random import Random

from ppnsim.errors import InputError
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import ONE_PER_FIRING, Listed, Rates, Runs, Tokens


def drawn_networks(count: int) -> Iterator[tuple[int, Network]]:
    """Yield networks that obey the rules, with the seed of each; those that break one are left out."""
    for seed in range(count):
        try:
            yield seed, _network(Random(seed)).checked()
        except InputError:
            continue


def _network(random: Random) -> Network:
    units = {"r": random.randint(1, 2)}
    same = random.choice([None, 4, 6])
    style: Style | None = random.choice([None, *STYLES])
    processes = [
        Process(
            name=f"p{n}", firings=same or random.choice([2, 3, 4, 6, 8]), ii=random.choice([1, 1, 2, 3]),
            latency=random.randint(0, 6), read=random.choice([None, None, 0, 2]),
            write=random.choice([None, None, 0, 2]), style=random.choice(STYLES) if style is None else style,
            resource=random.choice([None, None, "r"]),
        )
        for n in range(random.randint(1, 5))
    ]  # fmt: skip
    if random.random() < 0.3:
        steps = random.randint(2, 6)
        planned = Process.scheduled(name="plan", steps=steps, runs=2, start_steps=StepList((0, steps - 1)))
        processes.append(planned)
    ends = [(random.randrange(n), n) for n in range(1, len(processes))]
    ends += [(random.randrange(len(processes)), random.randrange(len(processes))) for _ in range(random.randint(0, 3))]
    channels = [_channel(random, f"c{k}", processes[a], processes[b], b <= a) for k, (a, b) in enumerate(ends)]
    return Network(name="drawn", processes=processes, channels=channels, resources=units, clock_ns=2.5)


def _channel(random: Random, name: str, source: Process, target: Process, back: bool) -> Channel:
    initial = random.choice([1, 2, 6, 12]) if back else random.choice([0, 0, 0, 2])
    room = random.choice([None, 1, 2, 4])
    few = [None, None, 0, 2]
    if source.schedule is not None or target.schedule is not None:
        made = source.firings if source.schedule is None else 4
        read = target.firings if target.schedule is None else 4
        initial += max(0, read - made)
        return Channel(
            name=name, source=source.name, target=target.name, initial=initial, depth=room and max(4, initial) + room,
            write_steps=None if source.schedule is None else StepList((0, 1)),
            read_steps=None if target.schedule is None else StepList((0, 1)),
            tokens=ONE_PER_FIRING,
        )  # fmt: skip
    tokens, burst = _tokens(random, source.firings, target.firings)
    return Channel(
        name=name, source=source.name, target=target.name, tokens=tokens, initial=initial,
        depth=None if room is None else initial + burst + room, forward=random.choice(few),
        release=random.choice(few), width=random.choice([8, 32]), to_offset=random.choice([None, None, 1]),
    )  # fmt: skip


def _tokens(random: Random, producers: int, consumers: int) -> tuple[Tokens, int]:
    """Return as many tokens written as read, and the most that one firing moves."""
    common = gcd(producers, consumers)
    produce, consume = consumers // common, producers // common
    kind = random.choice(["rates", "rates", "phases", "listed", "runs"])
    if kind == "phases" and producers % 2 == 0:
        return Rates((produce + 1, produce - 1), consume), produce + consume + 1
    if producers == consumers and kind == "listed":
        order = list(range(consumers))
        order[:3] = order[:3][::-1]
        return Listed(tuple(range(producers)), tuple(enumerate(order))), 3
    if producers == consumers and kind == "runs":
        return Runs(((0, 1, producers),), ((0, 1, consumers),)), 1
    return Rates(produce, consume), produce + consume
