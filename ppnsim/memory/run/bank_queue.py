"""The bank queue of one DRAM channel, clock by clock: the rules M2 to M6, which `memory.run.compiled` has faster."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from ppnsim.memory.model.timing import Delays

_HIT_LIMIT = 4  # accesses after which a conflict may close a row that others still want
_LOW_MARK = 8  # writes that may stay in the buffer of an idle channel


@dataclass(eq=False, slots=True)
class Transaction:
    """A request at a channel: bank (of the channel), row, and what it does."""

    bank: int
    row: int
    write: bool
    done: int = -1  # the clock of its completion, once that is known


@dataclass(slots=True)
class BankState:
    """A bank: its open row, the first clock for each of its commands, and the FIFO of entries that wait for it."""

    number: int
    group: int
    rank: int
    entries: list[Transaction] = field(default_factory=list)
    row: int | None = None
    accesses: int = 0
    activate_from: int = 0
    precharge_from: int = 0
    column_from: dict[bool, int] = field(default_factory=lambda: {False: 0, True: 0})  # by: is it a write?


class BankQueue:
    """A channel: `take` requests, then `clock` it; the reads whose data are on their way come back from that.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> channel, read = BankQueue(preset("DDR4-2400").dram.delays), Transaction(bank=0, row=5, write=False)
    >>> channel.take(read, 0)
    True
    >>> [at for at in range(20) if channel.clock(at)], read.done
    ([18], 39)
    """

    def __init__(self, delays: Delays) -> None:
        self.delays = delays
        self.banks = [
            BankState(number, number // delays.banks, number // (delays.banks * delays.groups))
            for number in range(delays.ranks * delays.groups * delays.banks)
        ]
        groups = range(delays.ranks * delays.groups)
        self.reads: list[Transaction] = []
        self.writes: list[Transaction] = []
        self._draining = 0
        self._served = 0
        self._activate_from = [0 for _ in groups]
        self._column_from = [{False: 0, True: 0} for _ in groups]
        self._activates: list[deque[int]] = [deque(maxlen=4) for _ in range(delays.ranks)]
        self._due = 0  # refreshes
        self._resting = 0  # the rank whose turn it is

    @property
    def idle(self) -> bool:
        """Whether nothing happens without a new request, refreshes aside."""
        drains = self._draining or len(self.writes) > min(_LOW_MARK, self.delays.transaction_queue - 1)
        return not (self.reads or drains or self._due or any(bank.entries for bank in self.banks))

    def take(self, access: Transaction, now: int) -> bool:
        """Take a request, unless its queue is full (M2.1); a write is done one clock later (M6.1)."""
        queue = self.writes if access.write else self.reads
        if len(queue) >= self.delays.transaction_queue:
            return False
        queue.append(access)
        if access.write:
            access.done = now + 1
        return True

    def clock(self, now: int) -> list[Transaction]:
        """Issue commands, then move a queue entry; return the reads (none or one) whose command was issued."""
        if now > 0 and now % self.delays.refresh_every == 0:
            self._due += 1
        read: list[Transaction] = []
        issued = (self._due and self._refresh(now)) or self._serve(now, ("row", "column"), read)
        if issued and self.delays.dual_command:
            self._serve(now, ("row",) if issued == "column" else ("column",), read)
        self._move()
        return read

    def _refresh(self, now: int) -> str:
        """Precharge the rank that is due, bank by bank, then refresh it (M5.1); return whether a command went out."""
        banks = [bank for bank in self.banks if bank.rank == self._resting]
        for bank in banks:
            if bank.row is not None and bank.precharge_from <= now:
                self._precharge(bank, now)
                return "row"
        if any(bank.row is not None or bank.activate_from > now for bank in banks):
            return ""
        for bank in banks:
            bank.activate_from = now + self.delays.refresh
        self._due -= 1
        self._resting = (self._resting + 1) % self.delays.ranks
        return "row"

    def _serve(self, now: int, kinds: tuple[str, ...], read: list[Transaction]) -> str:
        """Go round the bank FIFOs to the first that is ready (M3.1); return the kind of its command."""
        for step in range(1, len(self.banks) + 1):
            bank = self.banks[(self._served + step) % len(self.banks)]
            if not bank.entries or (self._due and bank.rank == self._resting):
                continue
            ready = self._ready(bank, now)
            kind = "column" if isinstance(ready, Transaction) else "row"
            if ready is None or kind not in kinds:
                continue
            self._served = bank.number
            if isinstance(ready, Transaction):
                self._access(bank, ready, now)
                read += [] if ready.write else [ready]
            elif ready == "activate":
                self._activate(bank, now)
            else:
                self._precharge(bank, now)
            return kind
        return ""

    def _ready(self, bank: BankState, now: int) -> Transaction | str | None:
        """Return what a bank could do now (M3.2): an access, ``activate``, ``precharge`` or nothing."""
        if bank.row is None:
            window = self._activates[bank.rank]
            enough = len(window) < 4 or window[0] + self.delays.four_acts <= now
            from_here = max(bank.activate_from, self._activate_from[bank.group])
            return "activate" if enough and from_here <= now else None
        for entry in bank.entries:
            if entry.row == bank.row:
                if max(bank.column_from[entry.write], self._column_from[bank.group][entry.write]) <= now:
                    return entry
            elif entry is bank.entries[0] and bank.precharge_from <= now:
                wanted = any(other.row == bank.row for other in bank.entries)
                if not wanted or bank.accesses >= _HIT_LIMIT:
                    return "precharge"
        return None

    def _activate(self, bank: BankState, now: int) -> None:
        delays = self.delays
        bank.row, bank.accesses = bank.entries[0].row, 0
        bank.activate_from, bank.precharge_from = now + delays.act_act, now + delays.act_pre
        bank.column_from = {False: now + delays.act_read, True: now + delays.act_write}
        for group in range(bank.rank * delays.groups, (bank.rank + 1) * delays.groups):
            apart = delays.act_act_l if group == bank.group else delays.act_act_s
            self._activate_from[group] = max(self._activate_from[group], now + apart)
        self._activates[bank.rank].append(now)

    def _precharge(self, bank: BankState, now: int) -> None:
        bank.row = None
        bank.activate_from = max(bank.activate_from, now + self.delays.pre_act)

    def _access(self, bank: BankState, entry: Transaction, now: int) -> None:
        """Let an entry have the data bus; what that holds back: M3.3, M4.2, M4.3."""
        delays, write = self.delays, entry.write
        bank.entries.remove(entry)
        bank.accesses += 1
        if not write:
            entry.done = now + delays.read_done
        if delays.closed_page:
            bank.row = None
            bank.activate_from = max(bank.activate_from, now + (delays.write_act if write else delays.read_act))
        else:
            bank.precharge_from = max(bank.precharge_from, now + (delays.write_pre if write else delays.read_pre))
        for group, column_from in enumerate(self._column_from):
            if group == bank.group:
                to_read, to_write = (delays.write_read_l if write else delays.same_l), delays.same_l
            elif group // delays.groups == bank.rank:
                to_read, to_write = (delays.write_read_s if write else delays.same_s), delays.same_s
            else:
                to_read, to_write = (delays.write_read_o if write else delays.same_o), delays.write_write_o
            column_from[False] = max(column_from[False], now + to_read)
            column_from[True] = max(column_from[True], now + (to_write if write else delays.read_write))

    def _move(self) -> None:
        """Move the oldest entry whose bank FIFO has room (M2.3): a write if the buffer drains (M6.2), else a read."""
        full = len(self.writes) >= self.delays.transaction_queue
        resting = len(self.writes) > _LOW_MARK and not any(bank.entries for bank in self.banks)
        if not self._draining and (full or resting):
            self._draining = len(self.writes)
        queue = self.writes if self._draining else self.reads
        for entry in queue:
            bank = self.banks[entry.bank]
            if len(bank.entries) < self.delays.bank_queue:
                bank.entries.append(entry)
                queue.remove(entry)
                self._draining -= 1 if self._draining else 0
                return
