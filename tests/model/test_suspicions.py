"""What looks like a mistake is said with both numbers, and what is as it should be is not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

import ppnsim
from ppnsim import Channel, Listed, Network, Process, Rates, fork_join
from ppnsim.model.run import Fix
from ppnsim.model.summary import summary_of
from ppnsim.model.suspicions import suspicions
from tests.helpers.commands import Save
from tests.helpers.commands import ppnsim as command
from tests.helpers.strategies import networks


def pair(produced: int, consumed: int, **channel: object) -> Network:
    """Return a writer of so many firings and a reader of so many."""
    return Network(
        processes=[Process(name="a", firings=produced), Process(name="b", firings=consumed)],
        channels=[Channel(name="c", source="a", target="b", **channel)],  # type: ignore[arg-type]
    )


def test_more_written_than_read_is_said_with_both_numbers_and_the_right_firings() -> None:
    (found,) = suspicions(pair(20, 10))
    assert (found.kind, found.part, found.written, found.read) == ("left over", "c", 20, 10)
    assert str(found).endswith("a writes 20 tokens and b reads 10: 10 are left over (20 firings of b read all of them)")
    (found,) = suspicions(pair(5, 1, tokens=Rates(1, 2)))
    assert "firings of b" not in str(found)  # five tokens are not read two by two


def test_what_nobody_reads_and_what_never_enters() -> None:
    (unread,) = suspicions(pair(6, 6, tokens=Rates(1, 0)))
    assert (unread.kind, unread.written, unread.read) == ("unread", 6, 0)
    listed = Listed(writes=(0, 1, 2, 3), reads=((0, 0), (1, 2)))
    (dropped,) = suspicions(pair(4, 2, tokens=listed))
    assert (dropped.kind, dropped.written, dropped.read) == ("dropped", 4, 2)


def test_tokens_that_circulate_and_balanced_channels_are_not_suspicious() -> None:
    assert suspicions(pair(6, 6, initial=2)) == ()
    assert suspicions(ppnsim.predictor()) == ()
    assert suspicions(ppnsim.run(ppnsim.predictor())) == ()


def test_a_source_that_waits_is_a_note_with_its_cycles() -> None:
    (found,) = ppnsim.run(fork_join(firings=20)).suspicions()
    assert (found.kind, found.part) == ("source waits", "split")
    summary = summary_of(ppnsim.run(fork_join(firings=20)))
    assert found.cycles == sum(summary.processes["split"].cycles.blocked.values()) > 0
    assert not fork_join(firings=20).suspicions()  # a network by itself has not waited yet


def test_a_run_says_it_in_the_report_and_in_json(save: Save) -> None:
    path = save(pair(20, 10, depth=2))
    shown = command("run", path)
    assert shown.exit_code == 3
    assert "suspicious: 'c': a writes 20 tokens and b reads 10" in shown.stdout
    assert (
        "'c' gets 20 tokens and 10 are read; 'c' at depth 10 would only bury the 10 that are left over" in shown.stdout
    )
    result = json.loads(command("run", path, "--json", "-").stdout)
    assert result["deadlock"]["buried"] == {"c": {"written": 20, "read": 10}}
    assert result["suspicious"][0]["kind"] == "left over"


# -- circles of data ---------------------------------------------------------------------------------------------------


def ring(*names: str, **channel: object) -> Network:
    return Network(
        processes=[Process(name=name, firings=6) for name in names],
        channels=[
            Channel(name=f"{one}{other}", source=one, target=other, depth=2, **channel)  # type: ignore[arg-type]
            for one, other in zip(names, (*names[1:], names[0]), strict=True)
        ],
    )


def fixed(network: Network) -> Fix:
    return ppnsim.fix_deadlock(ppnsim.run(network, on_deadlock="return"))


def test_a_circle_is_opened_on_the_channel_that_closes_it() -> None:
    assert fixed(ring("a", "b", "d")).initial == {"da": 1}


def test_each_of_several_circles_gets_its_tokens() -> None:
    one, other = ring("a", "b"), ring("b", "d")
    both = Network(processes=[*one.processes, other.processes[1]], channels=[*one.channels, *other.channels])
    assert fixed(both).initial == {"ba": 1, "db": 1}


@pytest.mark.parametrize(("rates", "tokens"), [(Rates(2, 1), 2), (Rates(3, 2), None)])
def test_a_circle_of_several_rates_gets_as_many_as_it_takes(rates: Rates, tokens: int | None) -> None:
    there = Channel(name="there", source="a", target="b", tokens=Rates(rates.consume, rates.produce), depth=8)
    back = Channel(name="back", source="b", target="a", tokens=rates, depth=8)
    counts = (6 * rates.produce[0], 6 * rates.consume[0])
    network = Network(
        processes=[Process(name="a", firings=counts[0]), Process(name="b", firings=counts[1])], channels=[there, back]
    )
    found = fixed(network).initial
    assert tokens is None or found == {"back": tokens}
    assert found


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(networks(styles=["elastic", "frozen"]))
def test_initial_tokens_that_are_named_do_it(network: Network) -> None:
    outcome = ppnsim.run(network, on_deadlock="return")
    assume(outcome.deadlocked)
    fix = ppnsim.fix_deadlock(outcome)
    assert not (fix.depths and fix.initial)
    assert not any(put <= taken for put, taken in fix.buried.values())
    if fix.initial:
        channels = [
            replace(channel, initial=fix.initial.get(channel.name, channel.initial)) for channel in network.channels
        ]
        assert not ppnsim.run(network.replace(channels=channels), on_deadlock="return").deadlocked


def test_a_depth_that_is_not_given_is_told_and_one_that_is_unbounded_is_not(tmp_path: Path) -> None:
    def told(*depths: str, **changes: Any) -> list[str]:
        file = tmp_path / "net.toml"
        channels = [f'channel.c{n} = {{ from = "a", to = "b"{depth} }}' for n, depth in enumerate(depths)]
        file.write_text("\n".join(["process.a.firings = 4", "process.b.firings = 4", *channels]))
        network = ppnsim.load(file)
        for name, value in changes.items():
            network = getattr(network, name)(value)
        return [str(each) for each in suspicions(ppnsim.run(network))]

    assert told(", depth = 2", ', depth = "unbounded"') == []
    how = 'unbounded (depth = N, or "unbounded", says which)'
    assert told(", depth = 2", "") == [f"note: 'c1' says no depth and is {how}"]
    assert told("", "", with_style="frozen") == [f"note: 2 of 2 channels ('c0', ..) say no depth and are {how}"]
    assert told("", "", with_depths={"c0": 4}, with_convention="sdf3") == [f"note: 'c1' says no depth and is {how}"]
    assert told("", with_depths="unbounded") == []
