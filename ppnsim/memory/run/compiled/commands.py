"""What a DRAM channel does with its commands: which one it issues in a clock, and what that holds back.

The rules are those of `memory/RULES.md`.
"""

from __future__ import annotations

from ppnsim.machine_code.marks import kernel
from ppnsim.memory.model.timing import Delays
from ppnsim.memory.run.compiled.state import (
    ACT,
    CLOSED,
    DRAINING,
    DUE,
    FAR,
    HELD,
    HITS,
    PRE,
    QUEUED,
    READ,
    READS,
    REFRESHED,
    ROW,
    SERVED,
    WAKE,
    WRITE,
    WRITES,
    State,
)

_NOTHING, _ACTIVATE, _PRECHARGE, _COLUMN, _REFRESH = range(5)
_HIT_LIMIT = 4  # column accesses after which a conflict may close a row that others still want
_LOW_MARK = 8  # writes that may stay in the buffer of an idle channel


@kernel
def issue_commands(delays: Delays, state: State, channel: int, now: int) -> None:
    """Issue what a channel issues in this clock (M3 to M5), and note from when on it could issue more."""
    own = state.channels[channel]
    issued, wake = _NOTHING, FAR
    if own[DUE]:
        issued, wake = _refresh(delays, state, channel, now)
    if issued == _NOTHING:
        issued, earliest = _serve(delays, state, channel, now, True, True)
        wake = min(wake, earliest)
    if issued == _NOTHING:
        own[WAKE] = wake
        return
    own[WAKE] = now + 1
    if delays.dual_command:
        _serve(delays, state, channel, now, issued == _COLUMN, issued != _COLUMN)


@kernel
def move_entry(delays: Delays, state: State, channel: int, now: int) -> bool:
    """Move the oldest entry whose bank FIFO has room (M2.3); return whether one was moved."""
    own = state.channels[channel]
    if own[DRAINING] == 0 and (
        own[WRITES] >= delays.transaction_queue or (own[WRITES] > _LOW_MARK and own[QUEUED] == 0)  # M6.2
    ):
        own[DRAINING] = own[WRITES]
    counted, queue = (WRITES, state.write_buffer[channel]) if own[DRAINING] else (READS, state.read_queue[channel])
    for at in range(own[counted]):
        request = queue[at]
        bank = state.requests.bank[request]
        held = state.banks[bank, HELD]
        if held < delays.bank_queue:
            state.entries[bank, held] = request
            state.banks[bank, HELD] = held + 1
            for later in range(at + 1, own[counted]):
                queue[later - 1] = queue[later]
            own[counted] -= 1
            own[QUEUED] += 1
            if own[DRAINING]:
                own[DRAINING] -= 1
            own[WAKE] = now + 1
            return True
    return False


@kernel
def _refresh(delays: Delays, state: State, channel: int, now: int) -> tuple[int, int]:
    """Precharge a bank of the rank that is due, or refresh it; return the command, or when one will be possible."""
    own = state.channels[channel]
    rank = channel * delays.ranks + own[REFRESHED] % delays.ranks
    size = delays.groups * delays.banks
    first, earliest, idle_from = rank * size, FAR, 0
    for bank in range(first, first + size):
        if state.banks[bank, ROW] != CLOSED:
            if state.banks[bank, PRE] <= now:
                _precharge(delays, state, bank, now)
                return _PRECHARGE, 0
            earliest = min(earliest, state.banks[bank, PRE])
        else:
            idle_from = max(idle_from, state.banks[bank, ACT])
    if earliest < FAR or idle_from > now:
        return _NOTHING, min(earliest, idle_from) if idle_from > now else earliest
    for bank in range(first, first + size):
        state.banks[bank, ACT] = now + delays.refresh
    own[DUE] -= 1
    own[REFRESHED] += 1
    return _REFRESH, 0


@kernel
def _serve(
    delays: Delays, state: State, channel: int, now: int, row_command: bool, column_command: bool
) -> tuple[int, int]:
    """Issue the first ready command of the kinds asked for, round robin over the bank FIFOs (M3.1)."""
    own = state.channels[channel]
    per_rank = delays.groups * delays.banks
    count = delays.ranks * per_rank
    resting = own[REFRESHED] % delays.ranks if own[DUE] else -1
    wake = FAR
    number = own[SERVED]
    for _ in range(count):
        number = number + 1 if number + 1 < count else 0
        bank = channel * count + number
        if state.banks[bank, HELD] == 0 or number // per_rank == resting:
            continue
        kind, at, earliest = _next_command(delays, state, bank, now)
        if kind == _NOTHING:
            wake = min(wake, earliest)
        elif column_command if kind == _COLUMN else row_command:
            if kind == _ACTIVATE:
                _activate(delays, state, bank, now)
            elif kind == _PRECHARGE:
                _precharge(delays, state, bank, now)
            else:
                _access(delays, state, channel, bank, at, now)
            own[SERVED] = number
            return kind, 0
    return _NOTHING, wake


