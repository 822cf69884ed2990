"""Other depths of a network: one for all, by name, by pattern; what is none is refused at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ppnsim
from ppnsim import InputError, Network
from ppnsim.cli.app import app
from ppnsim.formats.shipped import directory

FORK = ppnsim.fork_join(firings=20)


def depths(network: Network) -> list[int | None]:
    return [channel.depth for channel in network.channels]


def test_one_depth_is_for_all_and_a_pattern_for_those_that_it_matches() -> None:
    assert depths(FORK.with_depths(5)) == [5] * 4
    assert depths(FORK.with_depths("unbounded")) == depths(FORK.with_depths(None)) == [None] * 4
    assert depths(FORK.with_depths({"short_*": 7})) == [7, 7, 2, 2]
    assert depths(FORK.with_depths({"*_in": "unbounded"})) == [None, 2, None, 2]


def test_what_names_a_channel_itself_wins_over_a_pattern_wherever_it_stands() -> None:
    for given in ({"short_in": 3, "*": 9}, {"*": 9, "short_in": 3}):
        assert depths(FORK.with_depths(given)) == [3, 9, 9, 9]


def test_a_pattern_leaves_fixed_channels_alone_and_says_so_if_there_are_no_others() -> None:
    fixed = FORK.replace(channels=[replace(each, fixed=each.name.startswith("long")) for each in FORK.channels])
    assert depths(fixed.with_depths({"*_in": 8})) == [8, 2, 2, 2]
    assert depths(fixed.with_depths({"long_in": 8})) == [2, 2, 8, 2]  # its name is no pattern
    assert depths(fixed.with_depths({"s*_?[n]": 8})) == [8, 2, 2, 2]
    with pytest.raises(InputError, match=r"'long_\*' matches only what is fixed, which patterns leave alone: long_in"):
        fixed.with_depths({"long_*": 8})
    with pytest.raises(InputError, match=r"no channel is called 'wide_\*'"):
        FORK.with_depths({"wide_*": 8})


def test_patterns_are_taken_wherever_depths_are() -> None:
    path = str(directory() / "networks" / "fork_join.toml")
    assert (
        CliRunner().invoke(app, ["run", path, "--depth", "short_*=16"]).output.startswith("fork and join   finish 37")
    )
    assert ppnsim.run(path, depths={"short_*": 16}).finish == 37
    assert ppnsim.size(path, limits={"short_*": 16}, front=False).depths["short_out"] == 16


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "4", True, [4], {"short_in": 0}, {"short_in": "4"}, {"short_in": 2.5}])
def test_what_is_no_depth_is_refused_at_once(wrong: Any) -> None:
    with pytest.raises(InputError, match="'unbounded'"):
        FORK.with_depths(wrong)
    with pytest.raises(InputError, match="'unbounded'"):
        FORK.with_depths(lambda _: 0 if isinstance(wrong, dict) else wrong)


def test_initial_tokens_are_whole_numbers_also_of_numpy_up_to_a_limit() -> None:
    network = ppnsim.chain(firings=4, depth=None)
    two: Any = np.int64(2)
    assert repr(network.with_initial({"c0": two}).channel("c0").initial) == "2"
    with pytest.raises(InputError, match=r"channel 'c0': initial = 1000.* is out of range"):
        network.with_initial({"c0": 10**30})  # an OverflowError of the run before
