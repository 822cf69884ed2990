"""Depths without loss keep the finish; a source may wait at them, and the answer says which."""

from __future__ import annotations

import io

from rich.console import Console

import ppnsim
from ppnsim.model.builders import chain
from ppnsim.model.summary import summary_of
from ppnsim.model.suspicions import suspicions

SLOW = chain(firings=9, length=2, ii=(1, 3), latency=1)  # the second starts each 3 cycles: the first waits 15 of them


def test_depths_without_loss_tell_which_source_waits() -> None:
    sized = ppnsim.size(SLOW)
    sized.print(Console(file=(written := io.StringIO()), width=200))
    lines = written.getvalue().splitlines()
    assert sized.to_dict()["source_waits"] == {"lossless": [{"process": "p0", "cycles": 15}]}
    assert any(line.startswith("depths without loss: p0 reads no channel and waits 15 cycles") for line in lines)
    assert "  -> for one that cannot wait: 'most held' of a run with --depth unbounded are its depths" in lines
    assert lines[1].startswith("front")  # the answers stand below, where a terminal still shows them


def test_no_source_waits_at_what_unbounded_channels_hold() -> None:
    held = summary_of(SLOW.never_full().run()).occupancy
    assert [each.kind for each in suspicions(SLOW.with_depths(held).run())] == []
    assert [each.kind for each in suspicions(SLOW.with_depths({"c0": held["c0"] - 1}).run())] == ["source waits"]
