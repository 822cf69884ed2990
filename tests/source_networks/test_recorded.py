"""The network of a recorded call: its streams and what is ordered by memory, without a compiler."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.source_networks import recorded

FOUND: Any = SimpleNamespace(region=SimpleNamespace(streams={"S": SimpleNamespace(width=16)}))


def task(steps: int = 9, reads: dict[int, list[int]] | None = None, writes: dict[int, list[int]] | None = None) -> Any:
    return SimpleNamespace(steps=steps, reads=reads or {}, writes=writes or {})


def call(after: list[list[int]], *, depth: int | None = 4) -> Any:
    stream = SimpleNamespace(name="s", depth=depth, line="k.cpp:7")
    names = [SimpleNamespace(name=name) for name in ("put", "take", "more")]
    return SimpleNamespace(tasks=names, streams={5: stream}, after=after, variables={5: "S"})


NONE: list[list[int]] = [[], [], []]


def test_a_stream_is_a_channel_from_who_writes_to_who_reads_at_their_steps() -> None:
    tasks = [task(writes={5: [1, 2, 4]}), task(reads={5: [0, 3, 6]}), task()]
    (channel,) = recorded._streams(FOUND, call(NONE), tasks)
    assert (channel.name, channel.source, channel.target, channel.depth, channel.width) == ("s", "put", "take", 4, 16)
    assert channel.write_steps is not None and channel.read_steps is not None
    assert (channel.write_steps.expand().tolist(), channel.read_steps.expand().tolist()) == ([1, 2, 4], [0, 3, 6])
    assert not channel.fixed


def test_streams_of_the_interface_and_those_that_nobody_writes_hold_up_nobody() -> None:
    tasks = [task(writes={5: [1]}), task(reads={5: [0]}), task()]
    assert recorded._streams(FOUND, call(NONE, depth=None), tasks) == []
    assert recorded._streams(FOUND, call(NONE), [task(), task(reads={5: [0]}), task()]) == []


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ([task(writes={5: [1]}), task(reads={5: [0]}), task(writes={5: [3]})], "stream 's' is written by several tasks "
         "(put, more)"),
        ([task(writes={5: [1]}), task(reads={5: [0]}), task(reads={5: [3]})], "stream 's' is read by several tasks "
         "(take, more)"),
        ([task(writes={5: [1, 2, 3]}), task(), task()], "stream 's' gets 3 tokens, and with this testbench no task "
         "reads one"),
    ],
)  # fmt: skip
def test_streams_that_are_no_channels_are_refused_at_their_declaration(tasks: list[Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        recorded._streams(FOUND, call(NONE), tasks)
    assert str(refused.value) == f"k.cpp:7: {words}"


def test_a_task_that_reads_what_another_one_writes_begins_after_its_last_step() -> None:
    found = recorded._memories(call([[], [0], [0, 1]]), [task(9), task(4), task()])
    assert [(each.name, each.source, each.target) for each in found] == [
        ("memory of put for take", "put", "take"), ("memory of put for more", "put", "more"),
        ("memory of take for more", "take", "more"),
    ]  # fmt: skip
    assert [each.write_steps.expand().tolist() for each in found if each.write_steps] == [[8], [8], [3]]
    assert [each.read_steps.expand().tolist() for each in found if each.read_steps] == [[0]] * 3
    assert {(each.depth, each.fixed) for each in found} == {(1, True)}
