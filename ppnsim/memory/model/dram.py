"""DRAM channels: geometry, timing and queues as a configuration; what follows from them for the bank queue.

Times are memory clocks, sizes bytes. `memory/RULES.md` has the rules that these figures enter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.memory.model.timing import TIMING_KEYS, Delays, DramTiming

Protocol = Literal["DDR3", "DDR4", "HBM", "HBM2"]
FIELDS = ("ro", "ch", "ra", "ba", "bg", "co")
# What configuration files call the parameters; messages use these names.
KEYS = TIMING_KEYS | {
    "groups": "bankgroups", "banks": "banks_per_group", "bus_bits": "bus_width", "burst_length": "BL",
    "mapping": "address_mapping", "bank_queue": "cmd_queue_size", "transaction_queue": "trans_queue_size",
    "clock_ns": "tCK",
}  # fmt: skip
_LONGEST = 2**40  # clocks: refresh can be put off for ever


@dataclass(frozen=True, kw_only=True)
class Dram:
    """A DRAM system of one or more equal channels.

    Parameters
    ----------
    protocol : of the family; HBM issues a row and a column command in the same clock.
    clock_ns : period of the memory clock in ns, exactly; data moves at both edges.
    channels, ranks, groups, banks, rows : counts; banks of a group, rows of a bank.
    columns : bursts of a row.
    bus_bits : width of a channel's data bus.
    burst_length : transfers of a burst; a request is one burst of ``bus_bits / 8 * burst_length`` bytes.
    timing : see `DramTiming`.
    mapping : fields of an address from the most significant one, two letters each.
    closed_page : whether every access precharges its bank.
    bank_queue, transaction_queue : entries of the FIFO of each bank; of the read queue and of the write buffer.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> dram = preset("DDR4-2400").dram
    >>> dram.request_bytes, round(dram.peak_gbps, 2), dram.total_banks
    (64, 19.2, 16)
    """

    protocol: Protocol
    clock_ns: Fraction
    channels: int = 1
    ranks: int = 1
    groups: int
    banks: int
    rows: int
    columns: int
    bus_bits: int
    burst_length: int
    timing: DramTiming
    mapping: str
    closed_page: bool = False
    bank_queue: int = 8
    transaction_queue: int = 32

    def checked(self) -> Dram:
        """Return the configuration itself.

        Raises
        ------
        InputError
            If a count is not a power of two, a time is below its least, or the mapping does not name each field once.
        """
        for name in ("channels", "ranks", "groups", "banks", "rows", "columns", "bus_bits", "burst_length"):
            _check(name, count := getattr(self, name), count >= 1 and not count & (count - 1), "must be a power of two")
        _check("burst_length", self.burst_length, self.burst_length >= 2, "must be at least 2: two transfers per clock")
        _check("bus_bits", self.bus_bits, self.bus_bits >= 8, "must be at least a byte")
        for name in ("bank_queue", "transaction_queue"):
            _check(name, getattr(self, name), 1 <= getattr(self, name) <= 4096, "must be from 1 to 4096 entries")
        _check("clock_ns", float(self.clock_ns), self.clock_ns > 0, "must be above 0 ns")
        for name in TIMING_KEYS:
            least = 1 if name in ("cl", "cwl", "tras", "trp", "trefi") else 0
            value = getattr(self.timing, name)
            _check(name, value, least <= value <= _LONGEST, f"must be from {least} to {_LONGEST} clocks")
        in_ranks = self.timing.trefi // self.ranks
        _check("trefi", self.timing.trefi, in_ranks > self.timing.trfc, "must leave time beside the refreshes (tRFC)")
        named = [self.mapping[at : at + 2] for at in range(0, len(self.mapping), 2)]
        if sorted(named) != sorted(FIELDS):
            rule = f"must name each of {', '.join(FIELDS)} once (as rochrababgco)"
            raise InputError(f"address_mapping = '{self.mapping}' {rule}")
        return self

    @property
    def burst(self) -> int:
        """Clocks that a request occupies the data bus."""
        return self.burst_length // 2

    @property
    def request_bytes(self) -> int:
        """Bytes of a request."""
        return self.bus_bits // 8 * self.burst_length

    @property
    def total_banks(self) -> int:
        """Banks of a channel."""
        return self.ranks * self.groups * self.banks

    @property
    def capacity(self) -> int:
        """Bytes of all channels."""
        return self.channels * self.total_banks * self.rows * self.columns * self.request_bytes

    @property
    def peak_gbps(self) -> float:
        """Bandwidth of all data buses in GB/s (1e9 bytes)."""
        return float(self.channels * self.request_bytes / (self.burst * self.clock_ns))

    @cached_property
    def delays(self) -> Delays:
        """Distances between commands (M3.3, M4, M5.1)."""
        t, burst = self.timing, self.burst
        read_latency, write_latency = t.al + t.cl, t.al + t.cwl
        # A device with one bank group has no slower case inside it.
        long = self.groups > 1
        return Delays(
            channels=self.channels, ranks=self.ranks, groups=self.groups, banks=self.banks,
            bank_queue=self.bank_queue, transaction_queue=self.transaction_queue, closed_page=self.closed_page,
            dual_command=self.protocol in ("HBM", "HBM2"),
            refresh_every=t.trefi // self.ranks, refresh=t.trfc, read_done=read_latency + burst,
            act_read=max(t.trcd_read - t.al, 0), act_write=max(t.trcd_write - t.al, 0), act_pre=t.tras,
            act_act=t.tras + t.trp, act_act_s=t.trrd_s, act_act_l=t.trrd_l if long else t.trrd_s, four_acts=t.tfaw,
            pre_act=t.trp, read_pre=t.al + t.trtp, write_pre=write_latency + burst + t.twr,
            read_act=t.al + burst + t.trtp + t.trp, write_act=write_latency + burst + t.twr + t.trp,
            same_s=max(burst, t.tccd_s), same_l=max(burst, t.tccd_l if long else t.tccd_s), same_o=burst + t.trtrs,
            read_write=t.cl + burst - t.cwl + t.trtrs,
            write_read_s=write_latency + burst + t.twtr_s,
            write_read_l=write_latency + burst + (t.twtr_l if long else t.twtr_s),
            # Another rank reads as soon as the bus has changed hands. Writes to two ranks come from one driver, so they
            # need no turn-around (M3.3).
            write_read_o=max(t.cwl + burst + t.trtrs - t.cl, 0), write_write_o=burst,
        )  # fmt: skip

    def place(self, addresses: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return bank and row of each address; banks are numbered through channels, ranks, groups (M1.1).

        Examples
        --------
        >>> import numpy as np
        >>> from ppnsim.memory.model.presets import preset
        >>> bank, row = preset("DDR4-2400").dram.place(np.array([0, 64, 128, 1 << 20]))
        >>> bank.tolist(), row.tolist()
        ([0, 4, 8, 0], [0, 0, 0, 8])
        """
        rest = addresses // self.request_bytes
        of: dict[str, Int64Array] = {}
        counts = (self.rows, self.channels, self.ranks, self.banks, self.groups, self.columns)
        sizes = dict(zip(FIELDS, counts, strict=True))
        for at in range(len(self.mapping) - 2, -2, -2):
            name = self.mapping[at : at + 2]
            of[name], rest = rest % sizes[name], rest // sizes[name]
        return self.bank_number(of["ch"], of["ra"], of["bg"], of["ba"]), of["ro"]

    def bank_number(self, channel: Int64Array, rank: Int64Array, group: Int64Array, bank: Int64Array) -> Int64Array:
        """Return the number of a bank among all of all channels."""
        return ((channel * self.ranks + rank) * self.groups + group) * self.banks + bank


def _check(name: str, value: object, holds: bool, rule: str) -> None:
    if not holds:
        raise InputError(f"{KEYS.get(name, name)} = {value} {rule}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryGroup:
    """Memory of a node, or of each node of a group, with all its channels.

    Attributes
    ----------
    on : the node or the group; None = every node of the platform reaches it.
    dram : its channels.
    preset : the preset under what a file changes of it; "" for none.
    provenance : where parameters come from, by their key.
    """

    name: str
    on: str | None = None
    dram: Dram
    preset: str = field(default="", compare=False, repr=False)
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"memory '{self.name}'"
