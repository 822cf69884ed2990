"""Depths as SDF3 means them: a channel that says it itself, or one that brings credits back."""

from __future__ import annotations

import pytest

from ppnsim.errors import InputError
from ppnsim.model.builders import chain
from ppnsim.model.network import Channel


def test_a_frozen_pipeline_gets_a_channel_of_credits_and_its_own_has_no_depth() -> None:
    before = chain(firings=4, length=3, latency=3, depth=2, style="frozen")
    network = before.with_convention("sdf3")
    assert [(each.name, each.source, each.target, each.depth, each.initial) for each in network.channels] == [
        ("c0", "p0", "p1", None, 0), ("c0.space", "p1", "p0", None, 2),
        ("c1", "p1", "p2", None, 0), ("c1.space", "p2", "p1", None, 2),
    ]  # fmt: skip
    assert [(each.read, each.write) for each in network.processes] == [
        (before.read_latency(each.name), before.write_latency(each.name)) for each in before.processes
    ]
    assert network.written == before and network.never_full().channels == before.never_full().channels


def test_an_elastic_process_claims_space_at_its_start_by_itself() -> None:
    network = chain(firings=4, length=3, latency=3, depth=2).with_convention("sdf3")
    # p0 reads nothing: execute 3, write 1. p1 reads, executes and writes: 5. p2 does not write: 4.
    assert [(each.from_offset, each.forward, each.release, each.depth) for each in network.channels] == [
        (0, 4, 5, 2), (0, 5, 4, 2),
    ]  # fmt: skip


def test_credits_are_what_the_initial_tokens_leave() -> None:
    channel = Channel(name="c0", source="p0", target="p1", initial=3, depth=4)
    network = chain(firings=4, length=2, style="frozen").replace(channels=[channel])
    assert [each.initial for each in network.with_convention("sdf3").channels] == [3, 1]


def test_an_unknown_convention_is_refused() -> None:
    with pytest.raises(InputError, match=r"convention = 'sdf' is none of ppn, sdf3 \(did you mean 'sdf3'\?\)"):
        chain(firings=4).with_convention("sdf")
