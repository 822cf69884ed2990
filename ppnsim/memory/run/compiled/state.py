"""The state of a DRAM system in tables: a row is a bank, a bank group, a rank or a channel; times are memory clocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.memory.model.timing import Delays
from ppnsim.memory.model.traffic import Requests

FAR = 1 << 62
CLOSED = -1
# Columns of `banks`: the open row, accesses since it was opened, first clock for each command, entries of the FIFO.
ROW, HITS, ACT, READ, WRITE, PRE, HELD = range(7)
# Columns of `channels`: bank served last, entries of the two queues, writes still to be moved before reads, refreshes
# due and issued, first clock in which a command could be possible, entries of all bank FIFOs.
SERVED, READS, WRITES, DRAINING, DUE, REFRESHED, WAKE, QUEUED = range(8)


class State(NamedTuple):
    """A memory at work."""

    requests: Requests
    done: Int64Array  # clock in which a request is completed, -1 before that is known
    read_order: Int64Array  # requests in the order of their read commands
    read_count: Int64Array  # how many of them there are (one number)
    banks: Int64Array
    groups: Int64Array  # columns ACT, READ and WRITE of `banks`
    activates: Int64Array  # of a rank: the last four, and where the oldest stands
    channels: Int64Array
    entries: Int64Array  # of each bank, oldest first
    read_queue: Int64Array
    write_buffer: Int64Array


def new_state(delays: Delays, requests: Requests) -> State:
    """Return a memory with all banks closed."""
    ranks = delays.channels * delays.ranks
    groups = ranks * delays.groups
    banks = np.zeros((groups * delays.banks, 7), dtype=np.int64)
    banks[:, ROW] = CLOSED
    activates = np.full((ranks, 5), -FAR, dtype=np.int64)
    activates[:, 4] = 0
    queue = (delays.channels, delays.transaction_queue)
    return State(
        requests=requests,
        done=np.full(len(requests.bank), -1, dtype=np.int64),
        read_order=np.zeros(len(requests.bank), dtype=np.int64),
        read_count=np.zeros(1, dtype=np.int64),
        banks=banks,
        groups=np.zeros((groups, WRITE + 1), dtype=np.int64),
        activates=activates,
        channels=np.zeros((delays.channels, 8), dtype=np.int64),
        entries=np.zeros((len(banks), delays.bank_queue), dtype=np.int64),
        read_queue=np.zeros(queue, dtype=np.int64),
        write_buffer=np.zeros(queue, dtype=np.int64),
    )
