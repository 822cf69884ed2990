"""Accesses to global memory as they are executed: which join into one wide transaction, and when banks serve them.

Rules. An access joins the wide transaction of neighbouring work items as long as that is under way and has room; else
it issues one, as soon as fewer than ``outstanding`` of each of its copies are under way in its unit. Streams of
neighbouring addresses take the banks in turn; others take them by a fixed pseudo-random sequence. A bank starts one
transaction per cycle, which takes the latency of the memory.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.block import ITEMS, BlockStep
from ppnsim.opencl.counts import burst, instructions


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

    def access(self, pipeline: tuple[int, str], step: BlockStep, now: int) -> int:
        """Issue the transactions that begin with an access in cycle ``now``; return when all its data are there.

        ``pipeline`` is the unit and the block of the access.
        """
        stream = self._streams.get((pipeline, step.name))
        if stream is None:
            stream = self._streams[pipeline, step.name] = self._stream(step)
        if stream.last <= now:
            stream.made = Fraction(stream.issued)  # whatever room was left is gone: there is no cache
        stream.made += stream.share
        while stream.issued < ceil(stream.made):
            self._issue(stream, now)
        return max(stream.last, now)

    def _stream(self, step: BlockStep) -> _Stream:
        simd, width = self.simd, self.board.width
        share = instructions(step, simd=simd, width=width) / burst(step, simd=simd, width=width)
        limit = self.board.outstanding * step.copies
        return _Stream(share=share, near=ITEMS in step.along, seed=len(self._streams), limit=limit)

    def _issue(self, stream: _Stream, now: int) -> None:
        if len(stream.under_way) == stream.limit:
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
