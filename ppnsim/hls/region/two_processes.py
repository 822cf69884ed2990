"""Parallel scheduling of a region's tasks: for much work, a second process computes half of the tasks."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import NoReturn, TypeVar

from ppnsim.loops.work import Spent, counted, fits, tried

Item = TypeVar("Item")
Made = TypeVar("Made")
PAYS = 2_000
"""Least statements of the smaller half for a second process: 13 600 take 0.75 s, and 0.15 s to hand over."""


def made_in_two(make: Callable[[Item], Made], items: Sequence[Item], sizes: Sequence[int]) -> Iterator[Made]:
    """Yield the result of a function for each item in order, as ``map`` does, with the same errors at the same place.

    ``sizes`` are the statements of each item. Results of the second process are pickled: they are equal to, but not
    identical with, objects of this process.

    Examples
    --------
    >>> list(made_in_two(lambda each: each + 1, [1, 2], [100, 100]))
    [2, 3]
    """
    first, second = _halves(sizes)
    found: dict[int, tuple[Made, Spent]] = {}
    if sum(sizes[n] for n in second) >= PAYS and _has_another_core():
        with suppress(OSError):
            found = _found(make, items, first, second)
    for n, item in enumerate(items):
        if n in found and fits(found[n][1]):
            yield found[n][0]
        else:  # also an item that has failed: its error is raised here, in order
            yield make(item)


def _halves(sizes: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the indices of the items in two halves of similar size, in order; the second one is not larger."""
    larger, smaller = list[int](), list[int]()
    ahead = 0
    for n in sorted(range(len(sizes)), key=lambda n: -sizes[n]):
        if ahead > 0:
            smaller.append(n)
            ahead -= sizes[n]
        else:
            larger.append(n)
            ahead += sizes[n]
    return (sorted(larger), sorted(smaller)) if ahead >= 0 else (sorted(smaller), sorted(larger))


def _has_another_core() -> bool:
    """Return whether a forked process can run in parallel: another core is free to use, and no other thread runs."""
    cores = getattr(os, "sched_getaffinity", None)
    return cores is not None and len(cores(0)) > 1 and threading.active_count() == 1


def _found(
    make: Callable[[Item], Made], items: Sequence[Item], first: Iterable[int], second: Iterable[int]
) -> dict[int, tuple[Made, Spent]]:
    """Return the results of this process and of a second one, by index; each process stops at its first failure."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as results:
        child = _forked(partial(_made, make, items, second), writing)
        try:
            found = _made(make, items, first)
            handed = results.read()
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            _, status = os.waitpid(child, 0)
    return found if status else {**found, **pickle.loads(handed)}


def _forked(make: Callable[[], object], writing: int) -> int:
    """Return the id of a process that computes a result, writes it and ends; Ctrl-C in this process ends both.

    Raises
    ------
    OSError
        If no more processes may be started.
    """
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        child = os.fork()
        if not child:
            _hand_over(make, writing)
    finally:
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return child


def _hand_over(make: Callable[[], object], writing: int) -> NoReturn:
    """Compute a result and write it; this process ends without a message, whatever happens."""
    status = 1
    try:
        warnings.simplefilter("error")  # a warning cannot be handed over: the first process computes the item again
        with os.fdopen(writing, "wb") as results:
            pickle.dump(make(), results, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _made(make: Callable[[Item], Made], items: Sequence[Item], numbers: Iterable[int]) -> dict[int, tuple[Made, Spent]]:
    """Return the results of some items by index, each with its work, up to the first failure."""
    found: dict[int, tuple[Made, Spent]] = {}
    with tried(), suppress(Exception):
        for n in numbers:
            found[n] = counted(partial(make, items[n]))
    return found
