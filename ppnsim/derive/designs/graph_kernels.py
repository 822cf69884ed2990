"""Loops over the executions of a graph, compiled once for all programs (`ppnsim.kernel_cache`)."""

from __future__ import annotations

from ppnsim.arrays import Int64Array


def walk(
    process: Int64Array, number: Int64Array, first: Int64Array, producers: Int64Array,
    ii: Int64Array, stages: Int64Array, free: Int64Array, start: Int64Array,
) -> int:  # fmt: skip
    """Set ``start`` of every execution and return the finish; ``free`` is 0 for every process."""
    finish = 0
    for e in range(len(process)):
        at = free[process[e]]
        for k in range(first[e], first[e + 1]):
            there = start[producers[k]] + stages[number[producers[k]]]
            at = max(at, there)
        start[e] = at
        free[process[e]] = at + ii[number[e]]
        finish = max(finish, at + stages[number[e]])
    return finish


def longest_path(
    process: Int64Array, number: Int64Array, first: Int64Array, producers: Int64Array, stages: Int64Array,
    start: Int64Array, finish: int, last: Int64Array, before: Int64Array, held: Int64Array,
) -> int:  # fmt: skip
    """Set ``held`` of each statement that waits for its process on a longest path, not for data; ``last`` is -1."""
    at = 0
    for e in range(len(process)):
        before[e] = last[process[e]]
        last[process[e]] = e
        if start[e] + stages[number[e]] == finish:
            at = e
    while start[at] > 0:
        came = before[at]
        for k in range(first[at], first[at + 1]):
            if start[producers[k]] + stages[number[producers[k]]] == start[at]:
                came = producers[k]
                break
        else:
            held[number[at]] = 1
        at = came
    return 0


def latest_of_own(
    number: Int64Array, first: Int64Array, producers: Int64Array, statement: int, latest: Int64Array
) -> int:
    """Set ``latest`` of each execution: the last execution of a statement with a path of dependences to it."""
    for e in range(len(number)):
        latest[e] = -1
        for k in range(first[e], first[e + 1]):
            p = producers[k]
            latest[e] = max(latest[e], p if number[p] == statement else latest[p])
    return 0
