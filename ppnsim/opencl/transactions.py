"""Transactions of the streams of an executed kernel, and the banks that serve them (rules: `ppnsim.opencl.run`)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.counts import burst, instructions
from ppnsim.opencl.kernel import ITEMS, BlockStep


@dataclass(slots=True)
class _Stream:
    """The transactions of one access in one unit; ``share`` is that of a transaction, per execution."""

    share: Fraction
    near: bool
    seed: int
    limit: int
    made: Fraction = Fraction(0)
    issued: int = 0
    last: int = 0
    under_way: deque[int] = field(default_factory=deque)

    def under_way_at(self, now: int) -> deque[int]:
        """Return when the transactions end that still count against the limit: none that came before them is left."""
        while self.under_way and self.under_way[0] <= now:
            self.under_way.popleft()
        return self.under_way


class Transactions:
    """The banks of a board and the streams that use them; ``served`` counts the transactions of each bank.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> memory = Transactions(opencl_board(), simd=1)
    >>> load = BlockStep(name="l", op="load", bytes=4, along=("items",))
    >>> [memory.access((0, "b"), load, now) for now in (0, 1, 70)], memory.served
    ([64, 64, 134], [1, 1])
    """

    def __init__(self, board: OpenclBoard, simd: int) -> None:
        self.board, self.simd = board, simd
        self.served = [0] * board.banks
        self._free = [0] * board.banks
        self._streams: dict[tuple[tuple[int, str], str], _Stream] = {}

    def state(self, now: int) -> tuple[object, ...]:
        """Return all that decides about accesses from a cycle on, as times from then on."""
        banks = len(self._free)
        streams = {
            key: (
                each.made - each.issued, (each.issued + each.seed) % banks, max(0, each.last - now),
                [max(0, ends - now) for ends in each.under_way_at(now)],
            )
            for key, each in self._streams.items()
        }  # fmt: skip
        return streams, [max(0, free - now) for free in self._free]

    def access(self, pipeline: tuple[int, str], step: BlockStep, now: int) -> int:
        """Issue the transactions that begin with an access in cycle ``now``; return when all its data are there.

        ``pipeline`` is the unit and the block of the access.
        """
        stream = self._streams.get((pipeline, step.name))
        if stream is None:
            share = instructions(step, simd=self.simd, width=self.board.width)
            share /= burst(step, simd=self.simd, width=self.board.width)
            limit = self.board.outstanding * step.copies
            stream = _Stream(share=share, near=ITEMS in step.along, seed=len(self._streams), limit=limit)
            self._streams[pipeline, step.name] = stream
        if stream.last <= now:
            stream.made = Fraction(stream.issued)  # whatever room was left is gone: there is no cache
        stream.made += stream.share
        while stream.issued < ceil(stream.made):
            self._issue(stream, now)
        return max(stream.last, now)

    def _issue(self, stream: _Stream, now: int) -> None:
        if len(stream.under_way_at(now)) == stream.limit:
            now = max(now, stream.under_way.popleft())
        place = stream.issued + stream.seed
        # A multiplicative hash spreads the transactions of accesses without neighbours over the banks.
        bank = (place if stream.near else (place * 2654435761 % 2**32) >> 16) % len(self._free)
        start = max(now, self._free[bank])
        self._free[bank] = start + 1
        self.served[bank] += 1
        stream.last = max(stream.last, start + self.board.latency)
        stream.under_way.append(start + self.board.latency)
        stream.issued += 1
