"""Traffic: who asks the memory for what, and when: patterns of addresses, outstanding limit, rate of a port.

The rules are M7.1 to M7.3. Random numbers are SplitMix64 in whole numbers, so that a seed means
the same requests on every machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import Dram

PATTERNS = ("rand", "seq", "rowbuf", "chain")
_STRIDE = re.compile(r"stride([1-9][0-9]{0,14})")
_LARGEST = 50_000_000  # requests: about 2 GB of state
_WORD = 1 << 64


class Requests(NamedTuple):
    """Requests in the order in which they are made: where they go, and whether they write."""

    bank: Int64Array
    row: Int64Array
    write: Int64Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """The port of a kernel that touches ``quanta`` bytes in every cycle of a clock of ``clock_ns``.

    Quanta smaller than a request waste the rest of it: one request per quantum, as the minimum over Q / W in Eq. 8
    says. Larger ones are several requests.
    """

    quanta: int
    clock_ns: Fraction

    def checked(self) -> Port:
        """Return the port itself, or raise `InputError`."""
        if self.quanta < 1:
            raise InputError(f"quanta = {self.quanta} moves nothing (1 byte per cycle or more)")
        if self.clock_ns <= 0:
            raise InputError(f"clock_ns = {self.clock_ns} must be above 0 ns")
        return self

    def useful_bytes(self, dram: Dram) -> Fraction:
        """Bytes of a request that the kernel wanted."""
        return Fraction(self.quanta, -(-self.quanta // dram.request_bytes))

    def gap(self, dram: Dram) -> Fraction:
        """Memory clocks from one request to the next: the port is never faster than its quanta."""
        return self.clock_ns / dram.clock_ns / -(-self.quanta // dram.request_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """A stream of requests.

    Parameters
    ----------
    mode : ``closed`` keeps ``outstanding`` requests under way; ``open`` makes ``rate`` requests per memory clock,
        whether or not they are answered.
    pattern : ``rand``; ``seq``; ``strideN`` (N bytes); ``rowbuf``: bursts of ``burst`` requests, one behind the other,
        at random places; ``chain``: ``outstanding`` chains, each of which waits for all of its burst before the next.
    outstanding : limit of requests under way, or number of chains.
    banks : 0 for all, or how many banks ``rand`` uses, spread over groups first, then ranks, then banks of a group.
    write_fraction : share of writes, drawn request by request.
    requests : completions that are waited for; the statistics are of the last 80 % of them.
    port : paces a closed stream.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> Traffic(pattern="seq", requests=10).draw(preset("DDR4-2400").dram, 4).bank.tolist()
    [0, 4, 8, 12]
    """

    mode: Literal["closed", "open"] = "closed"
    pattern: str = "rand"
    outstanding: int = 1
    banks: int = 0
    burst: int = 1
    rate: Fraction = Fraction(0)
    write_fraction: Fraction = Fraction(0)
    requests: int = 20_000
    seed: int = 1
    port: Port | None = None

    def checked(self, dram: Dram) -> Traffic:
        """Return the traffic itself.

        Raises
        ------
        InputError
            If a parameter is out of its range, or means nothing beside the others.
        """
        if self.mode not in ("closed", "open"):
            raise InputError(f"mode = '{self.mode}' is not a mode{did_you_mean(self.mode, ('closed', 'open'))}")
        if self.pattern not in PATTERNS and not _STRIDE.fullmatch(self.pattern):
            known = did_you_mean(self.pattern, (*PATTERNS, "strideN"))
            raise InputError(f"pattern = '{self.pattern}' is not a pattern{known}")
        rules: tuple[tuple[str, object, bool, str], ...] = (
            ("Q", self.outstanding, 1 <= self.outstanding <= 2**20, "must be from 1 to 2**20 requests under way"),
            ("banks", self.banks, 0 <= self.banks <= dram.total_banks,
             f"must be from 0 (all) to the {dram.total_banks} banks of a channel"),
            ("banks", self.banks, self.pattern == "rand" or self.banks == 0, "is for the pattern rand alone (else 0)"),
            ("burst", self.burst, 1 <= self.burst <= dram.capacity // dram.request_bytes,
             f"must be from 1 request to the {dram.capacity // dram.request_bytes} of the memory"),
            ("wfrac", float(self.write_fraction), 0 <= self.write_fraction <= 1, "must be a share from 0 to 1"),
            ("requests", self.requests, 5 <= self.requests <= _LARGEST, f"must be from 5 to {_LARGEST}"),
            ("rate", float(self.rate), self.mode == "closed" or 0 < self.rate <= 2**16,
             "must be above 0 requests per memory clock (and at most 65536) in an open loop"),
            ("rate", float(self.rate), self.mode == "open" or self.rate == 0, "is for the mode open alone (else 0)"),
            ("pattern", self.pattern, self.mode == "closed" or self.pattern != "chain",
             "waits for its own data, so it needs the mode closed"),
        )  # fmt: skip
        for name, value, holds, words in rules:
            if not holds:
                raise InputError(f"{name} = {value} {words}")
        if self.port is not None:
            if self.mode == "open" or self.pattern == "chain":
                raise InputError("port paces a closed stream (no open loop, no chains)")
            self.port.checked()
        return self

    def draw(self, dram: Dram, count: int) -> Requests:
        """Return the first ``count`` requests."""
        if self.banks:
            bank, row = self._in_some_banks(dram, count)
        else:
            bank, row = dram.place(self._addresses(dram, count))
        # The share as a threshold on 53 bits: exact, and 1 writes always.
        write = (_random(self.seed, 1, count, 1 << 53) < int(self.write_fraction * (1 << 53))).astype(np.int64)
        return Requests(bank, row, write)

    def _addresses(self, dram: Dram, count: int) -> Int64Array:
        size = dram.request_bytes
        stride = _STRIDE.fullmatch(self.pattern)
        if self.pattern == "seq" or stride:
            step = int(stride[1]) if stride else size
            return np.arange(count, dtype=np.int64) * (step % dram.capacity) % dram.capacity
        length = self.burst if self.pattern in ("rowbuf", "chain") else 1
        starts = _random(self.seed, 0, -(-count // length), dram.capacity // (length * size)) * (length * size)
        within = np.arange(length, dtype=np.int64) * size
        return (starts[:, np.newaxis] + within).reshape(-1)[:count]

    def _in_some_banks(self, dram: Dram, count: int) -> tuple[Int64Array, Int64Array]:
        number = _random(self.seed, 2, count, self.banks)
        group, rest = number % dram.groups, number // dram.groups
        channel = _random(self.seed, 3, count, dram.channels)
        bank = dram.bank_number(channel, rest % dram.ranks, group, rest // dram.ranks)
        return bank, _random(self.seed, 0, count, dram.rows)


def _random(seed: int, stream: int, count: int, below: int) -> Int64Array:
    """Return whole numbers from 0 to ``below`` - 1 (SplitMix64: Steele, Lea and Flood 2014, Fig. 3)."""
    start = np.uint64(((seed << 8) + stream) * 0xD1B54A32D192ED03 % _WORD)
    with np.errstate(over="ignore"):
        z = start + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    # The upper bits: below is at most 2**53, so the bias of the remainder is under 2**-10 of one number's share.
    return (z % np.uint64(below)).astype(np.int64)
