"""Styles by the name of the hardware: everywhere a style can stand, and never in silence."""

from __future__ import annotations

import io
import json
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import ppnsim
from ppnsim import Network, fork_join
from ppnsim.errors import InputError
from ppnsim.explore.fifo.other_styles import in_other_styles
from ppnsim.model.network import STYLES
from ppnsim.model.styles import HARDWARE, style_of
from tests.helpers.commands import Save
from tests.helpers.commands import ppnsim as command
from tests.helpers.strategies import networks


@pytest.mark.parametrize("name", ["elastic", "hls", "flp", "kahn"])
def test_a_name_means_its_style_in_python_on_the_command_line_and_in_files(name: str, save: Save) -> None:
    network = fork_join(firings=6)
    assert {process.style for process in network.with_style(name).processes} == {style_of(name)}
    path = save(network)
    result = json.loads(command("run", path, "--style", name, "--depth", "9", "--json", "-").stdout)
    assert result["styles"] == {style_of(name): 4}
    assert f"   style {style_of(name)}   " in command("run", path, "--style", name, "--depth", "9").stdout
    text = f'style = "{name}"\n[process.a]\nfirings = 3\n'
    file = save(network, "written.json").replace("written.json", "written.toml")
    with open(file, "w", encoding="utf-8") as out:  # noqa: PTH123
        out.write(text)
    read = ppnsim.load(file)
    assert isinstance(read, Network) and read.process("a").style == style_of(name)


def test_names_are_told_apart_in_a_sweep(save: Save) -> None:
    done = command("sweep", save(fork_join(firings=20)), "--vary", "*.style=hls,frp", "--jobs", "1", "--json", "-")
    # Elastic at the depth 2 of `fork_join`; what frozen does there, the timing rules say.
    assert [row["finish"] for row in json.loads(done.stdout)["rows"]] == [None, 70]


def test_a_name_that_is_none_is_refused_with_a_near_one() -> None:
    with pytest.raises(
        InputError, match=r"style = 'fin' is none of elastic, flushable, frozen \(did you mean 'finn'\?\)"
    ):
        fork_join(firings=4).with_style("fin")


def test_a_name_is_one_in_capitals_too(save: Save) -> None:
    assert [style_of(name) for name in ("HLS", "Hls", "Elastic", "xLS")] == ["frozen", "frozen", "elastic", "elastic"]
    file = save(fork_join(firings=20, short_depth=3))
    stuck = command("run", file, "--style", "HLS").stdout
    assert f"ppnsim size {file} --style HLS" in stuck
    told = command("explain", file, "--style", "FLP", "--top", "0").stdout
    assert "   style flushable   " in told.partition("\n")[0]


def test_the_table_tells_what_is_known_from_what_is_assumed() -> None:
    assert len({each.name for each in HARDWARE} | set(STYLES)) == len(HARDWARE) + len(STYLES)
    assert all(each.known and each.source and each.style in STYLES for each in HARDWARE)
    shown = command("styles")
    assert all(each.name in shown.stdout for each in HARDWARE)
    assert json.loads(command("styles", "--json", "-").stdout) == ppnsim.styles().to_dict()
    wide = io.StringIO()
    ppnsim.styles().print(Console(file=wide, width=400))
    ends = {line.split()[0]: line.rstrip() for line in wide.getvalue().splitlines()[5:]}
    assert {each.name for each in HARDWARE if ends[each.name].endswith(each.assumed or " -")} == set(ends)
    for process_command in ("run", "size"):
        assert "ppnsim styles" in " ".join(command(process_command, "--help").stdout.split())


# -- sized for one style ----------------------------------------------------------------------------------------------


def test_a_network_that_is_sized_elastic_and_deadlocks_frozen_is_told_so(save: Save) -> None:
    shown = command("size", save(fork_join(firings=20)), "--no-front").stdout
    assert "depths without deadlock in style frozen (hls, stp, hls4ml): DEADLOCK" in shown
    assert "depths without loss in style frozen (hls, stp, hls4ml): finish 37 cycles" in shown
    sized = ppnsim.size(fork_join(firings=20), front=False)
    told = {each["style"]: each["safe"] for each in sized.to_dict()["other_styles"]["deadlock_free"]}
    assert told == {"flushable": True, "frozen": False}


def test_a_frame_is_also_run_in_other_styles() -> None:
    """The network of the README, so long that only its repetitions are affordable: a skip that is just deep enough."""
    network = fork_join(firings=1_000_000)
    found = {each.style: each for each in in_other_styles([network], {each.name: 1 for each in network.channels})}
    assert found["frozen"].deadlocked and str(found["frozen"]).endswith(": DEADLOCK")
    assert found["flushable"].finish == ppnsim.run(network.with_depths(1).with_style("flushable")).finish


@settings(max_examples=30)
@given(networks(styles=["elastic"], resources=False), st.integers(1, 4))
def test_what_is_called_safe_of_a_long_network_runs(network: Network, depth: int) -> None:
    depths = {channel.name: None if channel.depth is None else channel.depth + depth for channel in network.channels}
    with patch("ppnsim.explore.fifo.other_styles._TOO_LONG", 0):
        told = in_other_styles([network], depths)
    for each in (each for each in told if not each.refused):
        done = ppnsim.run(network.with_depths(depths).with_style(each.style), on_deadlock="return")
        assert (done.finish, done.deadlocked) == (each.finish, not each.safe)


@settings(max_examples=30)
@given(networks(styles=["elastic"]), st.integers(1, 4))
def test_what_is_called_safe_runs(network: Network, depth: int) -> None:
    depths = {channel.name: None if channel.depth is None else channel.depth + depth for channel in network.channels}
    for each in in_other_styles([network], depths):
        if each.refused:
            with pytest.raises(InputError):
                network.with_depths(depths).with_style(each.style).checked()
        else:
            done = ppnsim.run(network.with_depths(depths).with_style(each.style), on_deadlock="return")
            assert (done.finish, done.deadlocked) == (each.finish, not each.safe)
