"""Who works out the points of a sweep: this process, all cores of this machine, or a Dask cluster.

Each worker yields the rows of some points as they are ready, in any order; the result does not depend on the worker.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from threading import Thread
from typing import Any

from ppnsim.errors import InputError, PpnsimError
from ppnsim.explore.sweep.sweep import Row, Sweep

Rows = Generator[list[Row], None, None]

_ALONE = 1.0  # seconds; what is done by then is not worth other processes
_TOGETHER = 0.25  # seconds of work in one piece
_MOST_TOGETHER = 1000
_PR_SET_PDEATHSIG = 1  # of linux/prctl.h
_WAIT = "10s"  # for a cluster to answer


def run_here(sweep: Sweep, numbers: Sequence[int]) -> Rows:
    """Yield the rows of one point after the other."""
    for number in numbers:
        yield sweep.rows([number])


def run_in_processes(sweep: Sweep, numbers: Sequence[int], *, jobs: int) -> Rows:
    """Yield rows as ``jobs`` processes of this machine work them out; short sweeps are done before others are started.

    Raises
    ------
    PpnsimError
        If a worker is killed, for want of memory for instance.
    """
    began, done = time.monotonic(), 0
    for rows in run_here(sweep, numbers):
        yield rows
        done += 1
        if jobs > 1 and time.monotonic() - began > _ALONE and len(numbers) - done > 1:
            break
    left = numbers[done:]
    if not left:
        return
    pieces = _pieces(left, (time.monotonic() - began) / done, jobs)
    before = set(multiprocessing.active_children())
    # Spawned, not forked: the same on every system, and threads of this process do no harm.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (sweep,))
    complete = False
    try:
        with interrupts_held_back():
            futures = [pool.submit(_work, piece) for piece in pieces]
        for future in as_completed(futures):
            yield future.result()
        complete = True
    except BrokenProcessPool:
        words = "a worker process was killed, perhaps for want of memory: try fewer --jobs (what is done is kept)"
        raise PpnsimError(words) from None
    finally:
        pool.shutdown(wait=complete, cancel_futures=True)
        # After an interrupt nobody waits for points that are running.
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started: it is for this one, and they would print how far they were.

    A process inherits what is held back, and so never hears of it; here it comes when the block ends.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_on_dask(sweep: Sweep, numbers: Sequence[int], *, address: str) -> Rows:
    """Yield rows as the workers of a Dask cluster work them out; what a lost worker had is done again by others.

    Raises
    ------
    InputError
        If ``distributed`` is not installed, or no scheduler answers.
    PpnsimError
        If points kill every worker that tries them.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        words = "Dask is not installed here (pip install 'ppnsim[dask]')"
        raise InputError(words, where=f"--dask {address}") from None
    try:
        client = distributed.Client(address, timeout=_WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers there ({error})", where=f"--dask {address}") from None
    futures: list[Any] = []
    try:
        workers = max(1, sum(client.ncores().values()))
        # A task and no scattered data: the scheduler can make it again where the worker that had it is gone.
        sent = client.submit(_same, sweep, pure=False)
        futures = [client.submit(Sweep.rows, sent, piece, pure=False) for piece in _pieces(numbers, 0.0, workers)]
        for future in distributed.as_completed(futures, loop=client.loop):
            yield future.result()
    except distributed.KilledWorker as error:
        raise PpnsimError(f"every worker that tried some of the points was lost: {error}") from None
    finally:
        client.cancel(futures)
        client.close()


def runner(*, jobs: int, dask: str | None) -> Callable[[Sweep, Sequence[int]], Rows]:
    """Return the way to run that the options ask for."""
    if dask is not None:
        return lambda sweep, numbers: run_on_dask(sweep, numbers, address=dask)
    return lambda sweep, numbers: run_in_processes(sweep, numbers, jobs=jobs)


def _pieces(numbers: Sequence[int], seconds: float, jobs: int) -> list[Sequence[int]]:
    """Deal points out in pieces: long enough to be worth sending, and so many that all are busy to the end."""
    worth = int(_TOGETHER / seconds) if seconds else _MOST_TOGETHER
    size = max(1, min(worth, _MOST_TOGETHER, len(numbers) // (8 * jobs)))
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


_sweep: Sweep | None = None


def _begin(sweep: Sweep) -> None:
    """Make a worker ready; Ctrl-C is for the one who started it, with whom it also ends."""
    global _sweep
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":  # at once, even in the middle of a compiled run
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    Thread(target=_end_with_parent, daemon=True).start()
    _sweep = sweep


def _end_with_parent() -> None:
    """Wait until the process that started this one is gone, in whatever way, also if it was before."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(numbers: Sequence[int]) -> list[Row]:
    assert _sweep is not None
    return _sweep.rows(numbers)


def _same(sweep: Sweep) -> Sweep:
    return sweep
