"""The bank queue as a compiled loop over clocks; clocks in which nothing can happen are left out.

`memory.run.bank_queue` is the definition, clock by clock; tests hold the two to the same clock for every request.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.machine_code.marks import kernel
from ppnsim.memory.model.timing import Delays
from ppnsim.memory.run.compiled.commands import issue_commands, move_entry
from ppnsim.memory.run.compiled.state import DUE, FAR, READS, WAKE, WRITES, State

# Columns of `Requesters.control`: the clock; next request; requests accepted and not completed; completed; how far the
# orders of reads and writes are completed, and how many writes there are; the next clock that the port's pace allows.
NOW, NEXT, UNDER_WAY, DONE, READS_DONE, WRITES_DONE, WRITE_COUNT, PACED = range(8)
# Columns of `Requesters.chains`: next request, end of the burst, requests of it that are not completed.
_AT, _END, _PENDING = range(3)


class Requesters(NamedTuple):
    """Who asks: a closed loop of ``limit`` requests, an open loop (with arrivals), or chains that wait for a burst."""

    limit: int
    burst: int
    pace: int  # clocks between requests, as a fraction of
    per: int
    chains: Int64Array  # a row per chain; none for a loop
    arrival: Int64Array  # clock of each request of an open loop, else empty
    taken: Int64Array  # out: the clock in which the memory took a request, or an open loop made it
    chain_of: Int64Array  # for chains: whose request it is
    write_order: Int64Array  # writes in the order in which they were taken
    control: Int64Array


@kernel
def run_clocks(delays: Delays, state: State, source: Requesters, wanted: int, budget: int) -> int:
    """Run about ``budget`` clocks that are not left out, or until ``wanted`` requests are completed.

    Within a clock: requesters issue, due completions return, channels issue commands, one queue move (M2.2).
    """
    control = source.control
    for _ in range(budget):
        now = control[NOW]
        if len(source.chains):
            _issue_chains(delays, state, source, now)
        else:
            _issue_stream(delays, state, source, now)
        _complete(state, source, now)
        if control[DONE] >= wanted:
            break
        due = now > 0 and now % delays.refresh_every == 0
        following = (now // delays.refresh_every + 1) * delays.refresh_every
        for channel in range(delays.channels):
            if due:
                state.channels[channel, DUE] += 1
                state.channels[channel, WAKE] = now
            if state.channels[channel, WAKE] <= now:
                issue_commands(delays, state, channel, now)
            move_entry(delays, state, channel, now)
            following = min(following, state.channels[channel, WAKE])
        if control[READS_DONE] < state.read_count[0]:
            following = min(following, state.done[state.read_order[control[READS_DONE]]])
        if control[WRITES_DONE] < control[WRITE_COUNT]:
            following = now + 1
        control[NOW] = max(now + 1, min(following, _next_issue(delays, state, source, now)))
    return int(control[DONE])


@kernel
def _take(delays: Delays, state: State, source: Requesters, request: int, now: int) -> bool:
    """Put a request into the queue of its channel, unless that is full."""
    per_channel = len(state.banks) // delays.channels
    channel = state.requests.bank[request] // per_channel
    own = state.channels[channel]
    control = source.control
    if state.requests.write[request]:
        if own[WRITES] >= delays.transaction_queue:
            return False
        state.write_buffer[channel, own[WRITES]] = request
        own[WRITES] += 1
        state.done[request] = now + 1
        source.write_order[control[WRITE_COUNT]] = request
        control[WRITE_COUNT] += 1
    else:
        if own[READS] >= delays.transaction_queue:
            return False
        state.read_queue[channel, own[READS]] = request
        own[READS] += 1
    source.taken[request] = now
    control[UNDER_WAY] += 1
    return True


@kernel
def _has_room(delays: Delays, state: State, request: int) -> bool:
    channel = state.requests.bank[request] // (len(state.banks) // delays.channels)
    counted = WRITES if state.requests.write[request] else READS
    return bool(state.channels[channel, counted] < delays.transaction_queue)


@kernel
def _issue_stream(delays: Delays, state: State, source: Requesters, now: int) -> None:
    """Issue in order: the first request that is refused, too early or beyond the limit holds back the others."""
    control, is_open = source.control, len(source.arrival) > 0
    while control[NEXT] < len(state.done):
        request = control[NEXT]
        if is_open:
            if source.arrival[request] > now:
                break
        elif control[UNDER_WAY] >= source.limit or control[PACED] > now * source.per:
            break
        if not _take(delays, state, source, request, now):
            break
        if is_open:
            source.taken[request] = source.arrival[request]
        # A port on schedule keeps its fraction of a clock; one that had to wait starts anew (M7.3).
        late = now * source.per - control[PACED] >= source.per
        control[PACED] = (now * source.per if late else control[PACED]) + source.pace
        control[NEXT] += 1


@kernel
def _issue_chains(delays: Delays, state: State, source: Requesters, now: int) -> None:
    """Let each chain issue until it is refused; who is first goes round with the clock (M7.2)."""
    count = len(source.chains)
    for offset in range(count):
        chain = source.chains[(now + offset) % count]
        while chain[_AT] < chain[_END] and _take(delays, state, source, chain[_AT], now):
            chain[_AT] += 1


@kernel
def _complete(state: State, source: Requesters, now: int) -> None:
    """Return what is due: reads in the order of their commands, then writes."""
    control = source.control
    while control[READS_DONE] < state.read_count[0]:
        request = state.read_order[control[READS_DONE]]
        if state.done[request] > now:
            break
        control[READS_DONE] += 1
        _return(state, source, request)
    while control[WRITES_DONE] < control[WRITE_COUNT]:
        request = source.write_order[control[WRITES_DONE]]
        if state.done[request] > now:
            break
        control[WRITES_DONE] += 1
        _return(state, source, request)


@kernel
def _return(state: State, source: Requesters, request: int) -> None:
    control = source.control
    control[UNDER_WAY] -= 1
    control[DONE] += 1
    if not len(source.chains):
        return
    number = source.chain_of[request]
    chain = source.chains[number]
    chain[_PENDING] -= 1
    if chain[_PENDING] == 0 and control[NEXT] + source.burst <= len(state.done):
        start_burst(source, number)


@kernel
def start_burst(source: Requesters, number: int) -> None:
    """Give a chain its next burst: the chain that is done first takes the next one of the traffic."""
    control, chain = source.control, source.chains[number]
    chain[_AT], chain[_END], chain[_PENDING] = control[NEXT], control[NEXT] + source.burst, source.burst
    for request in range(chain[_AT], chain[_END]):
        source.chain_of[request] = number
    control[NEXT] += source.burst


@kernel
def _next_issue(delays: Delays, state: State, source: Requesters, now: int) -> int:
    """Return the next clock in which a requester could issue as things stand, `FAR` if something must happen first."""
    control = source.control
    if len(source.chains):
        for number in range(len(source.chains)):
            chain = source.chains[number]
            if chain[_AT] < chain[_END] and _has_room(delays, state, chain[_AT]):
                return now + 1
        return FAR
    request = control[NEXT]
    if request >= len(state.done) or not _has_room(delays, state, request):
        return FAR
    if len(source.arrival):
        return int(max(now + 1, source.arrival[request]))
    if control[UNDER_WAY] >= source.limit:
        return FAR
    return int(max(now + 1, -(-control[PACED] // source.per)))


def new_source(
    count: int, *, limit: int, chains: int, burst: int, pace: tuple[int, int], arrival: Int64Array
) -> Requesters:
    """Return requesters before their first clock."""
    source = Requesters(
        limit=limit, burst=burst, pace=pace[0], per=pace[1],
        chains=np.zeros((chains, 3), dtype=np.int64), arrival=arrival,
        taken=np.full(count, -1, dtype=np.int64), chain_of=np.zeros(count, dtype=np.int64),
        write_order=np.zeros(count, dtype=np.int64), control=np.zeros(8, dtype=np.int64),
    )  # fmt: skip
    for number in range(chains):
        start_burst(source, number)
    return source
