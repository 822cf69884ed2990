"""Runs in other styles after a sizing: within what is left of its limit, once for equal depths, ended by Ctrl-C."""

from __future__ import annotations

import pytest

from ppnsim.explore.fifo.other_styles import OtherStyles
from ppnsim.explore.fifo.watch import INTERRUPTED
from ppnsim.model.builders import fork_join

SMALL = {"short_in": 3, "short_out": 3, "long_in": 2, "long_out": 2}
DEEP = dict.fromkeys(SMALL, 20)


def others(seconds: float | None = None) -> OtherStyles:
    return OtherStyles(networks=[fork_join(firings=20)], depths={"target": SMALL, "lossless": DEEP}, seconds=seconds)


def test_a_limit_that_is_spent_leaves_styles_that_say_so() -> None:
    spent = others(seconds=0)
    told = {str(each).partition(": ")[2] for runs in spent.runs().values() for each in runs}
    assert told == {"not run (the 0 seconds for it are spent)"}
    assert not spent.interrupted


@pytest.mark.parametrize("after", [0, 1, 3])
def test_ctrl_c_keeps_the_styles_that_were_run_and_names_the_others(after: int) -> None:
    calls = 0

    def progress(*_: int) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            raise KeyboardInterrupt

    ended = others()
    refused = [each.refused for runs in ended.runs(progress).values() for each in runs]
    assert refused == [""] * after + [INTERRUPTED] * (4 - after)
    assert ended.interrupted
    assert calls == after + 1  # nothing more is tried


def test_depths_that_answer_two_questions_are_run_once() -> None:
    same = OtherStyles(networks=[fork_join(firings=20)], depths={"deadlock_free": SMALL, "lossless": SMALL})
    assert same.runs()["deadlock_free"] is same.runs()["lossless"]
