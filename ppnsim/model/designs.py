"""Networks of the size of today's designs, by generators: where a thousand FIFOs have to be sized.

All have one token per firing, except where a line buffer or a reduction says otherwise. Latencies are typical of
pipelined fixed-point operators; what matters for sizes is that ways of different lengths meet.
"""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import lcm

from ppnsim.errors import InputError
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.tokens import ONE_PER_FIRING, Rates, Tokens


class _Design:
    """Processes and channels in order of declaration."""

    def __init__(self, name: str, firings: int, style: Style) -> None:
        self._name, self._firings, self._style = name, firings, style
        self._processes: list[Process] = []
        self._channels: list[Channel] = []

    def process(self, name: str, latency: int, *, ii: int = 1, firings: int | None = None) -> str:
        count = self._firings if firings is None else firings
        self._processes.append(Process(name=name, firings=count, ii=ii, latency=latency, style=self._style))
        return name

    def channel(
        self, source: str, target: str, *, name: str | None = None, tokens: Tokens = ONE_PER_FIRING,
        from_offset: int | None = None,
    ) -> None:  # fmt: skip
        name = name or f"{source}_{target}"
        self._channels.append(Channel(name=name, source=source, target=target, tokens=tokens, from_offset=from_offset))

    def network(self) -> Network:
        return Network(name=self._name, processes=self._processes, channels=self._channels).checked()


def residual(*, blocks: int = 4, firings: int = 200, latency: int = 5, style: Style = "elastic") -> Network:
    """Return a residual network: in each block ``fork``, two convolutions and ``add``, which the skip joins.

    The second convolution of block b takes ``latency`` + 2 (b mod 4) cycles: skips of different lengths. There are
    5 blocks + 1 channels.

    Examples
    --------
    >>> network = residual(blocks=50)
    >>> len(network.processes), len(network.channels)
    (202, 251)
    """
    design = _Design("residual network", firings, style)
    before = design.process("source", 1)
    for block in range(blocks):
        fork = design.process(f"fork{block}", 1)
        first = design.process(f"conv{block}a", latency)
        second = design.process(f"conv{block}b", latency + 2 * (block % 4))
        add = design.process(f"add{block}", 1)
        design.channel(before, fork)
        design.channel(fork, first)
        design.channel(first, second)
        design.channel(second, add)
        design.channel(fork, add, name=f"skip{block}")
        before = add
    design.channel(before, design.process("sink", 1))
    return design.network()


def transformer(*, layers: int = 2, heads: int = 8, firings: int = 256, style: Style = "elastic") -> Network:
    """Return the layers of a transformer, token by token: heads that are joined, a feed-forward network, two skips.

    The softmax of a head takes 12 + head mod 3 cycles. There are layers (9 heads + 9) + 1 channels.

    Examples
    --------
    >>> network = transformer()
    >>> len(network.processes), len(network.channels)
    (114, 163)
    """
    design = _Design("transformer", firings, style)
    before = design.process("source", 1)
    for layer in range(layers):
        names = ("split", "norm", "join", "project", "add", "expand", "shrink", "sum")
        latencies = (1, 6, 3, 4, 1, 9, 9, 1)
        own = {name: design.process(f"{name}{layer}", each) for name, each in zip(names, latencies, strict=True)}
        design.channel(before, own["split"])
        design.channel(own["split"], own["norm"])
        for head in range(heads):
            _add_head(design, own["norm"], own["join"], f"{layer}.{head}", softmax=12 + head % 3)
        for source, target in pairwise(("join", "project", "add", "expand", "shrink", "sum")):
            design.channel(own[source], own[target])
        design.channel(own["split"], own["add"], name=f"skip{layer}")
        design.channel(own["add"], own["sum"], name=f"around{layer}")
        before = own["sum"]
    design.channel(before, design.process("sink", 1))
    return design.network()


def _add_head(design: _Design, norm: str, join: str, tag: str, *, softmax: int) -> None:
    query, key, value = (design.process(f"{part}{tag}", 4) for part in ("query", "key", "value"))
    score, soft = design.process(f"score{tag}", 7), design.process(f"softmax{tag}", softmax)
    weigh = design.process(f"weigh{tag}", 5)
    for source, target in (
        (norm, query), (norm, key), (norm, value), (query, score), (key, score), (score, soft), (soft, weigh),
        (value, weigh), (weigh, join),
    ):  # fmt: skip
        design.channel(source, target)


def fft(*, points: int = 16, firings: int = 128, latency: int = 4, style: Style = "elastic") -> Network:
    """Return a radix-2 FFT with a process per butterfly: log2(points) stages of points / 2, and a channel per value.

    Inputs come in bit-reversed order, so all butterflies of a block have one twiddle factor. That of the first block is
    1, and needs no multiplication; the others take 3 cycles more. There are points x log2(points) channels.

    Examples
    --------
    >>> len(fft(points=16).channels), len(fft(points=64).channels)
    (64, 384)
    """
    stages = points.bit_length() - 1
    if stages < 1 or points != 1 << stages:
        raise InputError(f"fft: {points} points are not a power of two of at least 2")
    design = _Design(f"FFT of {points} points", firings, style)
    owner = dict.fromkeys(range(points), design.process("source", 1))
    for stage in range(stages):
        span = points >> (stage + 1)
        now: dict[int, str] = {}
        for low in (value for value in range(points) if not value & span):
            block = low // (2 * span)
            name = design.process(f"s{stage}b{low}", latency + (3 if block else 0))
            for value in (low, low + span):
                design.channel(owner[value], name, name=f"x{stage}.{value}")
                now[value] = name
        owner = now
    return design.network()


