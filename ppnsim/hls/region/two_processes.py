"""Tasks of a region in two processes: if there is much to do, a second one makes half of them."""

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

from ppnsim.hls.work import Spent, counted, fits, tried

Item = TypeVar("Item")
Made = TypeVar("Made")
PAYS = 2_000
"""Statements of the smaller half from which on there is a second process: 13 600 take 0.75 s, and 0.15 to hand over."""


def made_in_two(make: Callable[[Item], Made], items: Sequence[Item], sizes: Sequence[int]) -> Iterator[Made]:
    """Yield what is made of each item, in order, as ``map`` does: with the same errors at the same place.

    ``sizes`` are the statements of each item. What the second process makes comes pickled: it is equal, and not the
    same object as what was there before.

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
        else:  # also what has failed: here it does so in its turn
            yield make(item)


def _halves(sizes: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the numbers of the items in two halves of about one size, in order; the second one is not larger."""
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
    """Return whether a forked process can run beside this one: a core is there, and no thread that it would miss."""
    cores = getattr(os, "sched_getaffinity", None)
    return cores is not None and len(cores(0)) > 1 and threading.active_count() == 1


def _found(
    make: Callable[[Item], Made], items: Sequence[Item], first: Iterable[int], second: Iterable[int]
) -> dict[int, tuple[Made, Spent]]:
    """Return what is made here and in a second process, by number; each of the two stops where it fails."""
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
    """Return the number of a process that makes something, writes it and ends; Ctrl-C is for this one, which ends both.

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
    """Make something and write it; whatever happens, this process says nothing and ends."""
    status = 1
    try:
        warnings.simplefilter("error")  # what warns is not handed over: the first process makes it, and warns
        with os.fdopen(writing, "wb") as results:
            pickle.dump(make(), results, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _made(make: Callable[[Item], Made], items: Sequence[Item], numbers: Iterable[int]) -> dict[int, tuple[Made, Spent]]:
    """Return what is made of some items, by number, with the work that it is: up to the first one that fails."""
    found: dict[int, tuple[Made, Spent]] = {}
    with tried(), suppress(Exception):
        for n in numbers:
            found[n] = counted(partial(make, items[n]))
    return found
