"""Tasks of a region in two processes: what is made, said and refused is what one process makes."""

import os
import signal
import time
import warnings
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from ppnsim import schedule
from ppnsim.errors import InputError, TooMuchWork
from ppnsim.formats.shipped import directory
from ppnsim.hls.region import two_processes
from ppnsim.hls.region.two_processes import made_in_two
from ppnsim.loops import work

SIZES = [9_000, 8_000, 7_000, 6_000]  # the first process makes the first and the last one
HERE = os.getpid()


@pytest.fixture(autouse=True)
def another_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a second core, whatever threads the tests have."""
    monkeypatch.setattr(two_processes, "_has_another_core", lambda: True)


def _refused(item: int) -> int:
    if item in (1, 3):
        raise InputError(f"no {item}")
    return item


def test_a_second_process_makes_half() -> None:
    found = list(made_in_two(lambda item: (item, os.getpid() == HERE), range(4), SIZES))
    assert found == [(0, True), (1, False), (2, False), (3, True)]


def _warned() -> None:
    warnings.warn("what is made there", stacklevel=1)


@pytest.mark.filterwarnings("ignore:what is made there")
@pytest.mark.parametrize("there", [lambda: lambda: 0, lambda: os._exit(1), _warned, lambda: os.kill(os.getpid(), 9)])
def test_what_cannot_be_handed_over_is_made_here(there: Callable[[], Any]) -> None:
    assert all(made_in_two(lambda _: os.getpid() == HERE or there(), range(4), SIZES))


def test_ctrl_c_ends_both() -> None:
    def interrupted(_: int) -> None:
        if os.getpid() == HERE:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

    began = time.monotonic()
    held = signal.signal(signal.SIGINT, signal.default_int_handler)  # commands that ran here before end at once
    try:
        with pytest.raises(KeyboardInterrupt):
            list(made_in_two(interrupted, range(4), SIZES))
    finally:
        signal.signal(signal.SIGINT, held)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("sizes", [SIZES, SIZES[::-1], [9_000, 6_000, 8_000, 7_000]])
def test_the_first_failure_in_order_is_told_behind_what_comes_before(sizes: list[int]) -> None:
    made = made_in_two(_refused, range(4), sizes)
    assert next(made) == 0
    with pytest.raises(InputError, match="no 1"):
        next(made)


@pytest.mark.parametrize("most, made", [(400, 4), (399, 3), (199, 1), (99, 0)])
def test_work_is_counted_in_order(monkeypatch: pytest.MonkeyPatch, most: int, made: int) -> None:
    monkeypatch.setattr(work, "MOST", most)
    found: list[None] = []
    with work.limited():
        try:
            found.extend(made_in_two(lambda _: work.spend(100), range(4), SIZES))
        except TooMuchWork:
            assert made < 4
    assert len(found) == made


def test_a_region_in_two_processes_is_that_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    source = directory() / "hls" / "residual.cpp"
    alone = schedule(source, device="xcu280-fsvh2892-2L-e").to_dict()
    monkeypatch.setattr(two_processes, "PAYS", 0)
    monkeypatch.setattr(os, "fork", forked := Mock(wraps=os.fork))
    assert schedule(source, device="xcu280-fsvh2892-2L-e").to_dict() == alone
    assert forked.called