def systolic(*, rows: int = 16, columns: int = 16, firings: int = 64, style: Style = "elastic") -> Network:
    """Return a systolic array: cells pass values right and down a cycle later, and add up products meanwhile.

    One process feeds all rows, another one all columns. There are 2 rows x columns channels.

    Examples
    --------
    >>> len(systolic().channels)
    512
    """
    design = _Design(f"systolic array {rows} x {columns}", firings, style)
    left, above = design.process("a", 1), design.process("b", 1)
    for row, column in product(range(rows), range(columns)):
        cell = design.process(f"cell{row}.{column}", 3)
        before = (left, None) if column == 0 else (f"cell{row}.{column - 1}", 0)
        upper = (above, None) if row == 0 else (f"cell{row - 1}.{column}", 0)
        design.channel(before[0], cell, name=f"a{row}.{column}", from_offset=before[1])
        design.channel(upper[0], cell, name=f"b{row}.{column}", from_offset=upper[1])
    return design.network()


def image_pipeline(
    *, stages: int = 4, width: int = 16, rows: int = 8, images: int = 4, reduce: int = 4, style: Style = "elastic"
) -> Network:
    """Return 3 x 3 filters behind line buffers, pixel by pixel, with the image itself beside each, and a reduction.

    ``lines`` gives the first window of an image when it has taken ``width`` + 1 pixels, and the last one so many
    firings after the last pixel; ``mix`` puts each filtered pixel upon the one that waited beside it. ``pool`` makes
    one of ``reduce`` pixels. There are 5 stages + 2 channels.

    Examples
    --------
    >>> network = image_pipeline(stages=2, width=4, rows=2, images=1)
    >>> len(network.channels), network.channel("lines0_filter0").tokens
    (12, Rates(produce=(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), consume=(1,)))
    """
    pixels, late = width * rows, width + 1
    if pixels % reduce:
        raise InputError(f"image_pipeline: {pixels} pixels are not a multiple of reduce = {reduce}")
    design = _Design("image pipeline", pixels * images, style)
    before = design.process("camera", 1)
    for stage in range(stages):
        fork, mix = design.process(f"fork{stage}", 1), design.process(f"mix{stage}", 2)
        lines = design.process(f"lines{stage}", 1, firings=(pixels + late) * images)
        kernel = design.process(f"filter{stage}", 9 + stage)
        design.channel(before, fork)
        design.channel(fork, lines, tokens=Rates(1, (1,) * pixels + (0,) * late))
        design.channel(lines, kernel, tokens=Rates((0,) * late + (1,) * pixels, 1))
        design.channel(kernel, mix)
        design.channel(fork, mix, name=f"pixel{stage}")
        before = mix
    pool = design.process("pool", 1, firings=pixels * images // reduce)
    design.channel(before, pool, tokens=Rates(1, reduce))
    design.channel(pool, design.process("sink", 1, firings=pixels * images // reduce))
    return design.network()


def multirate(*, channels: int = 100, seed: int = 1, iterations: int = 20, style: Style = "elastic") -> Network:
    """Return a random network of processes that fire 1 to 4 times per iteration, in rates that balance.

    A process reads from one to three of those up to eight before it; every sixth channel is a reduction of 8 to 64
    tokens to one, and every fifth one has rates that change from firing to firing. Random numbers come from ``seed``.

    Examples
    --------
    >>> network = multirate(channels=10, seed=3)
    >>> len(network.channels), network == multirate(channels=10, seed=4)
    (10, False)
    """
    drawn = random.Random(seed)
    design = _Design(f"random multirate network {seed}", 1, style)
    fires: list[int] = []
    made = 0
    while made < channels:
        number = len(fires)
        fires.append(drawn.choice([1, 2, 2, 3, 4]))
        latency, ii = drawn.randint(1, 12), drawn.choice([1, 1, 2, 3])
        design.process(f"p{number}", latency, ii=ii, firings=fires[number] * iterations)
        if number == 0:
            continue
        near = range(max(0, number - 8), number)
        for source in drawn.sample(near, min(len(near), drawn.randint(1, 3), channels - made)):
            produce, consume = _balanced(drawn, fires[source], fires[number], made)
            design.channel(f"p{source}", f"p{number}", tokens=Rates(produce, consume))
            made += 1
    return design.network()


def _balanced(drawn: random.Random, writes: int, reads: int, made: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return rates with which ``writes`` firings put as many tokens as ``reads`` firings take."""
    tokens = lcm(writes, reads) * (drawn.randint(8, 64) // lcm(writes, reads) if made % 6 == 5 else 1)
    produce, consume = [tokens // writes] * writes, [tokens // reads] * reads
    if made % 5 == 4 and writes > 1:
        moved = drawn.randint(0, produce[0])
        produce[0], produce[-1] = produce[0] - moved, produce[-1] + moved
    return tuple(produce), tuple(consume)