@kernel
def _next_command(delays: Delays, state: State, bank: int, now: int) -> tuple[int, int, int]:
    """Return the command that a bank is ready for and its entry, or nothing and the first clock that may change it."""
    own, entries, requests = state.banks[bank], state.entries[bank], state.requests
    group = bank // delays.banks
    if own[ROW] == CLOSED:
        rank = group // delays.groups
        oldest = state.activates[rank, state.activates[rank, 4]]
        ready = max(own[ACT], state.groups[group, ACT], oldest + delays.four_acts)
        return (_ACTIVATE if ready <= now else _NOTHING), 0, ready
    earliest = FAR
    for at in range(own[HELD]):
        request = entries[at]
        if requests.row[request] == own[ROW]:
            access = WRITE if requests.write[request] else READ
            ready = max(own[access], state.groups[group, access])
            if ready <= now:
                return _COLUMN, at, ready
            earliest = min(earliest, ready)
        elif at == 0 and (own[HITS] >= _HIT_LIMIT or not _wanted(state, bank)):
            if own[PRE] <= now:
                return _PRECHARGE, 0, now
            earliest = min(earliest, own[PRE])
    return _NOTHING, 0, earliest


@kernel
def _wanted(state: State, bank: int) -> bool:
    """Return whether an entry of a bank hits its open row."""
    for at in range(state.banks[bank, HELD]):
        if state.requests.row[state.entries[bank, at]] == state.banks[bank, ROW]:
            return True
    return False


@kernel
def _activate(delays: Delays, state: State, bank: int, now: int) -> None:
    """Open the row of the head of the FIFO; what that holds back: M4.1."""
    own, group = state.banks[bank], bank // delays.banks
    own[ROW] = state.requests.row[state.entries[bank, 0]]
    own[HITS] = 0
    own[ACT], own[PRE] = now + delays.act_act, now + delays.act_pre
    own[READ], own[WRITE] = now + delays.act_read, now + delays.act_write
    rank = group // delays.groups
    for other in range(rank * delays.groups, (rank + 1) * delays.groups):
        apart = delays.act_act_l if other == group else delays.act_act_s
        state.groups[other, ACT] = max(state.groups[other, ACT], now + apart)
    window = state.activates[rank]
    window[window[4]] = now
    window[4] = (window[4] + 1) % 4


@kernel
def _precharge(delays: Delays, state: State, bank: int, now: int) -> None:
    state.banks[bank, ROW] = CLOSED
    state.banks[bank, ACT] = max(state.banks[bank, ACT], now + delays.pre_act)


@kernel
def _access(delays: Delays, state: State, channel: int, bank: int, at: int, now: int) -> None:
    """Read or write an entry: it leaves the FIFO, and the data bus is taken (M3.3, M4.2, M4.3)."""
    own, entries = state.banks[bank], state.entries[bank]
    request = entries[at]
    for later in range(at + 1, own[HELD]):
        entries[later - 1] = entries[later]
    own[HELD] -= 1
    own[HITS] += 1
    state.channels[channel, QUEUED] -= 1
    write = state.requests.write[request]
    if not write:
        state.done[request] = now + delays.read_done
        state.read_order[state.read_count[0]] = request
        state.read_count[0] += 1
    if delays.closed_page:
        own[ROW] = CLOSED
        own[ACT] = max(own[ACT], now + (delays.write_act if write else delays.read_act))
    else:
        own[PRE] = max(own[PRE], now + (delays.write_pre if write else delays.read_pre))
    group = bank // delays.banks
    rank = group // delays.groups
    for other in range(channel * delays.ranks * delays.groups, (channel + 1) * delays.ranks * delays.groups):
        if other == group:
            same, turn = delays.same_l, delays.write_read_l
        elif other // delays.groups == rank:
            same, turn = delays.same_s, delays.write_read_s
        else:
            same, turn = (delays.write_write_o if write else delays.same_o), delays.write_read_o
        read, written = (turn, same) if write else (same, delays.read_write)
        state.groups[other, READ] = max(state.groups[other, READ], now + read)
        state.groups[other, WRITE] = max(state.groups[other, WRITE], now + written)
